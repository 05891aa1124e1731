// The integer types of vertices and edges, and the kinds of endpoints. This header includes only <cstdint>,
// because every translation unit with a user's update includes it.
#pragma once

#include <cstdint>

namespace lockstep {

/// The ID of a row (user) or a column (item). A graph has fewer than 2^32 - 1 vertices per side.
using VertexId = std::uint32_t;
/// The ID of an edge, its index in an array of edges, or a number of edges. It has 64 bits, since a graph may
/// have more than 2^32 edges.
using EdgeId = std::uint64_t;

/// The kinds of endpoints. sides: a vertex has one state as row and another one as column. vertices: a vertex
/// has a single state, used in both positions.
enum class Ends { sides, vertices };

}  // namespace lockstep
