// The contract between an application and the walks: the operator, which defines the work on one edge.
//
// An operator does not define the order of the edges or which thread runs them; the walk does. An operator is
// a small trivially copyable struct, passed to kernels by value, with
//
//     using Lanes                    HostLanes<L> or DeviceLanes<L>: the lanes that share an edge
//     struct Row, struct Col         a thread's copy of an endpoint's state while it works on the endpoint
//     Row  load_row(VertexId)        loads from memory; the walk decides how long the copy is kept
//     void store_row(VertexId, Row)  stores to memory; columns have load_col and store_col
//     void apply(Row&, Col&, float value, const EdgePosition&)
//                                                performs the work on one edge
//
// Loads and stores of endpoints must reach the device's L2 cache (load_shared, store_shared below), because
// threads of different multiprocessors exchange endpoints within one kernel. On the GPU an operator may have
// further members, which the walks use if they exist. Columns have the corresponding members:
//
//     Row  load_row_cached(VertexId), void store_row_cached(VertexId, Row)
//                                                load and store while only one thread block works on the
//                                                endpoint: the L1 cache of its multiprocessor may be used
//     void prefetch_row(VertexId, float* sink)      prefetches the endpoint into L1 (gpu::copy_word); `sink`
//                                                has `prefetch_words` words, one per copy
//     void add_row(VertexId, Row was, Row now)   adds the difference atomically; the NMF variant lacks it
//     Col  as_stored(Col)                        returns the state as a load after a store would return it,
//                                                if storing rounds
//     static constexpr bool runs_on<Plan>        if false, the kernels of a walk are not compiled
//     Op swap_sides() const                      returns the operator with rows and columns exchanged; an
//                                                operator without it is wrapped in an adaptor
//
// On the CPU an operator may work on endpoints in place, bitwise identically to load, apply and store:
//
//     Element* row_at(VertexId)                  returns the endpoint's address; col_at for columns
//     void run_edge(Element* row, Element* col, float value)
//                                                performs the work on one edge
//     fetch_ahead, void fetch_row(VertexId)      number of edges by which an endpoint is prefetched, and the
//                                                prefetch of a row; fetch_col for columns
//
// and it may run ranges of the plan's edges itself, in order, with the results of apply:
//
//     void run_range(EdgeId first, EdgeId last)  runs the edges [first, last)
//     void run_around(EdgeId first, EdgeId last, bool of_row)
//                                                runs the edges [first, last), which share their row if
//                                                `of_row`, otherwise their column
//
// edge/on_chip.hpp describes what the tiled and the local walk require in addition, because they keep
// vertices in shared memory.
#pragma once

#include <concepts>
#include <type_traits>

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/indices.hpp"

namespace lockstep {

/// Identifies an edge in the plan for apply(). In walks that keep vertices in shared memory, it is unknown.
struct EdgePosition {
    static constexpr EdgeId unknown = ~EdgeId{0};
    EdgeId edge = unknown;  ///< index of the edge in the plan
    /// index of the phase (offline walks), or of the pass over the worklist (online walks)
    EdgeId round = unknown;
    EdgeId task = unknown;  ///< index of the task; equal to `edge` if each edge is a task of its own
};

template <class Op>
concept EdgeOperator = std::is_trivially_copyable_v<Op> &&
    requires(const Op op, typename Op::Row row, typename Op::Col col, VertexId v, const EdgePosition& place) {
    { Op::Lanes::lanes } -> std::convertible_to<int>;
    { op.load_row(v) } -> std::same_as<typename Op::Row>;
    { op.load_col(v) } -> std::same_as<typename Op::Col>;
    op.store_row(v, row);
    op.store_col(v, col);
    op.apply(row, col, 1.0F, place);
};

/// An adaptor that exchanges rows and columns, for operators without swap_sides(). It has none of the
/// optional members.
template <EdgeOperator Op>
struct SwappedOperator {
    using Lanes = typename Op::Lanes;
    using Row = typename Op::Col;
    using Col = typename Op::Row;

    Op op;

    LOCKSTEP_HD Row load_row(VertexId u) const { return op.load_col(u); }
    LOCKSTEP_HD Col load_col(VertexId v) const { return op.load_row(v); }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { op.store_col(u, row); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { op.store_row(v, col); }
    LOCKSTEP_HD void apply(Row& row, Col& col, float value, const EdgePosition& place) const {
        op.apply(col, row, value, place);
    }
};
template <EdgeOperator Op>
auto swap_sides(const Op& op) {
    if constexpr (requires { op.swap_sides(); })
        return op.swap_sides();
    else
        return SwappedOperator<Op>{op};
}

/// Loads a number, or four neighbouring numbers, that other threads may have written since the kernel began.
/// The load bypasses the L1 cache of a GPU, which is not coherent between multiprocessors.
template <class T>
LOCKSTEP_HD T load_shared(const T* address) {
#if defined(__CUDA_ARCH__)
    return __ldcg(address);
#else
    return *address;
#endif
}
/// Stores a number, or four neighbouring numbers, such that load_shared() of other threads can see it. The
/// store bypasses the L1 cache.
template <class T>
LOCKSTEP_HD void store_shared(T* address, T value) {
#if defined(__CUDA_ARCH__)
    __stcg(address, value);
#else
    *address = value;
#endif
}
/// Loads data that no thread writes while the kernel runs. Any cache may be used.
template <class T>
LOCKSTEP_HD T load_constant(const T* address) {
#if defined(__CUDA_ARCH__)
    return __ldg(address);
#else
    return *address;
#endif
}

}  // namespace lockstep
