// A serial reference of breadth-first search, and the verification of levels. They share no code with the
// operator and the walks that run it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bfs {

inline constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// Returns the levels, found with a queue. O(arcs), serial.
std::vector<std::uint32_t> reference_levels(const Graph& graph, VertexId source);

/// Returns the reason why these are not the levels from `source`; an empty string if they are: no arc goes to
/// a vertex more than one level farther from the source, the source alone is on level 0, and each other
/// vertex that is reached has an in-neighbour one level closer to the source. O(arcs).
std::string problem_of_levels(const Graph& graph, VertexId source, const std::vector<std::uint32_t>& levels);

/// Returns the smallest in-neighbour of each vertex that is one level closer to the source; the parent of the
/// source is itself. O(arcs), all threads.
std::vector<VertexId> smallest_parents(const Graph& graph, VertexId source,
                                       const std::vector<std::uint32_t>& levels);

}  // namespace lockstep::bfs
