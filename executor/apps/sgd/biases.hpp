// The part of a biased model that needs no factors: the mean weight, and the bias of each row and column, by
// which its weights are above the mean.
#pragma once

#include <memory>
#include <vector>

#include "apps/sgd/backend.hpp"
#include "apps/sgd/edge_lists.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::sgd {

struct BiasFit {
    Biases biases;
    double spread = 0;     ///< standard deviation of the residuals of the training weights
    double deviation = 0;  ///< standard deviation of the training weights
};

/// Fits r = mean + row[u] + col[v] + noise to the edges that are not held out (to all edges if `held_out` is
/// empty). The two sides are fitted in turn, at most ten times each, until a turn hardly reduces the
/// residuals. Each side is regularised by the variance of its own biases (random effects, by expectation
/// maximisation; Searle, Casella and McCulloch, Variance Components, 1992), so that no parameter has to be
/// chosen. The result is bitwise identical for any number of threads.
class BiasFitter {
public:
    /// Makes the edge lists. `rows` contains all edges of some rows, and `cols` all edges of some columns:
    /// those of this process, if there are several. The members of `rows` must outlive the fitter. O(edges);
    /// 8 bytes per edge, and 8 more if edges are held out.
    BiasFitter(const SomeEdges& rows, const SomeEdges& cols);

    ~BiasFitter();

    /// Fits the biases to the weights, or to the residuals of the last factors that were passed. O(edges) per
    /// turn.
    BiasFit fit();
    /// Fits the biases to the residuals of these factors; factors that were passed before do not affect the
    /// result. The first call allocates 8 bytes per edge.
    BiasFit fit(const FactorsView& factors, std::uint32_t rank);

private:
    class Side;
    EdgeLists row_edges_, col_edges_;
    std::unique_ptr<Side> row_, col_;
};

/// Fits the biases once, with a temporary BiasFitter.
BiasFit fit_biases(const Graph& graph, const std::vector<bool>& held_out);

/// Returns all edges of this process's share of the columns, in the order of the whole graph. `rows` contains
/// the edges of this process by row, the earlier rows in the earlier processes. Called by all processes; 12
/// bytes per edge.
Graph all_of_some_columns(const SomeEdges& rows);

}  // namespace lockstep::sgd
