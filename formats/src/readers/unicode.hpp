// UTF-8 and what may stand in an id.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::readers {

/// A character of UTF-8: its bytes, 0 where they are none, and its number.
struct Utf8 {
    std::size_t bytes = 0;
    char32_t code = 0;
};

/// The character at the beginning of a text that is not empty; strict (RFC 3629): no overlong forms, no
/// surrogates, nothing above U+10FFFF.
Utf8 utf8_at(std::string_view text);

/// Whether a character can be seen, and does nothing else: no control code, no mark that has no width or
/// turns the direction of a line. (Blanks that look like the usual one count as unseen.)
bool is_visible(char32_t c);

/// What of a text cannot be kept as an id or a name (too long, not UTF-8, characters that are control codes
/// or cannot be seen), with the remedy; empty for a good one. O(bytes); ASCII is looked at once.
std::string id_fault(std::string_view id);

}  // namespace lockstep::readers
