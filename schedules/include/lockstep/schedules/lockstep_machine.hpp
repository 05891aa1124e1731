// Simulation of the hypothetical device of the paper: T threads in lockstep, each of which processes one edge
// per time step (Kaleem et al., sections III and IV, figures 4 and 6). It counts time steps and shows the
// behaviour of the online strategies on that device; nothing here is timed.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Returns the number of time steps of a sweep on T = `workers` threads: the sum over rounds of ceil(tasks /
/// T). A group of T tasks of several edges takes as many steps as its longest task has edges.
EdgeId time_steps(const Schedule& schedule, EdgeId workers);

/// A run of EL (figure 6a; figure 6b for shuffled edges). Thread i % T processes the i-th edge. Of two
/// conflicting edges in one time step, the edge of the later thread is deferred to its next pass.
struct EdgeLockedRun {
    std::vector<std::vector<EdgeId>> passes;  ///< edges that each pass completed, in order
    EdgeId time_steps = 0;
};
EdgeLockedRun edge_locked_passes(const Graph& graph, std::span<const EdgeId> order, EdgeId workers);

/// A run of NL (figure 6c). The items are divided into blocks of T, with one item per thread. A thread
/// processes the edges of its item in order and locks the user of an edge for one time step. `steps` contains
/// the edges of every time step.
struct NodeLockedRun {
    std::vector<std::vector<EdgeId>> steps;
    std::vector<EdgeId> deferred;  ///< edges whose user was locked when a first pass tried them
};
NodeLockedRun node_locked_steps(const Graph& graph, VertexId workers);

}  // namespace lockstep
