// The problem that implicit ALS solves: the training edges by row and by column, and the regularisation of
// each vector.
#pragma once

#include <vector>

#include "apps/sgd/split.hpp"

namespace lockstep::als {

/// Parameters in units that are the same for every graph: for few edges and many, and for weights of 1 and of
/// 1,000.
struct Settings {
    std::uint32_t rank = 64;
    double unobserved =
        10;  ///< total weight of all pairs of a row and a column, relative to the total weight of the edges
    /// Regularisation of a vertex with the mean sum of weights, in mean weights of an edge.
    double regularisation = 3;
    /// Exponent: the regularisation of a vertex grows with this power of the total weight of its edges.
    double exponent = 1;
    /// Number of components of a vector that are solved for together, a multiple of 16; 0: all up to rank
    /// 128, otherwise 64.
    std::uint32_t at_once = 0;
    /// Returns the number of components per block; 0: all are solved for together.
    int block() const {
        const std::uint32_t most = at_once ? at_once : rank > 128 ? 64 : rank;
        return rank > most ? static_cast<int>(most) : 0;
    }
};

/// The edges of one side's vertices, and the order in which the vertices are processed.
struct Side {
    std::vector<EdgeId> first{0};       ///< offsets into `ends`, vertices + 1
    Array<VertexId> ends;               ///< endpoints on the other side, ascending for each vertex
    Array<float> weights;               ///< weights of the edges; empty: all are 1
    std::vector<float> regularisation;  ///< regularisation by vertex
    std::vector<VertexId> order;        ///< vertices with edges, by descending number of edges

    VertexId size() const { return static_cast<VertexId>(first.size() - 1); }
    EdgeId degree(VertexId v) const { return first[v + std::size_t{1}] - first[v]; }
};

struct Problem {
    Settings settings;
    Side rows, cols;
    double weight = 0;  ///< total weight of the edges
    float pair_weight = 0;
    EdgeId edges() const { return rows.ends.size(); }
};

/// Makes the problem of the edges that are not held out. A vertex whose edges have the total weight s, where
/// the mean is m, is regularised by regularisation ((s / m + unobserved) / (1 + unobserved))^exponent times
/// the mean weight of an edge. With exponent 1, this is the regularisation of Rendle, Krichene, Zhang and
/// Koren, RecSys 2022. Throws ScheduleError on a graph of one set of vertices, Error (bad_input) if there are
/// no edges, if a weight is not above 0, or if the sum of the weights is above 1e35. O(edges + rows + cols).
Problem make_problem(const Graph& graph, const std::vector<bool>& held_out, const Settings& settings);

}  // namespace lockstep::als
