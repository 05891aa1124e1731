// Racing (Hogwild) on the GPU: every edge once, no synchronization.
#pragma once

#include "lockstep/executor/cuda/online.cuh"

namespace lockstep::gpu {

/// Whether an operator can add what it changed to an endpoint, so that no update is lost.
template <class Op>
concept AddingOperator = requires(const Op op, VertexId v, typename Op::Row row, typename Op::Col& col) {
    op.add_row(v, row, row);
    op.add_col(v, col, col);
    op.add_to(col, col, col);
    { op.adds() } -> std::convertible_to<bool>;
};

/// At most `workers` edges at a time. The groups of a warp take neighbouring edges.
template <EdgeOperator Op, bool Adds>
__global__ void __launch_bounds__(256) racing_kernel(PlanView plan, Op op, EdgeId workers) {
    const EdgeId groups = 32 / Op::Lanes::lanes, warp = threadIdx.x / 32 * gridDim.x + blockIdx.x;
    const EdgeId worker = warp * groups + threadIdx.x % 32 / Op::Lanes::lanes;
    const EdgeId stride = min(workers, worker_count<Op>());
    const EdgeId end = worker < stride ? plan.edges : 0;
    EdgeId done = 0;
    EdgeRecord next{}, after{};  // on their way
    const auto fetch = [&](EdgeRecord& edge, EdgeId e) {
        edge.e = e;
        if (e < end) edge.read(plan);
    };
    fetch(next, worker), fetch(after, worker + stride);
    while (next.e < end) {
        const EdgeRecord edge = next;
        next = after;
        fetch(after, next.e + stride);
        auto row = op.load_row(edge.u);
        auto col = op.load_col(edge.v);
        if constexpr (Adds) {
            const auto old_row = row;
            const auto old_col = col;
            op.apply(row, col, edge.value, Place{edge.e, 0, edge.e});
            op.add_row(edge.u, old_row, row);
            op.add_col(edge.v, old_col, col);
        } else {
            op.apply(row, col, edge.value, Place{edge.e, 0, edge.e});
            op.store_row(edge.u, row);
            op.store_col(edge.v, col);
        }
        ++done;
    }
    __syncwarp();
    add_once<Op>(plan.counters + updates, done);
}

/// Adds what the warp's groups changed to their residents, those of one resident in turn. Another warp may
/// come between a read and its write: rare, and the price of a lock a resident was half of the speed. All
/// lanes.
template <class Op>
__device__ __forceinline__ void add_in_turn(const Op& op, typename Op::Col& resident,
                                            const typename Op::Col& was, const typename Op::Col& col,
                                            bool busy, unsigned place) {
    __syncwarp();
    const unsigned lane = threadIdx.x % 32;
    const unsigned equal = __match_any_sync(~0U, busy ? place : ~lane);
    const int turn = __popc(equal & ((1U << lane) - 1)) / Op::Lanes::lanes;
    for (int t = 0; __any_sync(~0U, busy && turn >= t); ++t) {
        if (busy && turn == t) op.add_to(resident, was, col);
        __syncwarp();
    }
}

/// A thread block an item block: the items' vectors stay in shared memory, the users' are fetched a few edges
/// ahead, and raced for with the other blocks.
template <EdgeOperator Op, int Ahead, bool Adds>
__global__ void __launch_bounds__(512) racing_tile_kernel(PlanView plan, Op op) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto* const item = reinterpret_cast<typename Op::Col*>(shared) + lane_of<Op>();  // [items][lanes]
    constexpr int lanes = Op::Lanes::lanes;
    const EdgeId group = threadIdx.x / lanes, all = blockDim.x / lanes;
    EdgeId done = 0;
    for (EdgeId tile = blockIdx.x; tile < plan.tiles; tile += gridDim.x) {
        const EdgeId first = plan.tile_items[tile], items = plan.tile_items[tile + 1] - first;
        for (EdgeId i = group; i < items; i += all) item[i * lanes] = op.load_col(plan.col_order[first + i]);
        __syncthreads();

        const EdgeId end = plan.tile_edges[tile + 1], groups = min(all, EdgeId{plan.tile_workers[tile]});
        struct Records {
            VertexId u[Ahead];
            std::uint16_t place[Ahead];
            float value[Ahead];
        } present{}, next{}, after{};
        typename Op::Row row[Ahead]{}, next_row[Ahead]{};
        const auto fetch = [&](Records& records, EdgeId e) {
#pragma unroll
            for (int j = 0; j < Ahead; ++j, e += groups) {
                if (e >= end) break;
                records.u[j] = plan.row[e], records.place[j] = plan.place[e],
                records.value[j] = plan.value[e];
            }
        };
        const auto load = [&](const Records& records, EdgeId e) {
#pragma unroll
            for (int j = 0; j < Ahead; ++j, e += groups) {
                if (e < end) next_row[j] = op.load_row(records.u[j]);
            }
        };
        const EdgeId stride = Ahead * groups;
        EdgeId e = group < groups ? plan.tile_edges[tile] + group : end;
        fetch(next, e), fetch(after, e + stride);
        load(next, e);
        for (; __any_sync(~0U, e < end); e += stride) {
            present = next, next = after;
#pragma unroll
            for (int j = 0; j < Ahead; ++j) row[j] = next_row[j];
            fetch(after, e + 2 * stride);
            load(next, e + stride);
#pragma unroll
            for (int j = 0; j < Ahead; ++j) {
                const EdgeId at = e + static_cast<EdgeId>(j) * groups;
                const bool busy = at < end;
                auto& resident = item[present.place[j] * lanes];
                auto col = resident;
                const auto old_row = row[j];
                const auto old_col = col;
                if (busy) {
                    op.apply(row[j], col, present.value[j], Place{at, 0, at});
                    ++done;
                    if constexpr (!Adds) op.store_row(present.u[j], row[j]), resident = col;
                }
                if constexpr (Adds) {
                    if (busy) op.add_row(present.u[j], old_row, row[j]);
                    add_in_turn(op, resident, old_col, col, busy, present.place[j]);
                }
            }
        }
        __syncthreads();
        for (EdgeId i = group; i < items; i += all) op.store_col(plan.col_order[first + i], item[i * lanes]);
        __syncthreads();
    }
    add_once<Op>(plan.counters + updates, done);
}

}  // namespace lockstep::gpu
