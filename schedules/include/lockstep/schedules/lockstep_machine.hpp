// Simulation of the hypothetical device that the paper uses to explain its schedules (Kaleem et al., sections
// III and IV, figures 4 and 6): T threads in lockstep, each of which processes one edge per time step. The
// functions count time steps, and return the order in which the strategies with locks process the edges. They
// measure no time.
#pragma once

#include <span>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Returns the number of time steps of one sweep with T = `workers` threads. A phase of n single edges takes
/// ceil(n / T) steps. If the phase has tasks, each group of T consecutive tasks takes as many steps as its
/// longest task has edges.
EdgeId time_steps(const Schedule& schedule, EdgeId workers);

/// A run of the strategy EL (figure 6a, or figure 6b if `order` is shuffled). Thread i % T processes the i-th
/// edge of the order. If two edges in one time step share an endpoint, the edge of the thread with the larger
/// number is deferred to that thread's next pass.
struct EdgeLockedRun {
    std::vector<std::vector<EdgeId>> passes;  ///< edges that each pass processed, in order
    EdgeId time_steps = 0;
};
/// Simulates the strategy EL with `workers` threads on the edges in the given order.
EdgeLockedRun edge_locked_passes(const Graph& graph, std::span<const EdgeId> order, EdgeId workers);

/// A run of the strategy NL (figure 6c). The items are divided into blocks of T items, with one thread per
/// item. A thread processes the edges of its item in order, and locks the user of an edge for one time step.
struct NodeLockedRun {
    /// Edges that are processed in each time step
    std::vector<std::vector<EdgeId>> steps;
    /// Edges whose user was locked when their thread tried them for the first time.
    std::vector<EdgeId> deferred;
};
/// Simulates the strategy NL with `workers` threads.
NodeLockedRun node_locked_steps(const Graph& graph, VertexId workers);

}  // namespace lockstep
