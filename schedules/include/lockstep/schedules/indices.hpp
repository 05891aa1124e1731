// The integer types of vertices and edges, and the kinds of endpoints. This header includes only <cstdint>,
// because every update that a user compiles includes it.
#pragma once

#include <cstdint>

namespace lockstep {

/// The ID of a row (user) or a column (item). A graph has fewer than 2^32 - 1 vertices per side.
using VertexId = std::uint32_t;
/// A position in an edge list, or a number of edges. Always 64-bit, since a graph may have more than 2^32
/// edges.
using EdgeId = std::uint64_t;

/// The owner of the state of an endpoint. sides: a vertex has one state as row and one as column. vertices: a
/// vertex has one state, whichever endpoint it is.
enum class Ends { sides, vertices };

}  // namespace lockstep
