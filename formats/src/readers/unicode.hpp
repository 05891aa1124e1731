// UTF-8 decoding, and the characters that an id may contain.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::readers {

/// A UTF-8 character: its size in bytes (0 if it is invalid) and its code point.
struct Utf8 {
    std::size_t bytes = 0;
    char32_t code = 0;
};

/// Returns the character at the start of a nonempty text. Strict (RFC 3629): no overlong forms, no
/// surrogates, no code points above U+10FFFF.
Utf8 utf8_at(std::string_view text);

/// Returns true if a character is visible and has no other effect. Control characters, marks without width,
/// and marks that change the text direction are not visible. (Blanks that look like an ordinary blank are not
/// visible either.)
bool is_visible(char32_t c);

/// Returns the reason why a text cannot be an id or a name (too long, not UTF-8, control characters,
/// invisible characters), with advice; empty if it can. O(bytes); ASCII text takes a single fast pass.
std::string id_fault(std::string_view id);

}  // namespace lockstep::readers
