// The delimiter of delimited text, by content.
#pragma once

#include <string>
#include <string_view>

#include "lines.hpp"

namespace lockstep::readers {

/// The delimiter that the first record shows: tab, comma, semicolon or "::"; empty for runs of blanks. Of
/// several that occur, the one that makes the most fields where the others cannot be meant; fails at the line
/// where they can.
std::string delimiter_of(const Lines& lines, std::string_view record);

}  // namespace lockstep::readers
