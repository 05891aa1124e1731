// Matching and merging of the vertex IDs of two files.
#pragma once

#include <optional>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// Returns, for each vertex of `from`, the vertex of `to` with the same original ID, if there is one. O(n log
/// n).
std::vector<std::optional<VertexId>> match_ids(const IdMap& from, const IdMap& to);

/// Returns a map with the IDs of both maps, sorted and without duplicates. O(n log n).
IdMap merge_ids(const IdMap& one, const IdMap& other);

}  // namespace lockstep
