// The ids of two files beside each other: which vertex of one is which of the other.
#pragma once

#include <optional>
#include <vector>

#include "lockstep/formats/id_map.hpp"

namespace lockstep {

/// For each vertex of `from` that of `to` with the same original id, if there is one. O(n log n).
std::vector<std::optional<VertexId>> matched(const IdMap& from, const IdMap& to);

/// The ids of both, each once, sorted. O(n log n).
IdMap merged(const IdMap& one, const IdMap& other);

}  // namespace lockstep
