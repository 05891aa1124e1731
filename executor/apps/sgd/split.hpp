// Splits the edges of a graph into training edges and test edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "apps/frame/part.hpp"

namespace lockstep::sgd {

struct Split {
    std::vector<bool> held_out;  ///< mask of the edges that are not used for training; empty if all edges are
    std::vector<Triple> test;    ///< test edges, whose endpoints are vertices of the graph
    /// Mask of the held-out edges in GraphPart::rows, from which the test edges are taken if several
    /// processes share a run.
    std::vector<bool> held_rows{};
};

/// Returns the split whose test edges are exactly the held-out edges.
Split split_at(const Graph& graph, std::vector<bool> held_out);
/// Returns a split that holds out each edge with probability `fraction`, by Philox of (seed, ID of the edge).
Split split_by_seed(const Graph& graph, double fraction, std::uint64_t seed);
/// Returns the split for the share of one process. The held-out edges are the same as in a run of one
/// process.
Split split_by_seed(const GraphPart& part, double fraction, std::uint64_t seed);
/// Returns a split that holds out the latest edges by time: `fraction` of all edges, rounded to a whole
/// number. Of edges with equal times, the last ones in the input are held out. O(edges).
Split split_latest(const Graph& graph, std::span<const std::int64_t> times, double fraction);
/// Returns the split for one fold of a cross-validation. The edges that `before` does not hold out are
/// divided into `folds` folds, by Philox of (seed, ID of the edge), and the test edges are those of fold
/// `fold`. Edges that `before` holds out are neither training nor test edges.
Split split_fold(const Graph& graph, const std::vector<bool>& before, std::uint32_t fold, std::uint32_t folds,
                 std::uint64_t seed);

}  // namespace lockstep::sgd
