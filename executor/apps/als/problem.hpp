// What implicit ALS solves: the training edges by row and by column, and what a vector costs.
#pragma once

#include <vector>

#include "apps/sgd/split.hpp"

namespace lockstep::als {

struct Settings {
    std::uint32_t rank = 64;
    double unobserved = 0.05;  ///< weight of every pair, beside 1, or its weight, of an edge
    double regularisation = 0.005;
    double exponent = 1;  ///< of how often a vertex occurs, by which its regularisation grows
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
    EdgeId edges() const { return rows.ends.size(); }
};

/// Of the edges that are not held out. Regularised is a vector by (its edges' weights + unobserved x the vertices of the other
/// side)^exponent (Rendle, Krichene, Zhang and Koren, RecSys 2022). Throws Error (bad_input) where there are no edges,
/// or one of a weight that is not above 0. O(edges + rows + cols).
Problem make_problem(const Graph& graph, const std::vector<bool>& held_out, const Settings& settings);

}  // namespace lockstep::als
