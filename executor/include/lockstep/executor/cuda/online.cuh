// The online traversals on the GPU: locks, or none; passes over worklists, the outer loop on the device.
#pragma once

#include "lockstep/executor/cuda/offline.cuh"
#include "lockstep/executor/cuda/tuning.hpp"

namespace lockstep::cuda {

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

/// Passes of EL (Kaleem et al., IV-A) until the worklist is empty. `size` edges stand in worklist `in`;
/// in the first pass with `implicit` they are the edges 0 … size - 1 themselves.
template <class Op>
__device__ void edge_locked_passes(const PlanView& plan, const Op& op, EdgeId size, int in, bool implicit, EdgeId pass) {
    auto grid = cooperative_groups::this_grid();
    EdgeId done = 0;
    while (size > 0) {
        EdgeId* const deferred = plan.worklist[1 - in];
        auto* const deferred_size = reinterpret_cast<unsigned long long*>(plan.counters + worklist_size_0 + (1 - in));
        for (EdgeId i = worker_index<Op>(); i < size; i += worker_count<Op>()) {
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
        size = load_shared(plan.counters + worklist_size_0 + in);
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
            const EdgeId size = pass == 0 ? plan.item_edges[item + 1] - begin : load_shared(plan.item_left + item);
            if (size == 0) continue;
            const VertexId v = plan.residents[item];
            auto col = op.load_col(v);
            EdgeId left = 0;
            for (EdgeId i = 0; i < size; ++i) {
                const EdgeId e = pass == 0 ? begin + i : load_shared(plan.item_todo + begin + i);
                const VertexId u = plan.row[e];
                bool locked = false;
                for (int attempt = 0; !locked && attempt < tuning::lock_attempts; ++attempt) locked = try_lock<Op>(plan.row_locks + u);
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

/// Hogwild: every edge once, no synchronization.
template <EdgeOperator Op>
__global__ void racing_kernel(PlanView plan, Op op) {
    EdgeId done = 0;
    for (EdgeId e = worker_index<Op>(); e < plan.edges; e += worker_count<Op>()) {
        update_edge(plan, op, e, 0);
        ++done;
    }
    if (Op::Lanes::leads()) add<Op>(plan.counters + updates, done);
}

}  // namespace lockstep::cuda
