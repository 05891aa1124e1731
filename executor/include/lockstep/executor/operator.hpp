// The contract between an application and the traversals: what happens on one edge.
//
// An operator says nothing about who runs when: that is the traversal's and the policy's part. It is a
// small trivially copyable struct, passed to kernels by value, with
//
//     using Lanes                    HostLanes<L> or DeviceLanes<L>: the lanes that share an edge
//     struct Row, struct Col         what one thread keeps of an endpoint while it works on it
//     Row  load_row(VertexId)        from memory; the traversal decides how long it is kept
//     void store_row(VertexId, Row)  back to memory; the same for columns
//     void apply(Row&, Col&, float value, const Place&)      the work on one edge
//
// Loads and stores of endpoints must reach the device's L2 (load_shared, store_shared below), because
// the workers of different multiprocessors pass them on inside one kernel.
#pragma once

#include <concepts>
#include <type_traits>

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// Where in the plan an edge stands.
struct Place {
    EdgeId edge;   ///< position in the plan
    EdgeId round;  ///< its phase (offline), or its pass over the worklist (online)
    EdgeId task;   ///< its task; equal to `edge` where a task is one edge
};

template <class Op>
concept EdgeOperator = std::is_trivially_copyable_v<Op> &&
    requires(const Op op, typename Op::Row row, typename Op::Col col, VertexId v, const Place& place) {
    { Op::Lanes::lanes } -> std::convertible_to<int>;
    { op.load_row(v) } -> std::same_as<typename Op::Row>;
    { op.load_col(v) } -> std::same_as<typename Op::Col>;
    op.store_row(v, row);
    op.store_col(v, col);
    op.apply(row, col, 1.0F, place);
};

/// One number, or four neighbouring ones, of an endpoint in memory that other workers may have written
/// since: on the GPU past the L1 cache, which is not coherent.
template <class T>
LOCKSTEP_HD T load_shared(const T* address) {
#if defined(__CUDA_ARCH__)
    return __ldcg(address);
#else
    return *address;
#endif
}
template <class T>
LOCKSTEP_HD void store_shared(T* address, T value) {
#if defined(__CUDA_ARCH__)
    __stcg(address, value);
#else
    *address = value;
#endif
}

}  // namespace lockstep
