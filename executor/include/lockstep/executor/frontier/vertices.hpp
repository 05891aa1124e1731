// Vertices, the base of all plans of the frontier family, and PlanRequirements, the requirements of an
// operator on its plan.
#pragma once

#include "lockstep/executor/csr/numbering.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep::frontier {

/// The base of all plans. In a plan, a vertex is identified by its position in `order`.
struct Vertices {
    VertexId vertices = 0;
    EdgeId arcs = 0;
    std::vector<VertexId> order;      ///< vertex at each position; empty if both are the same
    std::vector<VertexId> positions;  ///< position of each vertex; empty if both are the same
    bool weights_left_out = false;    ///< whether the graph has weights that the plan omits
    VertexId position(VertexId v) const { return positions.empty() ? v : positions[v]; }
};

/// The parts that a plan must have for an operator.
struct PlanRequirements {
    /// Whether the plan must include the weights of the graph. Otherwise, an operator that uses weights is
    /// rejected.
    bool weights = false;
    bool incoming = false;  ///< whether the plan needs in-arcs, because some rounds may pull
};

}  // namespace lockstep::frontier
