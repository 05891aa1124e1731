// Output of vertex IDs as fields of a text file, quoted such that every reader of edge lists restores them
// unchanged.
#pragma once

#include <string>
#include <string_view>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// Returns the character that separates fields in a file with these IDs: a blank, or a tab if an ID contains
/// a blank.
char field_separator(const IdMap& first, const IdMap& second);

/// Returns the ID as a field of a line. It is quoted as in RFC 4180 if a reader would otherwise misinterpret
/// the line: if the ID begins like a comment, a quoted field or another file format, contains a possible
/// delimiter, or looks like an arrow.
std::string id_field(std::string_view id);

}  // namespace lockstep
