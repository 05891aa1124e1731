// What all plans of the frontier family have, and what they are made for.
#pragma once

#include "lockstep/executor/csr/numbering.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::frontier {

/// What all walks have. From here on a vertex is its position.
struct Vertices {
    VertexId vertices = 0;
    EdgeId arcs = 0;
    std::vector<VertexId> order;      ///< position -> vertex; empty: as given
    std::vector<VertexId> positions;  ///< vertex -> position
    bool weights_left_out = false;    ///< the graph has some, and the plan was made without
    VertexId position(VertexId v) const { return positions.empty() ? v : positions[v]; }
};

/// What a plan is made for.
struct Wanted {
    bool weights = false;   ///< the operator is weighted: it is refused where the graph's are left out
    bool incoming = false;  ///< there are pulls
};

}  // namespace lockstep::frontier
