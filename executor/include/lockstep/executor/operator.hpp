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
// the workers of different multiprocessors pass them on inside one kernel. On the GPU an operator may have
// more, which the traversals use where it is there; the same for columns:
//
//     Row  near_row(VertexId), void put_row(VertexId, Row)
//                                                load and store while one thread block alone works on the
//                                                endpoint: its multiprocessor's L1 cache may serve them
//     void touch_row(VertexId, float* sink)      the endpoint is wanted near soon (copy_word);
//                                                `touch_words` words of `sink`, one a copy
//     void add_row(VertexId, Row was, Row now)   adds the difference atomically; the NMF variant has no such
//     Col  as_stored(Col)                        as it would come back from memory, if storing rounds
//
// On the CPU it may work on endpoints where they lie, to the same bits as load, apply and store:
//
//     Element* row_at(VertexId)                  where the endpoint lies; the same for columns
//     void run_edge(Element* row, Element* col, float value)
//     void run_star(float* centre, std::size_t edges, Leaf, Rating)
//                                                a star's edges in order (star.hpp): Leaf(i) is where the
//                                                leaf of edge i lies, Rating(i) its value
//     class SegmentMap                           a long star's segments (cpu/mapped_star.hpp)
//     fetch_ahead, void fetch_row(VertexId)      edges ahead at which an endpoint is asked for; the same for
//                                                columns
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

#if defined(__CUDACC__)
/// Copies a word of device memory through the L1 cache to shared memory, without waiting for it.
__device__ __forceinline__ void copy_word(float* shared, const float* global) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                 "l"(__cvta_generic_to_global(global))
                 : "memory");
#else
    *shared = *global;
#endif
}

/// Adds four neighbouring numbers, 16-byte aligned; each is added atomically.
__device__ __forceinline__ void add_four(float* address, float a, float b, float c, float d) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(address)),
        "f"(a), "f"(b), "f"(c), "f"(d)
        : "memory");
#else
    atomicAdd(address, a), atomicAdd(address + 1, b), atomicAdd(address + 2, c), atomicAdd(address + 3, d);
#endif
}
#endif

}  // namespace lockstep
