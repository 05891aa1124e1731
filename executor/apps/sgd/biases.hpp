// The part of a biased model that needs no factors: the mean, and by how much each row and column is above
// it.
#pragma once

#include <memory>
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
/// the two sides, ten at most, until one brings next to nothing. Each side is regularised by what its own biases
/// vary (random effects, by expectation maximisation; Searle, Casella and McCulloch, Variance Components, 1992),
/// so that nothing has to be chosen. The same bits for any number of threads.
class BiasFitter {
public:
    /// `rows` are all edges of some rows, `cols` all of some columns: of several processes each has its own. What
    /// `rows` names must outlive it. O(edges); 8 bytes an edge, 8 more where edges are held out.
    BiasFitter(const SomeEdges& rows, const SomeEdges& cols);

    ~BiasFitter();

    BiasFit fit();  ///< O(edges) a turn
    /// To what these factors leave of the weights, whatever others left before: 8 bytes an edge more from now on.
    BiasFit fit(const FactorsView& factors, std::uint32_t rank);

private:
    class Side;
    EdgeLists row_edges_, col_edges_;
    std::unique_ptr<Side> row_, col_;
};

/// The same, once.
BiasFit fit_biases(const Graph& graph, const std::vector<bool>& held_out);

/// Of the edges that each of them has by rows, the earlier rows first, all those of this one's columns in the
/// order of the whole graph. Called by all; 12 bytes an edge.
Graph all_of_some_columns(const SomeEdges& rows);

}  // namespace lockstep::sgd
