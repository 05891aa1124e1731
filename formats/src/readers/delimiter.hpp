// Detection of the delimiter of a delimited text file from its first record.
#pragma once

#include <string>
#include <string_view>

#include "lines.hpp"

namespace lockstep::readers {

/// Returns the delimiter of the first record: tab, comma, semicolon or "::", or an empty string if fields are
/// separated by any number of blanks. If several of these occur, returns the one with the most fields,
/// provided that the others are certainly no delimiters. Otherwise throws FormatError with the number of this
/// line.
std::string delimiter_of(const Lines& lines, std::string_view record);

}  // namespace lockstep::readers
