// The online traversals on the GPU: passes over worklists under locks, the outer loop on the device.
//
// The groups of a warp go through their edges in step, so that the waits for memory of all of them overlap:
// the loops below are those of a warp, and a group that has nothing to do goes along idly.
#pragma once

#include <cooperative_groups.h>

#include "lockstep/executor/cuda/worklist.cuh"

namespace lockstep::gpu {

/// Passes of EL (Kaleem et al., IV-A) until the worklist is empty; an edge whose ends cannot both be had is
/// put off to the next. `size` edges stand in worklist pass % 2; with `implicit` they are the edges 0 … size
/// - 1.
template <class Op>
__device__ void edge_locked_passes(const PlanView& plan, const Op& op, EdgeId size, bool implicit,
                                   EdgeId pass, const cooperative_groups::grid_group& grid) {
    const unsigned worker = spread_worker<Op>(), all = worker_count<Op>();
    bool in_blocks = plan.locked_in_blocks;
    unsigned active = min(EdgeId{all}, plan.locked_workers), done = 0;
    while (size > 0) {
        if (grid.thread_rank() == 0)
            *list_counter(plan, pass + 2) = 0, plan.counters[drawn + (pass + 1) % 3] = 0;
        Runs<Op> runs(size, worker, active, in_blocks, plan.counters + drawn + pass % 3);
        // The record of the next edge is on its way while the present one waits for its locks.
        EdgeRecord next{};
        const auto fetch = [&] {
            if (!runs.has()) return;
            next.e = implicit ? runs.at() : load_shared(plan.worklist[pass % 2] + runs.at());
            next.read(plan);
        };
        fetch();
        // The groups of a warp take their next edges together: each for itself was a third slower.
        while (__any_sync(~0U, runs.has())) {
            const EdgeRecord edge = next;
            bool busy = runs.has(), put_off = false;
            if (busy) runs.next();
            fetch();
            EdgeClaim<Op> claim(plan.row_locks + edge.u, plan.col_locks + edge.v);
            while (__any_sync(~0U, busy)) {
                if (busy) {
                    const auto answer = claim.ask(tuning::most_waiting, tuning::lock_attempts);
                    if (answer == EdgeClaim<Op>::granted) {
                        auto row = op.load_row(edge.u);
                        auto col = op.load_col(edge.v);
                        op.apply(row, col, edge.value, Place{edge.e, pass, edge.e});
                        op.store_row(edge.u, row);
                        op.store_col(edge.v, col);
                        claim.release();
                        ++done;
                    }
                    busy = answer == EdgeClaim<Op>::again;
                    put_off = answer == EdgeClaim<Op>::refused;
                }
                __syncwarp();
            }
            push<Op>(plan.worklist[1 - pass % 2], list_counter(plan, pass + 1), put_off, edge.e);
        }
        if (grid.thread_rank() == 0) ++plan.counters[passes];
        grid.sync();
        ++pass;
        implicit = in_blocks = false;
        const EdgeId left = load_shared(list_counter(plan, pass));
        active = next_active_workers(active, all, size, left);
        size = left;
    }
    add_once<Op>(plan.counters + updates, done);
}

/// EL: the first plan.locked edges of the plan.
template <EdgeOperator Op>
__global__ void __launch_bounds__(256, sizeof(typename Op::Row) > 16 ? 4 : 5)
    edge_locked_kernel(PlanView plan, Op op) {
    auto grid = cooperative_groups::this_grid();
    edge_locked_passes(plan, op, plan.locked, true, 0, grid);
}

/// NL (IV-B): a worker takes an item, keeps its vector in registers, locks only users, a few at a time.
/// Edges whose user is busy wait in the item's own list for the next pass; with `rest_by_el` (NL→EL, V-B) for
/// EL.
template <EdgeOperator Op>
class NodeLocked {
public:
    __device__ NodeLocked(const PlanView& plan, const Op& op, bool rest_by_el)
        : plan_(plan), op_(op), rest_by_el_(rest_by_el) {}

    __device__ void run() {
        auto grid = cooperative_groups::this_grid();
        const EdgeId all = worker_count<Op>();
        EdgeId active = all, items = plan_.items, tried = plan_.edges;
        for (pass_ = 0; items > 0; ++pass_) {
            if (grid.thread_rank() == 0)
                *list_counter(plan_, pass_ + 2) = 0, plan_.counters[deferred_edges + (pass_ + 2) % 3] = 0;
            const EdgeId worker = spread_worker<Op>();
            run_items(worker < active ? worker : items, items, active);
            grid.sync();
            if (grid.thread_rank() == 0) ++plan_.counters[passes];
            if (rest_by_el_) break;
            items = load_shared(list_counter(plan_, pass_ + 1));
            const EdgeId left = load_shared(plan_.counters + deferred_edges + (pass_ + 1) % 3);
            active = next_active_workers(active, all, tried, left);
            tried = left;
        }
        add_once<Op>(plan_.counters + updates, done_);
        if (!rest_by_el_) return;
        const EdgeId left = load_shared(list_counter(plan_, 1));
        edge_locked_passes(plan_, op_, left, false, 1, grid);
    }

private:
    static constexpr int lanes = Op::Lanes::lanes;
    static constexpr int batch = 8;                                 // edges at a time
    static constexpr int held = lanes < batch ? batch / lanes : 1;  // of these, by a lane

    /// The edges that a lane asks for, of a batch of its group.
    struct Batch {
        EdgeId e[held];
        VertexId u[held];
        float value[held];
        bool wanted[held];
    };
    __device__ __forceinline__ void fetch(Batch& edges, bool busy, EdgeId begin, EdgeId at,
                                          EdgeId size) const {
#pragma unroll
        for (int s = 0; s < held; ++s) {
            const int j = s * lanes + lane_of<Op>();
            edges.wanted[s] = busy && j < batch && at + static_cast<EdgeId>(j) < size;
            edges.e[s] = begin + at + static_cast<EdgeId>(j);
            if (edges.wanted[s] && pass_ > 0) edges.e[s] = load_shared(plan_.item_todo + edges.e[s]);
            edges.u[s] = 0, edges.value[s] = 0;
            if (edges.wanted[s]) edges.u[s] = plan_.row[edges.e[s]], edges.value[s] = plan_.value[edges.e[s]];
        }
    }

    /// The items next, next + stride, … of the pass.
    __device__ __forceinline__ void run_items(EdgeId next, EdgeId items, EdgeId stride) {
        EdgeId item = 0, begin = 0, size = 0, at = 0, left = 0;
        VertexId v = 0;
        typename Op::Col col{};
        Batch edges{};
        bool busy = false;
        while (__any_sync(~0U, busy || next < items)) {
            if (!busy && next < items) {
                item = pass_ == 0 ? next : load_shared(plan_.open_items[pass_ % 2] + next);
                next += stride;
                begin = plan_.item_edges[item];
                size = pass_ == 0 ? plan_.item_edges[item + 1] - begin : load_shared(plan_.item_left + item);
                at = left = 0;
                busy = size > 0;
                v = plan_.residents[item];
                if (busy) col = op_.load_col(v);
                fetch(edges, busy, begin, 0, size);
            }
            __syncwarp();
            // The item's next batch is on its way while this one waits for its locks.
            Batch coming;
            fetch(coming, busy, begin, at + batch, size);
            run_batch(edges, begin, left, col, item);
            edges = coming;
            bool open = false;
            if (busy && (at += batch) >= size) {
                op_.store_col(v, col);
                if (!rest_by_el_ && left) {
                    open = true;
                    if (Op::Lanes::leads()) store_shared(plan_.item_left + item, left);
                }
                busy = false;
            }
            if (rest_by_el_) continue;
            push<Op>(plan_.open_items[1 - pass_ % 2], list_counter(plan_, pass_ + 1), open, item);
            add_once<Op>(plan_.counters + deferred_edges + (pass_ + 1) % 3, open ? left : 0);
        }
    }

    /// Asks for all users of the batch at once, then updates in order.
    __device__ __forceinline__ void run_batch(const Batch& edges, EdgeId begin, EdgeId& left,
                                              typename Op::Col& col, EdgeId item) {
        bool mine[held];
#pragma unroll
        for (int s = 0; s < held; ++s)
            mine[s] = edges.wanted[s] && !(Lock(plan_.row_locks + edges.u[s]).ask() & Lock::held);
        __syncwarp();
        typename Op::Row row[batch];
        VertexId row_id[batch];
        bool has[batch];
#pragma unroll
        for (int j = 0; j < batch; ++j) {
            has[j] = from_lane<Op>(mine[j / lanes % held], j % lanes);
            row_id[j] = from_lane<Op>(edges.u[j / lanes % held], j % lanes);
            if (has[j]) row[j] = op_.load_row(row_id[j]);
        }
#pragma unroll
        for (int j = 0; j < batch; ++j) {
            const float r = from_lane<Op>(edges.value[j / lanes % held], j % lanes);
            const EdgeId edge = from_lane<Op>(edges.e[j / lanes % held], j % lanes);
            if (has[j]) {
                op_.apply(row[j], col, r, Place{edge, pass_, item});
                op_.store_row(row_id[j], row[j]);
                ++done_;
            }
        }
        __syncwarp();
#pragma unroll
        for (int s = 0; s < held; ++s) {
            if (mine[s]) Lock(plan_.row_locks + edges.u[s]).release();
        }
#pragma unroll
        for (int s = 0; s < held; ++s) {
            const bool failed = edges.wanted[s] && !mine[s];
            if (pass_ == 0) {
                put_off(failed, edges.e[s], begin, left);
            } else {
                wait_for_each(failed, edges.e[s], edges.u[s], edges.value[s], begin, left, col, item);
            }
        }
    }

    /// In later passes the edges of a group that failed wait for their users one by one, where not too many
    /// do so already. The group holds no other lock meanwhile.
    __device__ __forceinline__ void wait_for_each(bool failed, EdgeId e, VertexId u, float value,
                                                  EdgeId begin, EdgeId& left, typename Op::Col& col,
                                                  EdgeId item) {
        if (!__any_sync(~0U, failed)) return;
        bool refused = false;
#pragma unroll 1
        for (int lane = 0; lane < min(lanes, batch); ++lane) {
            const bool wanted = from_lane<Op>(failed, lane);
            const VertexId user = from_lane<Op>(u, lane);
            const float r = from_lane<Op>(value, lane);
            const EdgeId edge = from_lane<Op>(e, lane);
            const Lock lock(plan_.row_locks + user);
            bool waits = false;
            if (wanted && Op::Lanes::leads()) waits = lock.join(tuning::most_waiting_nl);
            waits = from_lane<Op>(waits, 0);
            if (lane_of<Op>() == lane) refused = wanted && !waits;
            while (__any_sync(~0U, waits)) {
                if (waits) {
                    unsigned word = 0;
                    if (Op::Lanes::leads()) word = lock.ask();
                    if (!(from_lane<Op>(word, 0) & Lock::held)) {
                        __syncwarp(Op::Lanes::mask());
                        auto row = op_.load_row(user);
                        op_.apply(row, col, r, Place{edge, pass_, item});
                        op_.store_row(user, row);
                        __syncwarp(Op::Lanes::mask());
                        if (Op::Lanes::leads()) lock.release(true);
                        ++done_;
                        waits = false;
                    }
                }
                __syncwarp();
            }
        }
        put_off(refused, e, begin, left);
    }

    /// An edge a lane: to the front of the item's own list, or to EL. All lanes.
    __device__ __forceinline__ void put_off(bool failed, EdgeId e, EdgeId begin, EdgeId& left) {
        const unsigned lane = threadIdx.x % 32, all = __ballot_sync(~0U, failed);
        if (rest_by_el_) {
            unsigned long long first = 0;
            if (all && lane == 0)
                first = atomicAdd(reinterpret_cast<unsigned long long*>(list_counter(plan_, 1)),
                                  static_cast<unsigned long long>(__popc(all)));
            first = __shfl_sync(~0U, first, 0);
            if (failed)
                store_shared(
                    plan_.worklist[1] + first + static_cast<unsigned>(__popc(all & ((1U << lane) - 1))), e);
            return;
        }
        const unsigned group = all & Op::Lanes::mask();
        // The entries of this batch and the next have been read by all lanes.
        if (failed)
            store_shared(
                plan_.item_todo + begin + left + static_cast<unsigned>(__popc(group & ((1U << lane) - 1))),
                e);
        left += static_cast<unsigned>(__popc(group));
    }

    const PlanView& plan_;
    const Op& op_;
    bool rest_by_el_;
    EdgeId pass_ = 0, done_ = 0;
};

template <EdgeOperator Op>
__global__ void __launch_bounds__(256) node_locked_kernel(PlanView plan, Op op, bool rest_by_el) {
    NodeLocked<Op>(plan, op, rest_by_el).run();
}

}  // namespace lockstep::gpu
