// The plan of the generic walk over active vertices, which supports all combinations of the axes (axes.hpp).
// The CPU code is in cpu_rounds.hpp and buckets.hpp, the GPU code in rounds.cuh.
#pragma once

#include "lockstep/executor/frontier/vertices.hpp"

namespace lockstep::frontier {

struct Expand : Vertices {
    static constexpr Walk facts{.name = "frontier", .family = Family::frontier};
    Csr out;
    Csr in;  ///< in-arcs of each vertex; empty if no round pulls or if they equal the out-arcs
    bool symmetric = false;  ///< whether the in-arcs of each vertex are the same as its out-arcs
    const Csr& incoming() const { return symmetric ? out : in; }
    EdgeId bytes() const { return out.bytes() + in.bytes(); }
    /// Builds the plan. `schedule` is a vertex order, of which the row order is used; nullptr selects the
    /// order of the graph.
    static Expand make(const Graph& graph, const Schedule* schedule, const PlanRequirements& wanted);
};

/// Returns the width of the buckets for priorities: `given` or, if this is 0, a heuristic value. That value
/// is 1 for a graph without weights. Otherwise it is the mean weight if the mean degree of the graph equals
/// `degree`, and larger if the mean degree is smaller (1/64 to 64 times the mean weight), because fewer arcs
/// fill a bucket more slowly. A GPU needs fuller buckets than a CPU, so it passes a larger `degree`. O(arcs)
float bucket_width(const Expand& plan, double given, double degree);

}  // namespace lockstep::frontier
