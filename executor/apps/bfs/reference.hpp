// Breadth-first search by other means: a serial reference, and the proof of levels. They share no code with
// the operator and whoever runs it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::bfs {

inline constexpr std::uint32_t unreached = ~std::uint32_t{0};

/// Levels from a queue. O(arcs), serial.
std::vector<std::uint32_t> reference_levels(const Graph& graph, VertexId source);

/// Why these are not the levels from `source`; empty: no arc leads down by more than one level, the source
/// alone is on level 0, and every other vertex reached has a neighbour one level up that leads to it.
/// O(arcs).
std::string problem_of_levels(const Graph& graph, VertexId source, const std::vector<std::uint32_t>& levels);

/// The smallest in-neighbour one level up of every vertex; the source's is itself. O(arcs), all threads.
std::vector<VertexId> smallest_parents(const Graph& graph, VertexId source,
                                       const std::vector<std::uint32_t>& levels);

}  // namespace lockstep::bfs
