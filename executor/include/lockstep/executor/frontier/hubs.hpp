// The plan of the hub-first walk, for breadth-first search and shortest paths. Vertices are numbered by
// decreasing degree, and a vertex checks its best-connected neighbours first. On a GPU the walk is one
// persistent kernel (hubs.cuh). A CPU runs the generic walk on the same lists.
#pragma once

#include "lockstep/executor/frontier/axes.hpp"
#include "lockstep/executor/frontier/expand.hpp"

namespace lockstep::frontier {

/// A plan in which the best-connected vertices have the lowest numbers. The lists of out-arcs and of in-arcs
/// have the order of the schedule.
struct Hubs : Expand {
    static constexpr Walk facts{
        .name = "hubs", .family = Family::frontier, .form = forms::adjacency, .bound = "memory"};
    VertexId linked = 0;  ///< number of vertices that have arcs; they come first

    /// Builds the plan from a schedule "hubs" or "hubs-weight". Throws ScheduleError (usage) if weights are
    /// required and the schedule is "hubs", whose lists are not sorted by weight. Uses all threads. O(arcs),
    /// or O(arcs log(maximum degree)) for directed graphs with weights
    static Hubs make(const Graph& graph, const Schedule* schedule, const PlanRequirements& wanted);
};

/// Returns a CPU runner of the generic walk with both directions and, if the operator supports them,
/// priorities.
template <class Op, class Axes>
auto cpu_runner_of(const Hubs& plan, Axes axes, const Op& op, int threads) {
    axes.direction = Direction::adaptive;
    if (Op::by_priority) axes.priority = Priority::delta;
    return cpu_runner_of(static_cast<const Expand&>(plan), axes, op, threads);
}

/// Storage format of the weights in quads (groups of four arcs): none, in the upper 8 bits of the endpoint,
/// or in a separate array.
enum class QuadWeights { none, packed, apart };
/// Returns `packed` if all weights are integers below 2^8 and there are fewer than 2^24 vertices; otherwise
/// returns `apart`. O(arcs)
QuadWeights quad_weights(const Hubs& plan);

/// Adjacency lists in the format of the GPU kernels: quads of four arcs. If the length of a list is not a
/// multiple of four, it is padded with self-loops that have the weight of its last arc. Self-loops of the
/// graph are omitted. A self-loop never improves a value.
struct QuadLists {
    /// Index of the first quad of each list. The array is padded with the total number of quads, to a
    /// multiple of 32 vertices plus one element.
    std::vector<std::uint32_t> first;
    /// target of each arc of `first`'s quads, or source for lists of in-arcs; with packed weights in the
    /// upper bits
    Array<std::uint32_t> ends;
    Array<std::uint32_t> weights;  ///< weights as the bits of floats; empty unless they are stored apart
};
/// Copies adjacency lists into quads. Throws ScheduleError if there are 2^34 arcs or more. O(arcs)
QuadLists quad_lists(const Csr& lists, VertexId vertices, QuadWeights weights);

}  // namespace lockstep::frontier
