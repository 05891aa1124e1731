// Arc operators run on any device: an application declares its arrays by vertex, and needs no backend of its
// own. rounds.hpp and run.cuh define what is declared here; an application instantiates each in a source
// file of its own, a line an operator:
//
//     template arc::Runner<Op> arc::on_cpu(const ArcPlan&, const Op&, int);
//
// Beside the contract of operator.hpp, the operator has
//
//     void start(Memory& memory)  before the first round: takes what it needs of `memory`, where memory.arcs
//                                 is the plan on the host, memory.out are its offsets on the device, and
//                                 memory.array(value) has value(v) for every vertex v there
//     const T* result() const     of such an array, after the last round: what is asked for
#pragma once

#include <functional>

#include "lockstep/executor/arc/plan.hpp"

namespace lockstep::arc {

template <class Op>
using Result = std::vector<std::remove_cvref_t<decltype(*std::declval<const Op&>().result())>>;
template <class Op>
using OnRound = std::function<bool(const typename Op::Tally&, double seconds)>;

/// A plan in the memory of a device. It must not outlive the plan on the host.
template <ArcOperator Op>
struct Runner {
    EdgeId bytes = 0;             ///< of the plan, the operator's arrays and the accumulators
    double transfer_seconds = 0;  ///< the plan took to get there
    /// From the operator's start, rounds as `iterate` does them. Returns the result by vertex of the graph;
    /// `*seconds` are those of the rounds alone.
    std::function<Result<Op>(Op op, const OnRound<Op>& on_round, double* seconds)> run;
};

template <ArcOperator Op>
Runner<Op> on_cpu(const ArcPlan& plan, const Op& op, int threads);
/// Throws Error (no_device) with both numbers where the device has too little memory.
template <ArcOperator Op>
Runner<Op> on_cuda(const ArcPlan& plan, const Op& op);

/// A memory that only counts the bytes of the arrays.
struct CountingMemory {
    const Arcs& arcs;
    OffsetsView out = arcs.out.view();
    EdgeId bytes = 0;
    template <class Value>
    auto array(Value value) -> decltype(value(VertexId{}))* {
        bytes += sizeof(value(VertexId{})) * EdgeId{arcs.vertices};
        return nullptr;
    }
};
/// Bytes that an operator and its rounds take beside the plan.
template <ArcOperator Op>
EdgeId state_bytes(const ArcPlan& plan, Op op) {
    CountingMemory memory{arcs_of(plan)};
    op.start(memory);
    return memory.bytes + (scatters(plan) ? sizeof(typename Op::Sum) * EdgeId{memory.arcs.vertices} : 0);
}

template <class T>
std::vector<T> by_vertex(const Arcs& arcs, const T* by_position) {
    std::vector<T> result(by_position, by_position + arcs.vertices);
    for (VertexId p = 0; p < arcs.order.size(); ++p) result[arcs.order[p]] = by_position[p];
    return result;
}

}  // namespace lockstep::arc
