// Runs arc operators on CPUs and GPUs. An application only declares its arrays, which have one element per
// vertex, and needs no code for a device. The functions that are declared here are defined in rounds.hpp and
// run.cuh. An application instantiates each function in a source file of its own, with one line per operator:
//
//     template arc::RunnerOf<Op> arc::on_cpu(const ArcPlan&, const Op&, int);
//
// In addition to the contract of operator.hpp, the operator has
//
//     void start(arc::Memory&)  called before the first round: allocates the operator's arrays in the memory
//     const T* result() const   returns the array with the result, after the last round
//     Round make_report(const Tally&, double seconds)  returns the report of a round
#pragma once

#include <functional>

#include "lockstep/executor/arc/plan.hpp"
#include "lockstep/executor/run.hpp"

namespace lockstep::arc {

/// An allocator for the arrays of an operator, in the memory of the device that runs it.
struct Memory {
    /// function that writes the elements of an array, in host memory
    using Fill = std::function<void(void*)>;

    const Arcs& arcs;  ///< plan in host memory
    OffsetsView out;   ///< offsets of the out-arcs of each position, in the device's memory
    std::function<void*(EdgeId bytes, const Fill&)> place;

    /// Allocates an array on the device with the element value(v) for every vertex v.
    template <class Value, class T = std::invoke_result_t<Value, VertexId>>
    T* array(Value value) {
        return static_cast<T*>(place(sizeof(T) * EdgeId{arcs.vertices}, [&](void* to) {
            for (VertexId v = 0; v < arcs.vertices; ++v) static_cast<T*>(to)[v] = value(v);
        }));
    }
};

/// A function that runs rounds from the operator's start until the operator ends them. If `on_round` returns
/// false, the next round is the last one. The function returns one value per vertex, in the order of the
/// graph. `*seconds` is the time of the rounds alone.
template <class Value, class Round>
using Runner = Run<std::vector<Value>(const std::function<bool(const Round&)>& on_round, double* seconds)>;
template <class Op>
using RunnerOf = Runner<std::remove_cvref_t<decltype(*std::declval<const Op&>().result())>,
                        decltype(std::declval<const Op&>().make_report({}, 0))>;

/// Returns true if all runs of the operator with this plan give bitwise identical results.
template <ArcOperator Op>
bool is_bit_reproducible(const ArcPlan& plan) {
    return !Inexact<Op> || !scatters(plan);
}

template <ArcOperator Op>
RunnerOf<Op> on_cpu(const ArcPlan& plan, const Op& op, int threads);
/// Returns a runner on the devices 0 … gpus - 1 or, if there are several processes, on the current device of
/// each. Several devices require the walk `edge_tiled` (parts.hpp). Throws Error (no_device) with the
/// required and the available memory if a device has too little memory.
template <ArcOperator Op>
RunnerOf<Op> on_cuda(const ArcPlan& plan, const Op& op, int gpus);

/// Returns the bytes that the operator's arrays and the accumulators need, in addition to the plan.
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
