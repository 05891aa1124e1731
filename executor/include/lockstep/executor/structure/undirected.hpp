// Undirected: the input of all algorithms of this family, an undirected graph without loops and repeated
// edges, because their results do not depend on them nor on the direction of arcs.
//
// The family consists of connected components, k-cores, maximal independent sets, spanning forests and
// triangles. Each algorithm uses primitives of its own (union-find, peeling, passes without barriers,
// Borůvka's rounds) instead of rounds from a source, so the family is separate from frontier/. NAME.hpp
// specifies the result, src/structure/NAME.cpp has the CPU code, and NAME.cu and NAME.cuh have the GPU code.
#pragma once

#include <functional>
#include <span>

#include "lockstep/executor/csr/csr.hpp"
#include "lockstep/executor/run.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/walk_variants.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::structure {

inline constexpr Walk as_given{.name = "structure", .family = Family::structure};
inline constexpr Walk hub_first{
    .name = "structure-hubs", .family = Family::structure, .form = forms::adjacency, .bound = "memory"};

/// Every vertex with its neighbours in ascending order, each once and without the vertex itself. An edge is
/// in the lists of both endpoints. All functions of this family identify a vertex by its position.
/// There are two arcs per edge; the weight of an edge is the minimum over its repetitions.
struct Undirected : Csr {
    VertexId vertices = 0;
    EdgeId largest = 0;           ///< maximum degree of a vertex
    std::vector<VertexId> order;  ///< vertex of the graph at each position; empty: both are the same

    VertexId vertex(VertexId p) const { return order.empty() ? p : order[p]; }
    EdgeId bytes() const { return Csr::bytes() + 4 * order.size(); }
};

/// Builds the graph. `order` contains the vertex at each position; if it is empty, positions equal vertices.
/// Throws ScheduleError if the graph is not square. Uses all threads. O(arcs log(maximum degree))
Undirected make_undirected(const Graph& graph, bool weights, std::span<const VertexId> order = {});

/// The result of one run of an algorithm.
struct Solution {
    std::vector<std::uint32_t> values;
    double seconds = 0;        ///< time from the graph in memory to the values in memory, in seconds
    double preparation = 0;    ///< part of `seconds` in which the algorithm prepares the graph
    std::uint64_t rounds = 0;  ///< number of rounds of the algorithm
};

/// A function that runs one algorithm on one graph.
using Runner = Run<Solution()>;

}  // namespace lockstep::structure
