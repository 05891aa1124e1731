// The contract between an application and the walks: what happens on one edge.
//
// An operator says nothing about who runs when: that is the walk's part. It is a small trivially copyable
// struct, passed to kernels by value, with
//
//     using Lanes                    HostLanes<L> or DeviceLanes<L>: the lanes that share an edge
//     struct Row, struct Col         what one thread keeps of an endpoint while it works on it
//     Row  load_row(VertexId)        from memory; the walk decides how long it is kept
//     void store_row(VertexId, Row)  back to memory; the same for columns
//     void apply(Row&, Col&, float value, const Place&)      the work on one edge
//
// Loads and stores of endpoints must reach the device's L2 (load_shared, store_shared below), because
// the workers of different multiprocessors pass them on inside one kernel. On the GPU an operator may have
// more, which the walks use where it is there; the same for columns:
//
//     Row  near_row(VertexId), void put_row(VertexId, Row)
//                                                load and store while one thread block alone works on the
//                                                endpoint: its multiprocessor's L1 cache may serve them
//     void touch_row(VertexId, float* sink)      the endpoint is wanted near soon (gpu::copy_word);
//                                                `touch_words` words of `sink`, one a copy
//     void add_row(VertexId, Row was, Row now)   adds the difference atomically; the NMF variant has no such
//     Col  as_stored(Col)                        as it would come back from memory, if storing rounds
//     static constexpr bool runs_on<Plan>        false leaves out the kernels of a walk
//     Op turned() const                          itself with rows for columns; without, an adaptor turns it
//
// On the CPU it may work on endpoints where they lie, to the same bits as load, apply and store:
//
//     Element* row_at(VertexId)                  where the endpoint lies; the same for columns
//     void run_edge(Element* row, Element* col, float value)
//     fetch_ahead, void fetch_row(VertexId)      edges ahead at which an endpoint is asked for; the same for
//                                                columns
//
// and it may run edges of the plan itself, in order, as apply would:
//
//     void run_range(EdgeId first, EdgeId last)  edges [first, last)
//     void run_around(EdgeId first, EdgeId last, bool of_row)
//                                                edges [first, last), which share their row, or else
//                                                their column
//
// edge/on_chip.hpp has what it needs beyond for the walks that keep vertices on chip, tiled and local.
#pragma once

#include <concepts>
#include <type_traits>

#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/indices.hpp"

namespace lockstep {

/// Where in the plan an edge stands. Walks on chip do not know.
struct Place {
    static constexpr EdgeId unknown = ~EdgeId{0};
    EdgeId edge = unknown;   ///< position in the plan
    EdgeId round = unknown;  ///< its phase (offline), or its pass over the worklist (online)
    EdgeId task = unknown;   ///< its task; equal to `edge` where a task is one edge
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

/// An operator with rows for columns: of one that has no turned() of its own, so without what it may have.
template <EdgeOperator Op>
struct Turned {
    using Lanes = typename Op::Lanes;
    using Row = typename Op::Col;
    using Col = typename Op::Row;

    Op op;

    LOCKSTEP_HD Row load_row(VertexId u) const { return op.load_col(u); }
    LOCKSTEP_HD Col load_col(VertexId v) const { return op.load_row(v); }
    LOCKSTEP_HD void store_row(VertexId u, const Row& row) const { op.store_col(u, row); }
    LOCKSTEP_HD void store_col(VertexId v, const Col& col) const { op.store_row(v, col); }
    LOCKSTEP_HD void apply(Row& row, Col& col, float value, const Place& place) const {
        op.apply(col, row, value, place);
    }
};
template <EdgeOperator Op>
auto turned(const Op& op) {
    if constexpr (requires { op.turned(); })
        return op.turned();
    else
        return Turned<Op>{op};
}

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
/// What nobody writes while a kernel runs: any cache will do.
template <class T>
LOCKSTEP_HD T load_constant(const T* address) {
#if defined(__CUDA_ARCH__)
    return __ldg(address);
#else
    return *address;
#endif
}

}  // namespace lockstep
