// The online traversals on the GPU: locks, or none; passes over worklists, the outer loop on the device.
#pragma once

#include "lockstep/executor/cuda/offline.cuh"
#include "lockstep/executor/cuda/tuning.hpp"

namespace lockstep::gpu {

/// Try-lock by a group's first lane; the answer goes to all its lanes.
template <class Op>
__device__ __forceinline__ bool try_lock(unsigned* lock) {
    unsigned taken = 1;
    if (Op::Lanes::leads()) taken = atomicExch(lock, 1U);
    taken = __shfl_sync(Op::Lanes::mask(), taken, 0, Op::Lanes::lanes);
    if (taken == 0) __threadfence();  // acquire: what the last holder wrote is seen from here on
    return taken == 0;
}

/// Makes all lanes' stores visible to the device; must precede the release of the lock that guards them.
template <class Op>
__device__ __forceinline__ void publish() {
    __threadfence();
    __syncwarp(Op::Lanes::mask());
}

template <class Op>
__device__ __forceinline__ void unlock(unsigned* lock) {
    if (Op::Lanes::leads()) atomicExch(lock, 0U);
}

/// Processes edge e if both its ends can be locked within a few attempts.
template <class Op>
__device__ __forceinline__ bool try_edge(const PlanView& plan, const Op& op, EdgeId e, EdgeId pass) {
    const VertexId u = plan.row[e], v = plan.col[e];
    for (int attempt = 0; attempt < tuning::lock_attempts; ++attempt) {
        if (attempt) __nanosleep(20U << attempt);
        // Columns are the hubs: asking for them first spares the row's lock when they are busy.
        if (!try_lock<Op>(plan.col_locks + v)) continue;
        if (try_lock<Op>(plan.row_locks + u)) {
            update_edge(plan, op, e, pass);
            publish<Op>();
            unlock<Op>(plan.row_locks + u);
            unlock<Op>(plan.col_locks + v);
            return true;
        }
        unlock<Op>(plan.col_locks + v);
    }
    return false;
}

template <class Op>
__device__ __forceinline__ void add(EdgeId* counter, EdgeId value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(value));
}

/// Workers of the next pass of EL. Thousands of workers that ask for the one lock of a hub delay its
/// release: when few edges of a pass could be locked, fewer workers try the next, spread over the
/// multiprocessors, until a good part of the attempts succeeds.
__device__ __forceinline__ EdgeId next_active_workers(EdgeId active, EdgeId all, EdgeId size,
                                                      EdgeId deferred) {
    const double success = static_cast<double>(size - deferred) / static_cast<double>(size);
    const auto wanted = static_cast<EdgeId>(static_cast<double>(active) * success / tuning::wanted_success);
    return min(all, max(static_cast<EdgeId>(tuning::fewest_workers), wanted));
}

/// Passes of EL (Kaleem et al., IV-A) until the worklist is empty. `size` edges stand in worklist `in`;
/// in the first pass with `implicit` they are the edges 0 … size - 1 themselves.
template <class Op>
__device__ void edge_locked_passes(const PlanView& plan, const Op& op, EdgeId size, int in, bool implicit,
                                   EdgeId pass) {
    auto grid = cooperative_groups::this_grid();
    // Neighbouring numbers lie in different blocks, so that few active workers use many multiprocessors.
    const EdgeId worker = EdgeId{threadIdx.x / Op::Lanes::lanes} * gridDim.x + blockIdx.x;
    EdgeId active = worker_count<Op>();
    EdgeId done = 0;
    while (size > 0) {
        EdgeId* const deferred = plan.worklist[1 - in];
        auto* const deferred_size =
            reinterpret_cast<unsigned long long*>(plan.counters + worklist_size_0 + (1 - in));
        for (EdgeId i = worker; i < size && worker < active; i += active) {
            const EdgeId e = implicit ? i : load_shared(plan.worklist[in] + i);
            if (try_edge(plan, op, e, pass)) {
                ++done;
            } else if (Op::Lanes::leads()) {
                deferred[atomicAdd(deferred_size, 1ULL)] = e;
            }
        }
        grid.sync();
        in = 1 - in;
        implicit = false;
        const EdgeId left = load_shared(plan.counters + worklist_size_0 + in);
        active = next_active_workers(active, worker_count<Op>(), size, left);
        size = left;
        grid.sync();
        if (grid.thread_rank() == 0) {
            plan.counters[worklist_size_0 + (1 - in)] = 0;
            ++plan.counters[passes];
        }
        grid.sync();
        ++pass;
    }
    if (Op::Lanes::leads()) add<Op>(plan.counters + updates, done);
}

/// EL: the first plan.locked edges of the plan.
template <EdgeOperator Op>
__global__ void edge_locked_kernel(PlanView plan, Op op) {
    edge_locked_passes(plan, op, plan.locked, 0, true, 0);
}

/// NL (IV-B): a worker takes an item, keeps its vector in registers, locks only users. Edges whose user
/// is busy wait in the item's own list for the next pass; with `rest_by_el` (NL→EL, V-B) for EL.
template <EdgeOperator Op>
__global__ void node_locked_kernel(PlanView plan, Op op, bool rest_by_el) {
    auto grid = cooperative_groups::this_grid();
    auto* const next = reinterpret_cast<unsigned long long*>(plan.counters + next_item);
    auto* const el_size = reinterpret_cast<unsigned long long*>(plan.counters + worklist_size_0);
    EdgeId done = 0;
    for (EdgeId pass = 0;; ++pass) {
        for (;;) {
            // Items differ in degree by orders of magnitude: workers draw them one by one.
            unsigned long long item = 0;
            if (Op::Lanes::leads()) item = atomicAdd(next, 1ULL);
            item = __shfl_sync(Op::Lanes::mask(), item, 0, Op::Lanes::lanes);
            if (item >= plan.items) break;
            const EdgeId begin = plan.item_edges[item];
            const EdgeId size =
                pass == 0 ? plan.item_edges[item + 1] - begin : load_shared(plan.item_left + item);
            if (size == 0) continue;
            const VertexId v = plan.residents[item];
            auto col = op.load_col(v);
            EdgeId left = 0;
            for (EdgeId i = 0; i < size; ++i) {
                const EdgeId e = pass == 0 ? begin + i : load_shared(plan.item_todo + begin + i);
                const VertexId u = plan.row[e];
                bool locked = false;
                for (int attempt = 0; !locked && attempt < tuning::lock_attempts; ++attempt)
                    locked = try_lock<Op>(plan.row_locks + u);
                if (locked) {
                    auto row = op.load_row(u);
                    op.apply(row, col, plan.value[e], Place{e, pass, item});
                    op.store_row(u, row);
                    publish<Op>();
                    unlock<Op>(plan.row_locks + u);
                    ++done;
                } else if (rest_by_el) {
                    if (Op::Lanes::leads()) plan.worklist[0][atomicAdd(el_size, 1ULL)] = e;
                } else {
                    // Entry `left` <= i was read by every lane before the shuffles of try_lock.
                    if (Op::Lanes::leads()) store_shared(plan.item_todo + begin + left, e);
                    ++left;
                }
            }
            op.store_col(v, col);
            __syncwarp(Op::Lanes::mask());
            if (!rest_by_el && Op::Lanes::leads()) {
                store_shared(plan.item_left + item, left);
                if (left) add<Op>(plan.counters + items_left, 1);
            }
        }
        grid.sync();
        const bool more = !rest_by_el && load_shared(plan.counters + items_left) > 0;
        grid.sync();
        if (grid.thread_rank() == 0) {
            plan.counters[next_item] = plan.counters[items_left] = 0;
            ++plan.counters[passes];
        }
        grid.sync();
        if (!more) break;
    }
    if (Op::Lanes::leads()) add<Op>(plan.counters + updates, done);
    if (rest_by_el) edge_locked_passes(plan, op, load_shared(plan.counters + worklist_size_0), 0, false, 1);
}

/// Hogwild: every edge once, no synchronization, at most `workers` edges at a time.
template <EdgeOperator Op>
__global__ void racing_kernel(PlanView plan, Op op, EdgeId workers) {
    EdgeId done = 0;
    const EdgeId worker = EdgeId{threadIdx.x / Op::Lanes::lanes} * gridDim.x + blockIdx.x;
    const EdgeId stride = min(workers, worker_count<Op>());
    for (EdgeId e = worker; e < plan.edges && worker < stride; e += stride) {
        update_edge(plan, op, e, 0);
        ++done;
    }
    if (Op::Lanes::leads()) add<Op>(plan.counters + updates, done);
}

}  // namespace lockstep::gpu
