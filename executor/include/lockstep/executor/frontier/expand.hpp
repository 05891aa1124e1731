// Plan of the generic walk over active vertices, which runs every combination of the axes. The CPU code is in
// cpu.hpp and buckets.hpp, the kernels are in rounds.cuh.
#pragma once

#include "lockstep/executor/frontier/vertices.hpp"

namespace lockstep::frontier {

struct Expand : Vertices {
    static constexpr Walk facts{.name = "frontier", .family = Family::frontier};
    Csr out;
    Csr in;                  ///< arcs by target; only if a pull needs them and they are not `out`
    bool symmetric = false;  ///< the in-arcs of each vertex are its out-arcs
    const Csr& incoming() const { return symmetric ? out : in; }
    EdgeId bytes() const { return out.bytes() + in.bytes(); }
    /// Makes the plan. `schedule` is a vertex order whose row order is used; nullptr: the order of the graph.
    static Expand make(const Graph& graph, const Schedule* schedule, const Wanted& wanted);
};

/// Returns the width of a priority's buckets: `given`, or, if it is 0, a rule of thumb. The rule returns 1
/// for a graph without weights; otherwise the mean weight if the mean degree is `degree`, and more if it is
/// smaller (1/64 to 64 times the mean weight), because buckets fill more slowly with fewer arcs. A GPU needs
/// fuller buckets than a CPU. Takes O(arcs) time.
float bucket_width(const Expand& plan, double given, double degree);

}  // namespace lockstep::frontier
