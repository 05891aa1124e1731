// The part of a biased model that needs no factors: the mean, and by how much each row and column is above
// it.
#pragma once

#include <vector>

#include "apps/sgd/backend.hpp"
#include "apps/sgd/edge_lists.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::sgd {

struct BiasFit {
    Biases biases;
    double spread = 0;     ///< standard deviation of what they leave of the training weights
    double deviation = 0;  ///< of the training weights
};

/// Fits r = mean + row[u] + col[v] + noise to the edges that are not held out (empty: to all), by turns of
/// the two sides. Each side is regularised by what its own biases vary (random effects, by expectation
/// maximisation; Searle, Casella and McCulloch, Variance Components, 1992), so that nothing has to be chosen.
/// With `factors`, of this rank, it is to what these leave of the weights.
/// The same bits for any number of threads. O(edges) a turn; 8 bytes an edge, 8 more where edges are
/// held out, 4 more with factors.
BiasFit fit_biases(const Graph& graph, const std::vector<bool>& held_out);

/// The same by several processes: `rows` are all edges of some rows, `cols` all of some columns.
BiasFit fit_biases(const SomeEdges& rows, const SomeEdges& cols, const Factors* factors = nullptr,
                   std::uint32_t rank = 0);
/// Of the edges that each of them has by rows, the earlier rows first, all those of this one's columns in the
/// order of the whole graph. Called by all; 12 bytes an edge.
Graph all_of_some_columns(const SomeEdges& rows);

}  // namespace lockstep::sgd
