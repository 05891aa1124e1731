// The hypothetical device of the paper: T threads in lockstep, one edge a thread and time step
// (Kaleem et al., sections III and IV, figures 4 and 6). It counts time steps and shows what the
// online strategies would do there; nothing here is timed.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Time steps of a sweep on T threads: the sum over rounds of ceil(tasks / T), tasks of several
/// edges counting their edges.
EdgeId time_steps(const Schedule& schedule, EdgeId workers);

/// EL (figures 6a, and of shuffled edges 6b): thread i % T has the i-th edge; of two conflicting edges of one time
/// step the later thread's is deferred to its next pass.
struct EdgeLockedRun {
    std::vector<std::vector<EdgeId>> passes;  ///< the edges that each got done, in order
    EdgeId time_steps = 0;
};
EdgeLockedRun edge_locked_passes(const Graph& graph, std::span<const EdgeId> order, EdgeId workers);

/// NL (figure 6c): items in blocks of T, one item a thread, its edges in order, users locked for one
/// time step. Returns the edges of every time step.
struct NodeLockedRun {
    std::vector<std::vector<EdgeId>> steps;
    std::vector<EdgeId> deferred;  ///< edges that found their user locked in a first pass
};
NodeLockedRun node_locked_steps(const Graph& graph, VertexId workers);

}  // namespace lockstep
