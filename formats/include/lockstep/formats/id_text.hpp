// Ids as fields of a text output, written so that every reader of edge lists restores them unchanged.
#pragma once

#include <string>
#include <string_view>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// Returns the separator for the fields of lines with these ids: a blank, or a tab if an id contains a blank.
char field_separator(const IdMap& first, const IdMap& second);

/// Returns the id as a field, quoted as in RFC 4180 if a reader would misinterpret it. That is the case if it
/// starts like a comment, a quoted field or a file of another kind, contains a possible delimiter, or looks
/// like an arrow.
std::string id_field(std::string_view id);

}  // namespace lockstep
