// Fits the biases of a biased model: the mean weight of all edges, and for each row and column the amount by
// which the weights of its edges exceed the mean.
#pragma once

#include <memory>
#include <vector>

#include "apps/sgd/backend.hpp"
#include "apps/sgd/edge_lists.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep::sgd {

struct BiasFit {
    Biases biases;
    double spread = 0;     ///< standard deviation of the training weights minus mean and biases
    double deviation = 0;  ///< standard deviation of the training weights
};

/// Fits the model r = mean + row[u] + col[v] + noise to the weights of the edges that are not held out. The
/// biases of rows and of columns are fitted alternately, at most ten times each, until the residuals hardly
/// decrease. The regularisation of each side follows from the estimated variance of its biases (random
/// effects, by expectation maximisation; Searle, Casella and McCulloch, Variance Components, 1992), so it
/// needs no parameter. The result is bitwise identical for any number of threads.
class BiasFitter {
public:
    /// Makes the edge lists. `rows` contains all edges of some rows, and `cols` all edges of some columns:
    /// those of this process if there are several processes, otherwise all. If `held_out` is empty, no edge
    /// is held out. The members of `rows` must outlive the fitter. O(edges); 8 bytes per edge, and 8 more if
    /// edges are held out.
    BiasFitter(const SomeEdges& rows, const SomeEdges& cols);

    ~BiasFitter();

    /// Fits the biases to the weights. After a call of fit(factors, rank), fits them to the residuals of
    /// these factors instead. O(edges) per turn.
    BiasFit fit();
    /// Fits the biases to the residuals of these factors (weights minus products of the factors). Replaces
    /// the residuals of earlier calls. The first call allocates 8 bytes per edge.
    BiasFit fit(const FactorsView& factors, std::uint32_t rank);

private:
    class Side;
    EdgeLists row_edges_, col_edges_;
    std::unique_ptr<Side> row_, col_;
};

/// Fits the biases of a graph once, with a temporary BiasFitter.
BiasFit fit_biases(const Graph& graph, const std::vector<bool>& held_out);

/// Collects the columns of this process from all processes: returns all edges of an equal share of the
/// columns, in the order of the whole graph. `rows` contains the edges of this process by row; the rows are
/// distributed in the order of the processes. All processes must call this function. 12 bytes per edge.
Graph all_of_some_columns(const SomeEdges& rows);

}  // namespace lockstep::sgd
