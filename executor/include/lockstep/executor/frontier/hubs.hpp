// Plan of the hub-first walk. On a GPU the walk is one persistent kernel (hubs.cuh). A CPU runs the lists of
// the plan with the generic walk.
#pragma once

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/expand.hpp"

namespace lockstep::frontier {

/// The best-connected vertices have the lowest numbers. The lists by source and by target are in the order of
/// the schedule.
struct Hubs : Expand {
    static constexpr Walk facts{
        .name = "hubs", .family = Family::frontier, .form = forms::adjacency, .bound = "memory"};
    VertexId linked = 0;  ///< number of vertices with arcs, which come first

    /// Makes the plan from a schedule "hubs" or "hubs-weight". Throws ScheduleError (usage) if weights are
    /// needed and the schedule is "hubs", whose lists are not ordered by weight. Runs on all threads in
    /// O(arcs) time, or O(arcs log(maximum degree)) for directed graphs with weights.
    static Hubs make(const Graph& graph, const Schedule* schedule, const Wanted& wanted);
};

/// Returns a CPU runner that uses both directions, and priorities if the operator has them.
template <class Op, class Axes>
auto cpu_runner_of(const Hubs& plan, Axes axes, const Op& op, int threads) {
    axes.direction = Direction::adaptive;
    if (Op::by_priority) axes.priority = Priority::delta;
    return cpu_runner_of(static_cast<const Expand&>(plan), axes, op, threads);
}

/// Storage of the weights of quads: none, packed into the upper 8 bits of an endpoint, or in a separate
/// array.
enum class QuadWeights { none, packed, apart };
/// Returns `packed` if the weights are integers below 2^8 and the vertices are below 2^24, otherwise `apart`.
/// Takes O(arcs) time.
QuadWeights quad_weights(const Hubs& plan);

/// Adjacency lists as the kernels read them, in quads of four arcs. A list is padded to whole quads with arcs
/// from its vertex to itself that have the weight of its last arc. Self-loops of the graph are omitted,
/// because they improve nothing.
struct QuadLists {
    /// First quad of each list; padded with the end to a multiple of 32 vertices, plus one element.
    std::vector<std::uint32_t> first;
    Array<std::uint32_t> ends;
    Array<std::uint32_t> weights;  ///< floats as their bits
};
/// Copies `lists` into quads. Throws ScheduleError if there are 2^34 arcs or more. Takes O(arcs) time.
QuadLists quad_lists(const Csr& lists, VertexId vertices, QuadWeights weights);

}  // namespace lockstep::frontier
