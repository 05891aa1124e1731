// Breadth-first search: the operator on one arc, the serial reference, and the check of levels. The level of
// a vertex is the minimum number of arcs from the source.
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
    /// Returns the level that an arc offers its head. It cannot overflow, since a level is below the number
    /// of vertices.
    LOCKSTEP_HD static Value offer(Value level, float) { return level + 1; }
    LOCKSTEP_HD static bool wants(Value level) { return level == none(); }
};

/// Returns the levels, found with a queue. O(arcs), serial.
std::vector<std::uint32_t> compute_reference(const Graph& graph, VertexId source);

/// Returns the reason why these are not the levels from `source`; an empty string if they are: no arc goes to
/// a vertex more than one level farther from the source, the source alone is on level 0, and each other
/// vertex that is reached has an in-neighbour one level closer to the source. O(arcs).
std::string find_problem(const Graph& graph, VertexId source, const std::vector<std::uint32_t>& levels);

/// Returns the smallest in-neighbour of each vertex that is one level closer to the source; the parent of the
/// source is itself. O(arcs), all threads.
std::vector<VertexId> find_smallest_parents(const Graph& graph, VertexId source,
                                            const std::vector<std::uint32_t>& levels);

}  // namespace lockstep::bfs
