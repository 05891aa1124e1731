// Detection of the delimiter of delimited text by content.
#pragma once

#include <string>
#include <string_view>

#include "lines.hpp"

namespace lockstep::readers {

/// Returns the delimiter of the first record: tab, comma, semicolon or "::"; empty for runs of blanks. If
/// several occur, returns the one that gives the most fields, provided that the others cannot be the
/// delimiter; otherwise fails at this line.
std::string delimiter_of(const Lines& lines, std::string_view record);

}  // namespace lockstep::readers
