// The graph as questions of structure see it: which vertices belong together has nothing to do with the
// direction of an arc, with loops, or with how often an edge is there.
//
// This family finds components, cores, an independent set, a spanning forest: each by a small number of
// primitives of its own (union-find, peeling, passes without barriers, Borůvka's rounds), not by rounds from
// a source, so it stands beside frontier/. NAME.hpp says what is computed, src/structure/NAME.cpp has the
// CPU's ways, NAME.cuh the GPU's.
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

/// Every vertex with its neighbours, each once, ascending, itself not among them; both ends of an edge have
/// it. From here on a vertex is its position.
struct Undirected : Csr {  ///< two arcs an edge; weights: of the lightest of its own
    VertexId vertices = 0;
    EdgeId largest = 0;           ///< degree
    std::vector<VertexId> order;  ///< position -> vertex; empty: as given

    VertexId vertex(VertexId p) const { return order.empty() ? p : order[p]; }
    EdgeId bytes() const { return Csr::bytes() + 4 * order.size(); }
};

/// Throws ScheduleError where the graph is not square. `order`: positions to vertices; empty: as they are.
/// O(arcs log(largest degree)), on all threads.
Undirected make_undirected(const Graph& graph, bool weights, std::span<const VertexId> order = {});

/// What a run gives.
struct Solution {
    std::vector<std::uint32_t> values;
    double seconds = 0;        ///< from the graph in memory to the values there
    double preparation = 0;    ///< of these, where a way prepares the graph for itself
    std::uint64_t rounds = 0;  ///< of the way that was gone
};

/// Solves the graph in one way, which it was made for.
using Runner = Run<Solution()>;

}  // namespace lockstep::structure
