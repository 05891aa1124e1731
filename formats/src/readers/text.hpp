// Fields and numbers of a line of text.
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "lines.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep::readers {

/// A text as it may be shown, always valid UTF-8: what is no text or might act on a terminal is escaped.
std::string printable(std::string_view text);

/// ASCII letters in lower case.
std::string lower_case(std::string_view text);

/// Takes the next token off the front of a line; empty at its end.
inline std::string_view next_token(std::string_view& line) {
    std::size_t begin = 0;
    while (begin < line.size() && is_blank(line[begin])) ++begin;
    std::size_t end = begin;
    while (end < line.size() && !is_blank(line[end])) ++end;
    const std::string_view token = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return token;
}

/// The fields of one line; `count` goes on past the capacity, so that a line with too many is noticed.
struct Fields {
    std::array<std::string_view, 32> at;
    std::size_t count = 0;
    bool quoted = false;    ///< of a line with quotes: a field may hold what else would be told from a name
    std::string unescaped;  ///< quoted fields whose text is not as it stands in the line
    void push(std::string_view field) {
        if (count < at.size()) at[count] = field;
        ++count;
    }
    bool overflow() const { return count > at.size(); }
};

/// Splits at runs of blanks.
inline void split_blanks(std::string_view line, Fields& fields) {
    fields.count = 0;
    for (auto token = next_token(line); !token.empty(); token = next_token(line)) fields.push(token);
}

/// Splits at every `delimiter` (one byte or more); fields are trimmed of blanks and may be empty.
inline void split_at(std::string_view line, std::string_view delimiter, Fields& fields) {
    fields.count = 0;
    for (std::size_t at; (at = line.find(delimiter)) != std::string_view::npos;) {
        fields.push(trimmed(line.substr(0, at)));
        line.remove_prefix(at + delimiter.size());
    }
    fields.push(trimmed(line));
}

/// The whole token as a number of type T, or nothing.
template <class T>
std::optional<T> number(std::string_view token) {
    T value{};
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), value);
    if (error != std::errc() || end != token.data() + token.size()) return std::nullopt;
    return value;
}

/// The token as a finite weight; nothing when it is no number at all (a fraction too small for a
/// float is 0; "nan" and numbers beyond a float come back as not finite).
std::optional<float> weight_of(std::string_view token);

/// What is wrong with a weight, which shall not be below `least`, or nullptr.
const char* weight_fault(float weight, float least);

/// "4,5": digits, a comma, digits.
bool has_decimal_comma(std::string_view token);

/// The token as an id that may be kept and shown; fails at the line otherwise. Of integers O(1).
std::string_view clean_id(const Lines& lines, std::string_view token);

/// The token as a weight; fails at the line otherwise.
float parse_weight(const Lines& lines, std::string_view token, float least);

/// The token as a time: a whole number, or an ISO 8601 date with or without the time of day ("2015-03-01",
/// "2015-03-01T12:30:05Z"; without an offset other than Z), in seconds since 1970; fails at the line
/// otherwise.
std::int64_t parse_time(const Lines& lines, std::string_view token);

/// The token as a count of the given name; fails at the line otherwise.
EdgeId parse_count(const Lines& lines, std::string_view token, const char* name);

/// The vertex of a 1-based id that a format declares to be in 1 … size; fails at the line otherwise.
VertexId parse_declared(const Lines& lines, std::string_view token, VertexId size, const char* name);

/// parse_count for a number of vertices of one side.
VertexId parse_size(const Lines& lines, std::string_view token, const char* name);

}  // namespace lockstep::readers
