// The offline traversals on the GPU: supersteps inside one cooperative launch, no atomics.
//
// A worker is a lane group (lanes.hpp): L neighbouring threads that share an edge. After each phase all
// blocks meet at a device-wide barrier; the blocks launched are those that fit at once.
#pragma once

#include <cooperative_groups.h>

#include "lockstep/executor/cuda/device_plan.cuh"
#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

template <class Op>
__device__ __forceinline__ EdgeId worker_index() {
    return (EdgeId{blockIdx.x} * blockDim.x + threadIdx.x) / Op::Lanes::lanes;
}
template <class Op>
__device__ __forceinline__ EdgeId worker_count() {
    return EdgeId{gridDim.x} * blockDim.x / Op::Lanes::lanes;
}

template <class Op>
__device__ __forceinline__ void update_edge(const PlanView& plan, const Op& op, EdgeId e, EdgeId round) {
    const VertexId u = plan.row[e], v = plan.col[e];
    auto row = op.load_row(u);
    auto col = op.load_col(v);
    op.apply(row, col, plan.value[e], Place{e, round, e});
    op.store_row(u, row);
    op.store_col(v, col);
}

/// phase ⊃ edge: AGM-E (Kaleem et al., III-A.1), and Diag's F x E grid (III-B.1), where F is the lane
/// group and E the workers.
template <EdgeOperator Op>
__global__ void __launch_bounds__(512, 2) phase_kernel(PlanView plan, Op op) {
    auto grid = cooperative_groups::this_grid();
    for (EdgeId p = 0; p < plan.phases; ++p) {
        const EdgeId end = plan.phase_offsets[p + 1];
        for (EdgeId e = plan.phase_offsets[p] + worker_index<Op>(); e < end; e += worker_count<Op>())
            update_edge(plan, op, e, p);
        grid.sync();
    }
}

/// phase ⊃ task ⊃ edge: BlkDiag (III-B.2), one block of the matrix a worker; the column's vector stays
/// in registers while the task's edges share it.
template <EdgeOperator Op>
__global__ void __launch_bounds__(1024) task_kernel(PlanView plan, Op op) {
    auto grid = cooperative_groups::this_grid();
    for (EdgeId p = 0; p < plan.phases; ++p) {
        for (EdgeId t = plan.phase_tasks[p] + worker_index<Op>(); t < plan.phase_tasks[p + 1];
             t += worker_count<Op>()) {
            const EdgeId end = plan.task_offsets[t + 1];
            for (EdgeId e = plan.task_offsets[t]; e < end;) {
                const VertexId v = plan.col[e];
                auto col = op.load_col(v);
                for (; e < end && plan.col[e] == v; ++e) {
                    const VertexId u = plan.row[e];
                    auto row = op.load_row(u);
                    op.apply(row, col, plan.value[e], Place{e, p, t});
                    op.store_row(u, row);
                }
                op.store_col(v, col);
            }
        }
        grid.sync();
    }
}

/// phase ⊃ tile ⊃ step ⊃ task ⊃ edge through L2, for any operator; those whose vectors can stay on chip have
/// tiled.cuh. To the operator a tile is a task: its edges may follow each other on several workers.
template <EdgeOperator Op>
__global__ void __launch_bounds__(1024) tile_kernel(PlanView plan, Op op) {
    auto grid = cooperative_groups::this_grid();
    const EdgeId worker = threadIdx.x / Op::Lanes::lanes, workers = blockDim.x / Op::Lanes::lanes;
    for (EdgeId p = 0; p < plan.phases; ++p) {
        for (EdgeId tile = plan.phase_tiles[p] + blockIdx.x; tile < plan.phase_tiles[p + 1]; tile += gridDim.x) {
            for (EdgeId s = plan.tile_steps[tile]; s < plan.tile_steps[tile + 1]; ++s) {
                for (EdgeId t = plan.step_tasks[s] + worker; t < plan.step_tasks[s + 1]; t += workers) {
                    for (EdgeId e = plan.task_offsets[t]; e < plan.task_offsets[t + 1]; ++e) {
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
        grid.sync();
    }
}

/// What a thread keeps of one item it owns while the item's block is on chip.
template <class Op>
struct Slot {
    typename Op::Col col;
    EdgeId entry;  ///< its next edge in (item, phase) order
    EdgeId phase;  ///< phase of that edge; ~0 when there is none
};

/// block ⊃ phase ⊃ edge: AGM-N and SGM (III-A.2, III-A.3). A worker owns the items w, w + workers, …
/// of a block and keeps their vectors in shared memory through all phases of the block.
template <EdgeOperator Op>
__global__ void __launch_bounds__(512) resident_kernel(PlanView plan, Op op, EdgeId slots) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto* slot = reinterpret_cast<Slot<Op>*>(shared);  // [slots][blockDim.x]: each thread uses its own
    auto grid = cooperative_groups::this_grid();
    const EdgeId worker = worker_index<Op>(), workers = worker_count<Op>();
    const auto look_ahead = [&](Slot<Op>& s, EdgeId resident) {
        s.phase = s.entry < plan.slot_edges[resident + 1] ? plan.slot_phase[s.entry] : ~EdgeId{0};
    };

    for (EdgeId b = 0; b < plan.blocks; ++b) {
        const EdgeId first = plan.resident_offsets[b], items = plan.resident_offsets[b + 1] - first;
        for (EdgeId i = 0, item = worker; item < items; ++i, item += workers) {
            Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
            s.col = op.load_col(plan.residents[first + item]);
            s.entry = plan.slot_edges[first + item];
            look_ahead(s, first + item);
        }
        for (EdgeId p = plan.block_phases[b]; p < plan.block_phases[b + 1]; ++p) {
            for (EdgeId i = 0, item = worker; item < items; ++i, item += workers) {
                Slot<Op>& s = slot[i * blockDim.x + threadIdx.x];
                if (s.phase != p) continue;
                const EdgeId e = plan.slot_edge[s.entry];
                const VertexId u = plan.row[e];
                auto row = op.load_row(u);
                auto col = s.col;
                op.apply(row, col, plan.value[e], Place{e, p, e});
                op.store_row(u, row);
                s.col = col;
                ++s.entry;
                look_ahead(s, first + item);
            }
            grid.sync();
        }
        for (EdgeId i = 0, item = worker; item < items; ++i, item += workers) {
            op.store_col(plan.residents[first + item], slot[i * blockDim.x + threadIdx.x].col);
        }
    }
}

}  // namespace lockstep::gpu
