// Text for people: numbers with units, tokens of a file as messages print them, and the lines of a list.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lockstep/formats/input_file.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

namespace text {
/// Returns a number with separators of thousands: "1,234,567".
std::string grouped(EdgeId value);
/// Returns a size with its unit: "1.5 GB" (powers of 1000).
std::string bytes(double value);
/// Returns a time with its unit: "12.3 ms", "1.23 s".
std::string duration(double seconds);
/// Returns a JSON text that is safe to print on a terminal: DEL and the control characters of Latin 1 are
/// escaped.
std::string escaped_json(std::string_view json);
/// Returns a text with control characters (other than tab and line end) and bytes that are not UTF-8 written
/// as \xNN, so that no escape sequence of a file reaches a terminal.
std::string printable(std::string_view text);
}  // namespace text

namespace readers {
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns the text without leading and trailing blanks.
inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Returns a token as messages print it, always valid UTF-8: in quotes and truncated after about 40 bytes.
/// Bytes that are not text, or that a terminal might interpret, are escaped.
std::string shown(std::string_view token);

/// Calls `use(line number from 1, line)` for each line of a text, which may be compressed, in O(longest line)
/// memory. Throws FormatError if the file is empty, is not text, or has damaged compression.
void for_each_line(InputFile& file, const std::function<void(std::uint64_t, std::string_view)>& use);
}  // namespace readers

}  // namespace lockstep
