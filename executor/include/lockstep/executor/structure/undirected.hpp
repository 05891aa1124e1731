// The graph as structure algorithms use it: as an undirected simple graph. Which vertices belong together
// does not depend on the direction of arcs, on loops or on repeated edges.
//
// This family finds components, cores, an independent set, a spanning forest and triangles. Each algorithm
// uses a few primitives of its own (union-find, peeling, passes without barriers, Borůvka's rounds) and not
// rounds from a source, so the family is separate from frontier/. NAME.hpp defines the result,
// src/structure/NAME.cpp has the CPU's algorithms, and NAME.cuh those of the GPU.
#pragma once

#include <functional>
#include <span>

#include "lockstep/executor/csr/csr.hpp"
#include "lockstep/executor/run.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/ways.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::structure {

inline constexpr Walk as_given{.name = "structure", .family = Family::structure};
inline constexpr Walk hub_first{
    .name = "structure-hubs", .family = Family::structure, .form = forms::adjacency, .bound = "memory"};

/// Every vertex with its neighbours in ascending order, each once, without the vertex itself. An edge is in
/// the lists of both endpoints. All functions of this family identify a vertex by its position.
struct Undirected : Csr {  ///< two arcs per edge; the weight is the minimum of parallel edges
    VertexId vertices = 0;
    EdgeId largest = 0;           ///< maximum degree
    std::vector<VertexId> order;  ///< vertex at each position; empty: the given order

    VertexId vertex(VertexId p) const { return order.empty() ? p : order[p]; }
    EdgeId bytes() const { return Csr::bytes() + 4 * order.size(); }
};

/// Builds the plan. Throws ScheduleError if the graph is not square. `order` has the vertex at each position;
/// if it is empty, the given order is used. O(arcs log(maximum degree)), on all threads.
Undirected make_undirected(const Graph& graph, bool weights, std::span<const VertexId> order = {});

/// The result of a run.
struct Solution {
    std::vector<std::uint32_t> values;
    double seconds = 0;        ///< time from the graph in memory to the values in memory
    double preparation = 0;    ///< part of `seconds` in which an algorithm prepares the graph
    std::uint64_t rounds = 0;  ///< rounds of the algorithm used
};

/// Solves the problem for one graph by one algorithm.
using Runner = Run<Solution()>;

}  // namespace lockstep::structure
