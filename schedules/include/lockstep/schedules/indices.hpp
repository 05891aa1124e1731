// The integer types of vertices and edges, and the kinds of endpoints. It includes nothing but <cstdint>,
// since every update that a user compiles includes it.
#pragma once

#include <cstdint>

namespace lockstep {

/// A row (user) or column (item) of the graph; graphs have fewer than 2^32 - 1 vertices a side.
using VertexId = std::uint32_t;
/// A position in an edge list, or a count of edges. Always 64-bit: graphs outgrow 2^32 edges.
using EdgeId = std::uint64_t;

/// The owner of the state of an endpoint: a row or a column (sides), or a vertex, whichever endpoint it is.
enum class Ends { sides, vertices };

}  // namespace lockstep
