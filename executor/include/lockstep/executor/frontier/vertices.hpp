// Base of all plans of the frontier family, and the requirements that a plan is made for.
#pragma once

#include "lockstep/executor/csr/numbering.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::frontier {

/// Base of all plans. In a plan, a vertex is identified by its position.
struct Vertices {
    VertexId vertices = 0;
    EdgeId arcs = 0;
    std::vector<VertexId> order;      ///< position -> vertex; empty: the identity
    std::vector<VertexId> positions;  ///< vertex -> position; empty: the identity
    bool weights_left_out = false;    ///< the graph has weights, and the plan was made without them
    VertexId position(VertexId v) const { return positions.empty() ? v : positions[v]; }
};

/// Requirements that a plan is made for.
struct Wanted {
    /// The operator uses weights; a weighted operator is rejected if the plan omits the graph's weights.
    bool weights = false;
    bool incoming = false;  ///< some rounds may pull
};

}  // namespace lockstep::frontier
