// Ids as the fields of a text output, which every reader of edge lists gives back as they were.
#pragma once

#include <string>
#include <string_view>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// What stands between the fields of lines with these ids: a blank, or a tab where an id holds a blank.
char field_separator(const IdMap& first, const IdMap& second);

/// The id, in quotes as in RFC 4180 where a reader would take it for something else: what begins like a
/// comment, a quoted field or a file of another kind, holds what may be a delimiter, or looks like an arrow.
std::string id_field(std::string_view id);

}  // namespace lockstep
