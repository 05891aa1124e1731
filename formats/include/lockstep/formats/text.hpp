// Text for people: numbers with units, tokens of a file as messages show them, and the lines of a list.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lockstep/formats/input_file.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

namespace text {
/// "1,234,567".
std::string grouped(EdgeId value);
/// "1.5 GB" (powers of 1000).
std::string bytes(double value);
/// "12.3 ms", "1.23 s".
std::string duration(double seconds);
/// A JSON text that a terminal may show too: DEL and the control characters of Latin 1 escaped.
std::string escaped_json(std::string_view json);
/// Returns a text with control characters (other than tab and line end) and bytes that are no UTF-8 written as \xNN, so
/// that no escape code of a file reaches a terminal.
std::string printable(std::string_view text);
}  // namespace text

namespace readers {
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Without the blanks at both ends.
inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// A token as messages show it, always valid UTF-8: in quotes, cut after about 40 bytes; what is no text or
/// might act on a terminal is escaped.
std::string shown(std::string_view token);

/// Calls `use(number from 1, line)` for each line of a text, which may be compressed, in O(longest line)
/// memory. Throws FormatError on an empty file, on what is no text, and on damaged compression.
void for_each_line(InputFile& file, const std::function<void(std::uint64_t, std::string_view)>& use);
}  // namespace readers

}  // namespace lockstep
