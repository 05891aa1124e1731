// Arc operators run on any device: an application declares its arrays by vertex, and needs no backend of its
// own. rounds.hpp and run.cuh define what is declared here; an application instantiates each in a source
// file of its own, a line an operator:
//
//     template arc::RunnerOf<Op> arc::on_cpu(const ArcPlan&, const Op&, int);
//
// Beside the contract of operator.hpp, the operator has
//
//     void start(arc::Memory&)  before the first round: takes what it needs of the memory
//     const T* result() const   of such an array, after the last round: what is asked for
//     Round told(const Tally&, double seconds)  what is said of a round
#pragma once

#include <functional>

#include "lockstep/executor/arc/plan.hpp"
#include "lockstep/executor/run.hpp"

namespace lockstep::arc {

/// Memory of a device for an operator's arrays.
struct Memory {
    using Fill = std::function<void(void*)>;  ///< writes the entries of an array on the host

    const Arcs& arcs;  ///< the plan on the host
    OffsetsView out;   ///< its offsets on the device
    std::function<void*(EdgeId bytes, const Fill&)> place;

    /// An array on the device that has value(v) for every vertex v.
    template <class Value, class T = std::invoke_result_t<Value, VertexId>>
    T* array(Value value) {
        return static_cast<T*>(place(sizeof(T) * EdgeId{arcs.vertices}, [&](void* to) {
            for (VertexId v = 0; v < arcs.vertices; ++v) static_cast<T*>(to)[v] = value(v);
        }));
    }
};

/// Runs rounds from the operator's start until it ends them; when `on_round` returns false the next is the last. Returns
/// the result by vertex of the graph; `*seconds` are those of the rounds alone.
template <class Value, class Round>
using Runner = Run<std::vector<Value>(const std::function<bool(const Round&)>& on_round, double* seconds)>;
template <class Op>
using RunnerOf = Runner<std::remove_cvref_t<decltype(*std::declval<const Op&>().result())>,
                        decltype(std::declval<const Op&>().told({}, 0))>;

/// Whether every run of it gives the same bits.
template <ArcOperator Op>
bool gives_same_bits(const ArcPlan& plan) {
    return !Inexact<Op> || !scatters(plan);
}

template <ArcOperator Op>
RunnerOf<Op> on_cpu(const ArcPlan& plan, const Op& op, int threads);
/// On devices 0 … gpus - 1, or on the present one of each of several processes; several share edge tiles
/// (parts.hpp) and nothing else. Throws Error (no_device) with both numbers where a device has too little
/// memory.
template <ArcOperator Op>
RunnerOf<Op> on_cuda(const ArcPlan& plan, const Op& op, int gpus);

/// Bytes that an operator and its rounds take beside the plan.
template <ArcOperator Op>
EdgeId state_bytes(const ArcPlan& plan, Op op) {
    const Arcs& arcs = arcs_of(plan);
    const bool keeps = Changes<Op> && std::holds_alternative<PullPush>(plan);
    EdgeId bytes = keeps || scatters(plan) ? sizeof(typename Op::Sum) * EdgeId{arcs.vertices} : 0;
    Memory memory{arcs, {}, [&](EdgeId more, const Memory::Fill&) {
                      bytes += more;
                      return nullptr;
                  }};
    op.start(memory);
    return bytes;
}

}  // namespace lockstep::arc
