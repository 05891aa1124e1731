// Breadth-first search from a source vertex: the operator on one arc, a serial reference, and the
// verification of levels. The level of a vertex is the minimum number of arcs on a path from the source to
// the vertex.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::bfs {

inline constexpr std::uint32_t unreached = ~std::uint32_t{0};

struct Levels {
    using Value = std::uint32_t;
    static constexpr bool weighted = false, by_rounds = true, by_priority = false;
    static constexpr Value most = std::numeric_limits<Value>::max() - 1;
    LOCKSTEP_HD static constexpr Value none() { return most + 1; }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    /// Returns the level that the head of an arc has if the arc's tail has the level `level`. The addition
    /// cannot overflow, since all levels are smaller than the number of vertices.
    LOCKSTEP_HD static Value offer(Value level, float) { return level + 1; }
    LOCKSTEP_HD static bool can_improve(Value level) { return level == none(); }
};

/// Returns the levels of all vertices, computed with a queue. O(arcs), serial.
std::vector<std::uint32_t> compute_reference(const Graph& graph, VertexId source);

/// Verifies the levels of a search from `source`. Returns a description of the first error, or an empty
/// string. The levels are right if the source alone has level 0, no arc leads to a vertex more than one level
/// farther from the source, and every other reached vertex has an in-neighbour that is one level closer to
/// the source. O(arcs).
std::string find_problem(const Graph& graph, VertexId source, const std::vector<std::uint32_t>& levels);

/// Returns the parent of each vertex: among its in-neighbours that are one level closer to the source, the
/// one with the smallest index. The source is its own parent. O(arcs), all threads.
std::vector<VertexId> find_smallest_parents(const Graph& graph, VertexId source,
                                            const std::vector<std::uint32_t>& levels);

}  // namespace lockstep::bfs
