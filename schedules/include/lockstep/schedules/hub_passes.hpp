// Which hubs of a core-tail schedule have a pass of their own, in which the whole device runs their edges:
// the chain of so many is longer than that takes (executor/edge/hubs.hpp).
#pragma once

#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/hub_cut.hpp"

namespace lockstep {

struct HubPasses {
    static constexpr VertexId none = ~VertexId{0};
    std::vector<VertexId> of_row, of_col;  ///< vertex -> its pass, or none
    VertexId count = 0;                    ///< of columns by falling degree, then of rows
    EdgeId edges = 0;                      ///< of all passes
    double seconds = 0;                    ///< predicted, of a sweep

    /// The pass of every edge, or none: an edge is in the first one of its ends', but for a pair that comes
    /// again, of which only the first edge is. 4 bytes an edge.
    Array<VertexId> of_edges(const Graph& graph) const;
};

/// What core-tail takes by predicted cost, or as its options say.
struct CoreTailChoice {
    HubPasses passes;
    HubCut rest;  ///< of the edges that are in no pass
    double seconds() const { return passes.seconds + rest.seconds(); }
};

/// O(edges + rows x limits), twice where hub passes may pay; 24 bytes an edge then.
CoreTailChoice choose_core_tail(const Graph& graph, const BuildOptions& options);

}  // namespace lockstep
