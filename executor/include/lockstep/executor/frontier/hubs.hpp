// The walk over hub-first numbers: its plan. On a GPU it is one persistent kernel (hubs.cuh); a CPU runs its
// lists as those of any other plan.
#pragma once

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/expand.hpp"

namespace lockstep::frontier {

/// Its vertices are numbers, the best-connected first; lists, those by target as well, are in the order of
/// the schedule.
struct Hubs : Expand {
    static constexpr Walk facts{
        .name = "hubs", .family = Family::frontier, .form = forms::adjacency, .bound = "memory"};
    VertexId linked = 0;  ///< vertices with arcs: the first ones

    /// Of the schedules "hubs" and "hubs-weight". Throws ScheduleError (usage) where weights are wanted,
    /// which the lists of the first are not ordered by. O(arcs), of directed graphs with weights O(arcs
    /// log(largest degree)), on all threads.
    static Hubs make(const Graph& graph, const Schedule* schedule, const Wanted& wanted);
};

/// On a CPU: both directions, and priorities where the operator has them.
template <class Op, class Axes>
auto cpu_runner_of(const Hubs& plan, Axes axes, const Op& op, int threads) {
    axes.direction = Direction::adaptive;
    if (Op::by_priority) axes.priority = Priority::delta;
    return cpu_runner_of(static_cast<const Expand&>(plan), axes, op, threads);
}

/// Where quads have their weights: nowhere, in the 8 bits above an end, or apart.
enum class QuadWeights { none, packed, apart };
/// Packed where they are whole numbers below 2^8, and vertices are below 2^24. O(arcs).
QuadWeights quad_weights(const Hubs& plan);

/// Lists as the kernels read them: by quads of four arcs, in which `first` is. A list is filled up with arcs
/// of its vertex to itself, as heavy as its last one; loops of the graph, which lead nowhere, are left out.
struct QuadLists {
    std::vector<std::uint32_t> first;  ///< filled up with the end to a multiple of 32 vertices, and one
    Array<std::uint32_t> ends;
    Array<std::uint32_t> weights;  ///< bits of floats
};
/// Throws ScheduleError from 2^34 arcs up. O(arcs).
QuadLists quad_lists(const Csr& lists, VertexId vertices, QuadWeights weights);

}  // namespace lockstep::frontier
