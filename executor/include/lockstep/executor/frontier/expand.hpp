// The generic walk over active vertices, which every combination of the axes runs: its plan. CPU code is in
// cpu.hpp and buckets.hpp, kernels in rounds.cuh.
#pragma once

#include "lockstep/executor/frontier/vertices.hpp"

namespace lockstep::frontier {

struct Expand : Vertices {
    static constexpr Walk facts{.name = "frontier", .family = Family::frontier};
    Csr out;
    Csr in;                  ///< where a pull needs it and it is not `out`
    bool symmetric = false;  ///< the arcs into a vertex are those out of it
    const Csr& incoming() const { return symmetric ? out : in; }
    EdgeId bytes() const { return out.bytes() + in.bytes(); }
    /// `schedule`: a vertex order whose row order is taken; nullptr: as given.
    static Expand make(const Graph& graph, const Schedule* schedule, const Wanted& wanted);
};

/// The width of a priority's buckets: what is `given`, or, where that is 0, the mean weight at a mean of
/// `degree` arcs a vertex, more at fewer: the more arcs, the sooner a bucket is full. A GPU wants fuller
/// buckets. A rule of thumb. O(arcs).
float bucket_width(const Expand& plan, double given, double degree);

}  // namespace lockstep::frontier
