// Core numbers by other means: a serial reference, and the proof. They share no code with what finds them
// elsewhere. Neighbours are distinct vertices, whichever way the arcs go.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::kcore {

/// By vertices in buckets of their degrees (Batagelj and Zaversnik, 2003). With `k`: 1 in the k-core, 0
/// outside. Serial, O(arcs log(largest degree)).
std::vector<std::uint32_t> reference_cores(const Graph& graph, std::optional<std::uint32_t> k);

/// Why these are not the core numbers; empty: every vertex has as many neighbours of its number or a higher
/// one as its number says, so that none is too high; and the vertices can be taken away in the order of their
/// numbers so that each has no more neighbours left than its number, so that none is too low. With `k` the
/// same of those inside and outside. Serial, O(arcs log(largest degree)).
std::string problem_of_cores(const Graph& graph, std::optional<std::uint32_t> k,
                             const std::vector<std::uint32_t>& cores);

}  // namespace lockstep::kcore
