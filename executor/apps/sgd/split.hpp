// Which edges are trained on, and on which the test error is measured.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/frame/part.hpp"

namespace lockstep::sgd {

struct Split {
    std::vector<bool> held_out;     ///< by edge: not trained on; empty: none is
    std::vector<Triple> test;       ///< in the vertices of the graph
    std::vector<bool> held_rows{};  ///< of several processes: as held_out, of the edges of GraphPart::rows,
                                    ///< of which `test` is then
};

/// The edges that are marked are the test edges.
Split split_at(const Graph& graph, std::vector<bool> held_out);
/// Each edge with probability `fraction`, by Philox of (seed, edge).
Split split_by_seed(const Graph& graph, double fraction, std::uint64_t seed);
/// The same of a process's part of the graph.
Split split_by_seed(const GraphPart& part, double fraction, std::uint64_t seed);
/// The latest `fraction` of the edges, rounded; of those of one time the last of the input. O(edges).
Split split_latest(const Graph& graph, std::span<const std::int64_t> times, double fraction);
/// Fold `fold` of `folds` of the edges that `before` does not hold out is tested, and neither trained on;
/// each such edge is in one fold, by Philox of (seed, edge).
Split split_fold(const Graph& graph, const std::vector<bool>& before, std::uint32_t fold, std::uint32_t folds,
                 std::uint64_t seed);

}  // namespace lockstep::sgd
