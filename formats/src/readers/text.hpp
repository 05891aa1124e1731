// Parsing of the fields and numbers of a line of text.
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "lines.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::readers {

/// Returns a text that is safe to print and always valid UTF-8: bytes that are not text, or that a terminal
/// might interpret, are escaped.
std::string printable(std::string_view text);

/// Returns the text with its ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// Removes the next token from the front of a line and returns it; an empty token at the end.
inline std::string_view next_token(std::string_view& line) {
    std::size_t begin = 0;
    while (begin < line.size() && is_blank(line[begin])) ++begin;
    std::size_t end = begin;
    while (end < line.size() && !is_blank(line[end])) ++end;
    const std::string_view token = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return token;
}

/// The fields of one line. `count` may exceed the capacity, so that a line with too many fields is detected.
struct Fields {
    std::array<std::string_view, 32> at;
    std::size_t count = 0;
    /// The line contains quotes, so a field may contain characters that otherwise cannot be part of a name.
    bool quoted = false;
    std::string unescaped;  ///< text of the quoted fields that contain doubled quotes
    void push(std::string_view field) {
        if (count < at.size()) at[count] = field;
        ++count;
    }
    bool overflow() const { return count > at.size(); }
};

/// Splits a line at runs of blanks.
inline void split_blanks(std::string_view line, Fields& fields) {
    fields.count = 0;
    for (auto token = next_token(line); !token.empty(); token = next_token(line)) fields.push(token);
}

/// Splits a line at every `delimiter` of one or more bytes. The fields are trimmed and may be empty.
inline void split_at(std::string_view line, std::string_view delimiter, Fields& fields) {
    fields.count = 0;
    for (std::size_t at; (at = line.find(delimiter)) != std::string_view::npos;) {
        fields.push(trimmed(line.substr(0, at)));
        line.remove_prefix(at + delimiter.size());
    }
    fields.push(trimmed(line));
}

/// Returns the number of type T that the whole token represents, if there is one.
template <class T>
std::optional<T> number(std::string_view token) {
    T value{};
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return value;
}

/// Returns the weight that the token represents; std::nullopt if the token is not a number. A value too small
/// for a float becomes 0. For "nan" and for values too large for a float, the result is not finite.
std::optional<float> weight_of(std::string_view token);

/// Returns a description of the fault of a weight, which must be ≥ `least`; nullptr if the weight is
/// valid.
const char* weight_fault(float weight, float least);

/// Returns true for digits, a comma and digits: "4,5".
bool has_decimal_comma(std::string_view token);

/// Returns the token if it is a valid id; otherwise fails at this line. O(1) for integers.
std::string_view clean_id(const Lines& lines, std::string_view token);

/// Returns the token as a weight; fails at this line if it is not valid.
float parse_weight(const Lines& lines, std::string_view token, float least);

/// Returns the token as a time; fails at this line if it is not valid. The token is an integer, or an ISO
/// 8601 date with or without the time of day ("2015-03-01", "2015-03-01T12:30:05Z"; no offset other than Z),
/// which is converted to seconds since 1970.
std::int64_t parse_time(const Lines& lines, std::string_view token);

/// Returns the token as a count; fails at this line if it is not valid. `name` is the name of the count in
/// messages.
EdgeId parse_count(const Lines& lines, std::string_view token, const char* name);

/// Returns the vertex of a 1-based id, which the format declares to be in 1 … size; fails at this line
/// otherwise.
VertexId parse_declared(const Lines& lines, std::string_view token, VertexId size, const char* name);

/// Returns the token as the number of vertices of one side, like parse_count.
VertexId parse_size(const Lines& lines, std::string_view token, const char* name);

}  // namespace lockstep::readers
