// Parsing of words of text: IDs, weights, times and counts. The parse functions throw FormatError with the
// number of the line.
#pragma once

#include "lockstep/formats/numbers.hpp"
#include "tokenizer.hpp"

namespace lockstep::readers {

/// Returns the text with its ASCII letters in lower case.
std::string lower_case(std::string_view text);

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

/// Returns the coordinate that the word denotes. Throws FormatError with the line unless it is finite in
/// single precision.
float parse_coordinate(const Lines& lines, std::string_view token);

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
