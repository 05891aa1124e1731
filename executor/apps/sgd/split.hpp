// The split of the edges into those that are trained on and those that measure the test error.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/frame/part.hpp"

namespace lockstep::sgd {

struct Split {
    std::vector<bool> held_out;  ///< mask of the edges that are not trained on; empty: no edge is held out
    std::vector<Triple> test;    ///< test edges, whose endpoints are vertices of the graph
    /// In a run of several processes: mask of the held-out edges of GraphPart::rows, which are the test edges
    /// then.
    std::vector<bool> held_rows{};
};

/// Returns the split whose test edges are the held-out edges.
Split split_at(const Graph& graph, std::vector<bool> held_out);
/// Holds out each edge with probability `fraction`, by Philox of (seed, edge).
Split split_by_seed(const Graph& graph, double fraction, std::uint64_t seed);
/// Holds out edges of a process's part of the graph, the same ones as for the whole graph.
Split split_by_seed(const GraphPart& part, double fraction, std::uint64_t seed);
/// Holds out the latest `fraction` of the edges, rounded to whole edges; among edges of the same time, the
/// last ones of the input. O(edges).
Split split_latest(const Graph& graph, std::span<const std::int64_t> times, double fraction);
/// Divides the edges that `before` does not hold out into `folds` folds, by Philox of (seed, edge). The edges
/// of fold `fold` are the test edges. Edges that `before` holds out are neither tested nor trained on.
Split split_fold(const Graph& graph, const std::vector<bool>& before, std::uint32_t fold, std::uint32_t folds,
                 std::uint64_t seed);

}  // namespace lockstep::sgd
