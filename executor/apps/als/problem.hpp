// What implicit ALS solves: the training edges by row and by column, and what a vector costs.
#pragma once

#include <vector>

#include "apps/sgd/split.hpp"

namespace lockstep::als {

/// In units that fit every graph: the same for few edges and many, and for weights of 1 and of 1,000.
struct Settings {
    std::uint32_t rank = 64;
    double unobserved =
        10;  ///< what all pairs of a row and a column weigh together, as a multiple of what the edges do
    double regularisation = 3;  ///< of a vertex with the mean sum of weights, in mean weights of an edge
    double exponent = 1;        ///< of how much a vertex's edges weigh, by which its regularisation grows
    /// Components of a vector that are solved for at once, a multiple of 16; 0: all up to rank 128, else 64.
    std::uint32_t at_once = 0;
    /// How many at a time; 0: all.
    int block() const {
        const std::uint32_t most = at_once ? at_once : rank > 128 ? 64 : rank;
        return rank > most ? static_cast<int>(most) : 0;
    }
};

/// The edges of one side's vertices, and how the vertices are gone through.
struct Side {
    std::vector<EdgeId> first{0};       ///< vertices + 1
    Array<VertexId> ends;               ///< of the other side, ascending for each vertex
    Array<float> weights;               ///< empty: all 1
    std::vector<float> regularisation;  ///< by vertex
    std::vector<VertexId> order;        ///< vertices with edges, those with the most first

    VertexId size() const { return static_cast<VertexId>(first.size() - 1); }
    EdgeId degree(VertexId v) const { return first[v + std::size_t{1}] - first[v]; }
};

struct Problem {
    Settings settings;
    Side rows, cols;
    double weight = 0;  ///< of all edges
    float pair_weight = 0;
    EdgeId edges() const { return rows.ends.size(); }
};

/// Makes the problem of the edges that are not held out. A vertex whose edges weigh s, beside a mean of m, is
/// regularised by regularisation ((s / m + unobserved) / (1 + unobserved))^exponent, times an edge's mean
/// weight: with exponent 1 that of Rendle, Krichene, Zhang and Koren, RecSys 2022. Throws ScheduleError on a
/// graph of one set of vertices, Error (bad_input) if there are no edges, one of a weight that is not
/// above 0, or weights whose sum is above 1e35. O(edges + rows + cols).
Problem make_problem(const Graph& graph, const std::vector<bool>& held_out, const Settings& settings);

}  // namespace lockstep::als
