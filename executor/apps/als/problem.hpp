// The problem that implicit ALS solves: the training edges by row and by column, and the regularisation of
// each vector.
#pragma once

#include <vector>

#include "apps/sgd/split.hpp"

namespace lockstep::als {

/// Parameters of the objective. Their units do not depend on the number of edges or the scale of the weights,
/// so the same values suit every graph.
struct Settings {
    std::uint32_t rank = 64;
    /// Total weight of all pairs of a row and a column, relative to the total weight of the edges.
    double unobserved = 10;
    /// Regularisation of an average vertex, that is, one whose edges have the mean total weight. The unit is
    /// the mean weight of an edge.
    double regularisation = 3;
    /// The regularisation of a vertex is proportional to this power of the total weight of its edges.
    double exponent = 1;
    /// Number of components of a vector that are solved for together, a multiple of 16. 0: all components up
    /// to rank 128, otherwise 64.
    std::uint32_t at_once = 0;
    /// Returns the number of components per block; 0 if all components are solved for together.
    int block() const {
        const std::uint32_t most = at_once ? at_once : rank > 128 ? 64 : rank;
        return rank > most ? static_cast<int>(most) : 0;
    }
};

/// The training edges as lists by vertex of one side (rows or columns), and the order in which these vertices
/// are processed.
struct Side {
    std::vector<EdgeId> first{0};  ///< offset of each vertex's list in `ends`; one more entry than vertices
    Array<VertexId> ends;          ///< endpoints on the other side, ascending for each vertex
    Array<float> weights;          ///< weights of the edges; empty: all are 1
    std::vector<float> regularisation;  ///< regularisation of each vertex
    std::vector<VertexId> order;        ///< vertices with at least one edge, by descending number of edges

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

/// Makes the problem of the edges that are not held out. A vertex whose edges have the total weight s is
/// regularised by regularisation ((s / m + unobserved) / (1 + unobserved))^exponent times the mean weight of
/// an edge, where m is the mean of s over the vertices of its side. With exponent 1, this is the
/// regularisation of Rendle, Krichene, Zhang and Koren (RecSys 2022). Throws ScheduleError if both endpoints
/// are of one set of vertices, and Error (bad_input) if there are no edges, if a weight is not above 0, or if
/// the sum of the weights is above 1e35. O(edges + rows + cols).
Problem make_problem(const Graph& graph, const std::vector<bool>& held_out, const Settings& settings);

}  // namespace lockstep::als
