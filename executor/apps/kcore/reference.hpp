// A serial reference of core numbers, and their verification. They share no code with the walks that find
// cores. Neighbours are distinct vertices, regardless of the direction of arcs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::kcore {

/// Returns the core numbers, found with vertices in buckets of their degrees (Batagelj and Zaversnik, 2003).
/// With `k`, returns 1 for vertices in the k-core, 0 for the others. Serial, O(arcs log(largest degree)).
std::vector<std::uint32_t> reference_cores(const Graph& graph, std::optional<std::uint32_t> k);

/// Returns the reason why these are not the core numbers; an empty string if they are. No number is too high
/// if each vertex has at least that many neighbours of the same or a higher number. No number is too low if
/// the vertices can be removed in the order of their numbers so that each has at most that many neighbours
/// left. With `k`, the same is checked for the vertices inside and outside of the core. Serial, O(arcs
/// log(largest degree)).
std::string problem_of_cores(const Graph& graph, std::optional<std::uint32_t> k,
                             const std::vector<std::uint32_t>& cores);

}  // namespace lockstep::kcore
