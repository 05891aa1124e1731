// The offline traversals on the GPU: supersteps inside one cooperative launch, no atomics.
//
// A worker is a lane group (lanes.hpp): L neighbouring threads that share an edge. After each phase all
// blocks meet at a device-wide barrier; the blocks launched are those that fit at once.
#pragma once

#include "lockstep/executor/cuda/device_barrier.cuh"
#include "lockstep/executor/cuda/device_plan.cuh"
#include "lockstep/executor/cuda/small_phases.cuh"
#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

/// phase ⊃ edge: AGM-E (Kaleem et al., III-A.1), and Diag's F x E grid (III-B.1), where F is the lane
/// group and E the workers. Small phases are left to one thread block (small_phases.cuh).
template <EdgeOperator Op>
__global__ void __launch_bounds__(1024, 1) phase_kernel(PlanView plan, Op op) {
    constexpr int window = 64;
    extern __shared__ __align__(16) unsigned char shared[];
    auto& small = *reinterpret_cast<SmallPhases<Op>*>(shared);
    __shared__ PhaseRun runs[window];
    DeviceBarrier barrier(plan.counters + arrivals);
    const EdgeId worker = worker_index<Op>(), workers = worker_count<Op>();
    // What the worker needs of the next shared phase is on its way while all wait at the barrier.
    EdgeId e = 0, end = 0;
    VertexId u = 0, v = 0;
    float value = 0;
    const auto look_ahead = [&](EdgeId r) {
        if (r % window == 0) {
            __syncthreads();
            for (EdgeId i = threadIdx.x; i < window && r + i < plan.runs; i += blockDim.x)
                runs[i] = plan.run[r + i];
            __syncthreads();
        }
        if (r >= plan.runs || !runs[r % window].shared) return;
        e = runs[r % window].begin + worker, end = runs[r % window].end;
        if (e < end) u = plan.row[e], v = plan.col[e], value = plan.value[e];
    };
    look_ahead(0);
    for (EdgeId r = 0; r < plan.runs;) {
        const PhaseRun& run = runs[r % window];
        if (run.shared) {
            for (; e < end; e += workers) {
                auto row = op.load_row(u);
                auto col = op.load_col(v);
                op.apply(row, col, value, Place{e, run.first, e});
                op.store_row(u, row);
                op.store_col(v, col);
                if (e + workers < end)
                    u = plan.row[e + workers], v = plan.col[e + workers], value = plan.value[e + workers];
            }
            // Behind the arrival: its fence would wait for these loads.
            barrier.arrive();
            look_ahead(++r);
            barrier.wait();
        } else {
            const EdgeId first = r;
            do look_ahead(++r);
            while (r < plan.runs && !runs[r % window].shared);
            if (blockIdx.x == 0) small.run(plan, op, first, r);
            barrier.sync();
        }
    }
}

/// phase ⊃ task ⊃ edge: BlkDiag (III-B.2), one block of the matrix a worker; the column's vector stays
/// in registers while the task's edges share it, the rows' vectors in the multiprocessor's cache.
template <EdgeOperator Op>
__global__ void __launch_bounds__(512) task_kernel(PlanView plan, Op op) {
    constexpr EdgeId ahead = 8;
    __shared__ float sink[512 / Op::Lanes::lanes][2 * ahead][Near<Op>::touch_words];
    DeviceBarrier barrier(plan.counters + arrivals);
    const Near<Op> near{op};
    // A phase has fewer tasks than there are workers: they are spread over blocks first, then over warps.
    const unsigned warps = blockDim.x / 32, groups = 32 / Op::Lanes::lanes;
    const EdgeId worker =
        EdgeId{threadIdx.x % 32 / Op::Lanes::lanes * warps + threadIdx.x / 32} * gridDim.x + blockIdx.x;
    const EdgeId workers = EdgeId{groups * warps} * gridDim.x;
    for (EdgeId p = 0; p < plan.phases; ++p) {
        for (EdgeId t = plan.phase_tasks[p] + worker; t < plan.phase_tasks[p + 1]; t += workers) {
            const EdgeId begin = plan.task_offsets[t], end = plan.task_offsets[t + 1];
            const auto touch = [&](EdgeId e) {
                if (e >= end) return;
                near.touch_row(plan.row[e], sink[threadIdx.x / Op::Lanes::lanes][e % (2 * ahead)]);
                if (e % ahead == ahead - 1) earlier_copies_done();
            };
            copies_done();
            for (EdgeId i = 0; i < ahead; ++i) touch(begin + i);
            for (EdgeId e = begin; e < end;) {
                const VertexId v = plan.col[e];
                auto col = near.load_col(v);
                for (; e < end && plan.col[e] == v; ++e) {
                    const VertexId u = plan.row[e];
                    auto row = near.load_row(u);
                    touch(e + ahead);  // while the row comes
                    op.apply(row, col, plan.value[e], Place{e, p, t});
                    near.store_row(u, row);
                }
                near.store_col(v, col);
            }
        }
        barrier.sync();
    }
    copies_done();
}

/// phase ⊃ tile ⊃ step ⊃ task ⊃ edge through L2, for any operator; those whose vectors can stay on chip have
/// tiled.cuh and local.cuh. To the operator a tile is a task: its edges may follow each other on several
/// workers. Where there are no tasks an edge is one.
template <EdgeOperator Op>
__global__ void __launch_bounds__(1024) tile_kernel(PlanView plan, Op op) {
    DeviceBarrier barrier(plan.counters + arrivals);
    const EdgeId worker = threadIdx.x / Op::Lanes::lanes, workers = blockDim.x / Op::Lanes::lanes;
    const auto first_edge = [&](EdgeId t) { return plan.task_offsets ? plan.task_offsets[t] : t; };
    for (EdgeId p = 0; p < plan.phases; ++p) {
        for (EdgeId tile = plan.phase_tiles[p] + blockIdx.x; tile < plan.phase_tiles[p + 1];
             tile += gridDim.x) {
            for (EdgeId s = plan.tile_steps[tile]; s < plan.tile_steps[tile + 1]; ++s) {
                for (EdgeId t = plan.step_tasks[s] + worker; t < plan.step_tasks[s + 1]; t += workers) {
                    for (EdgeId e = first_edge(t); e < first_edge(t + 1); ++e) {
                        const VertexId u = plan.row[e], v = plan.col[e];
                        auto row = op.load_row(u);
                        auto col = op.load_col(v);
                        op.apply(row, col, plan.value[e], Place{e, p, tile});
                        op.store_row(u, row);
                        op.store_col(v, col);
                    }
                }
                __syncthreads();
            }
        }
        barrier.sync();
    }
}

/// A column as it would come back from memory, where that makes a difference.
template <class Op>
__device__ __forceinline__ typename Op::Col as_stored(const Op& op, const typename Op::Col& col) {
    if constexpr (requires { op.as_stored(col); })
        return op.as_stored(col);
    else
        return col;
}

/// What a thread keeps of one item it owns while the item's block is on chip.
template <class Op>
struct Slot {
    typename Op::Col col;
    EdgeId entry, end;    ///< its next edges in (item, phase) order
    std::uint32_t phase;  ///< phase, row and value of that edge, on their way since the edge before
    VertexId row;
    float value;
};

/// block ⊃ phase ⊃ edge: AGM-N and SGM (III-A.2, III-A.3). A worker owns the items w, w + workers, …
/// of a block and keeps their vectors in shared memory through the block's phases; the small ones at its end
/// are left to one thread block, to which the vectors come through device memory.
template <EdgeOperator Op>
__global__ void __launch_bounds__(512) resident_kernel(PlanView plan, Op op, EdgeId slots) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto& small = *reinterpret_cast<SmallPhases<Op>*>(shared);  // when the slots are done with
    auto* slot = reinterpret_cast<Slot<Op>*>(shared);  // [slots][blockDim.x]: each thread uses its own
    DeviceBarrier barrier(plan.counters + arrivals);
    const EdgeId worker = worker_index<Op>(), workers = worker_count<Op>();
    const auto look_ahead = [&](Slot<Op>& s) {
        // The entry behind the last of all is there, and of no phase.
        copy_word(reinterpret_cast<float*>(&s.phase),
                  reinterpret_cast<const float*>(plan.slot_phase + s.entry));
        copy_word(reinterpret_cast<float*>(&s.row), reinterpret_cast<const float*>(plan.slot_row + s.entry));
        copy_word(&s.value, plan.slot_value + s.entry);
    };

    for (EdgeId b = 0; b < plan.blocks; ++b) {
        const EdgeId first = plan.resident_offsets[b], items = plan.resident_offsets[b + 1] - first;
        const EdgeId begin = plan.block_phases[b], tail = plan.block_tail[b];
        if (begin < tail) {
            for (EdgeId i = 0, item = worker; item < items; ++i, item += workers) {
                Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
                s.col = op.load_col(plan.residents[first + item]);
                s.entry = plan.slot_edges[first + item], s.end = plan.slot_edges[first + item + 1];
                look_ahead(s);
            }
            for (EdgeId p = begin; p < tail; ++p) {
                copies_done();
                for (EdgeId i = 0, item = worker; item < items; ++i, item += workers) {
                    Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
                    if (s.phase != p || s.entry == s.end) continue;
                    const EdgeId e = plan.slot_edge[s.entry];
                    const VertexId u = s.row;
                    auto row = op.load_row(u);
                    auto col = s.col;
                    op.apply(row, col, s.value, Place{e, p, e});
                    op.store_row(u, row);
                    s.col = as_stored(op, col);
                    ++s.entry;
                    s.phase = ~0U;
                }
                // Behind the arrival: its fence would wait for these loads.
                barrier.arrive();
                for (EdgeId i = 0, item = worker; item < items; ++i, item += workers) {
                    Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
                    if (s.phase == ~0U) look_ahead(s);
                }
                barrier.wait();
            }
            copies_done();
            for (EdgeId i = 0, item = worker; item < items; ++i, item += workers)
                op.store_col(plan.residents[first + item], slot[i * blockDim.x + threadIdx.x].col);
            barrier.sync();
        }
        if (plan.block_runs[b] < plan.block_runs[b + 1]) {
            if (blockIdx.x == 0) small.run(plan, op, plan.block_runs[b], plan.block_runs[b + 1]);
            barrier.sync();
        }
    }
}

}  // namespace lockstep::gpu
