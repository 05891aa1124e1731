// Parsing of the fields of a line of text: IDs, weights, times and counts. The parse functions throw
// FormatError with the number of the line.
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "lines.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::readers {

/// Returns a text that can be printed safely and is valid UTF-8. Bytes that are not text, or that a terminal
/// might interpret, are escaped.
std::string printable(std::string_view text);

/// Returns the text with its ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// Removes the next word from the beginning of a line, and returns it; returns an empty word at the end of
/// the line.
inline std::string_view next_token(std::string_view& line) {
    std::size_t begin = 0;
    while (begin < line.size() && is_blank(line[begin])) ++begin;
    std::size_t end = begin;
    while (end < line.size() && !is_blank(line[end])) ++end;
    const std::string_view token = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return token;
}

/// The fields of a line. If there are more than 32, only the first 32 are stored, but `count` is the actual
/// number.
struct Fields {
    std::array<std::string_view, 32> at;
    std::size_t count = 0;
    /// Whether the line contains quotes, so that a field may contain any character.
    bool quoted = false;
    std::string unescaped;  ///< text of quoted fields that contained doubled quotes; `at` refers to it
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

/// Splits a line at every occurrence of `delimiter`, which has one or more bytes. Fields are trimmed and may
/// be empty.
inline void split_at(std::string_view line, std::string_view delimiter, Fields& fields) {
    fields.count = 0;
    for (std::size_t at; (at = line.find(delimiter)) != std::string_view::npos;) {
        fields.push(trim(line.substr(0, at)));
        line.remove_prefix(at + delimiter.size());
    }
    fields.push(trim(line));
}

/// Returns the number that the whole word denotes, if it is one of type T.
template <class T>
std::optional<T> number(std::string_view token) {
    T value{};
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return value;
}

/// Returns the weight that the word denotes, or std::nullopt if it is no number. A value that is too small
/// for a float becomes 0. For "nan" and for values that are too large, the result is not finite.
std::optional<float> weight_of(std::string_view token);

/// Returns a description of the fault of a weight, or nullptr if it is finite and ≥ `least`.
const char* weight_fault(float weight, float least);

/// Returns whether the word consists of digits, a comma and digits, such as "4,5".
bool has_decimal_comma(std::string_view token);

/// Returns the word if it is a valid ID; otherwise throws FormatError with the line. O(1) for integers.
std::string_view clean_id(const Lines& lines, std::string_view token);

/// Returns the weight that the word denotes. Throws FormatError with the line if it is no weight ≥ `least`.
float parse_weight(const Lines& lines, std::string_view token, float least);

/// Returns the time that the word denotes: an integer, or an ISO 8601 date with or without the time of day
/// ("2015-03-01", "2015-03-01T12:30:05Z"; no other time zone than Z), which is converted to seconds since
/// 1970. Throws FormatError with the line if the word is neither.
std::int64_t parse_time(const Lines& lines, std::string_view token);

/// Returns the count that the word denotes. Throws FormatError with the line if it is no count; `name` is its
/// name in the message.
EdgeId parse_count(const Lines& lines, std::string_view token, const char* name);

/// Returns the index of a vertex whose number in the file counts from 1 and must be at most `size`. Throws
/// FormatError with the line if it is out of range.
VertexId parse_declared(const Lines& lines, std::string_view token, VertexId size, const char* name);

/// Returns the number of vertices of one side that the word denotes. Throws FormatError like parse_count(),
/// or if the number is too large.
VertexId parse_size(const Lines& lines, std::string_view token, const char* name);

}  // namespace lockstep::readers
