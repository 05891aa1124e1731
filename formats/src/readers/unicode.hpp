// Decoding of UTF-8, texts that can be printed safely, and the check of the characters that an ID may
// contain.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::readers {

/// A character of a UTF-8 text: its size in bytes (0 if the bytes are invalid) and its code point.
struct Utf8 {
    std::size_t bytes = 0;
    char32_t code = 0;
};

/// Returns the character at the beginning of a text that is not empty. Follows RFC 3629 strictly: overlong
/// forms, surrogates and code points above U+10FFFF are invalid.
Utf8 utf8_at(std::string_view text);

/// Returns whether a character is visible and has no other effect. Control characters, marks without width,
/// marks that change the text direction, and blanks other than the ordinary one are not.
bool is_visible(char32_t c);

/// Returns a text that can be printed safely and is valid UTF-8. Bytes that are not text, or that a terminal
/// might interpret, are escaped.
std::string printable(std::string_view text);

/// Returns the reason for which a text cannot be an ID or a name, with advice, or an empty string. Reasons
/// are its length, invalid UTF-8, control characters and invisible characters. O(bytes), in one fast pass for
/// ASCII text.
std::string id_fault(std::string_view id);

}  // namespace lockstep::readers
