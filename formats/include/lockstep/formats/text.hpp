// Text for users: numbers with units, and words of a file in messages. Also reading of a text file line by
// line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "lockstep/formats/input_file.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

namespace text {
/// Returns a number with commas between groups of three digits: "1,234,567".
std::string group_digits(EdgeId value);
/// Returns a size with its unit: "1.5 GB" (powers of 1000).
std::string bytes(double value);
/// Returns a time with its unit: "12.3 ms", "1.23 s".
std::string duration(double seconds);
/// Returns a JSON text that can be printed on a terminal safely: DEL and the control characters U+0080 …
/// U+009F are replaced by JSON escapes.
std::string escaped_json(std::string_view json);
/// Returns a text that can be printed on a terminal safely, even if it comes from a file. Control characters
/// other than tab and line end, and bytes that are not valid UTF-8, are written as \xNN.
std::string printable(std::string_view text);
}  // namespace text

namespace readers {
inline bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// Returns the text without leading and trailing blanks.
inline std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Returns a word of a file as messages print it: in quotes, truncated after about 40 bytes, and always valid
/// UTF-8. Bytes that are not text, or that a terminal might interpret, are escaped.
std::string shown(std::string_view token);

/// Calls use(line number, line) for each line of a text, which may be compressed; the first line has number
/// 1. Takes O(longest line) memory. Throws FormatError if the file is empty, is not text, or has damaged
/// compression.
void for_each_line(InputFile& file, const std::function<void(std::uint64_t, std::string_view)>& use);
}  // namespace readers

}  // namespace lockstep
