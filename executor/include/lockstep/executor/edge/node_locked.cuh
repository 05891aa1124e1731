// NL (node_locked.hpp) on the GPU: passes over the columns. One launch runs all passes. A worker is a lane
// group, and the lane groups of a warp execute the same instructions together, as in EL (edge_locked.cuh).
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/edge/edge_locked.cuh"
#include "lockstep/executor/edge/node_locked.hpp"

namespace lockstep::gpu {

struct NodeLockedView {
    EdgesView edges;
    EdgeId columns;
    const VertexId* column;      ///< columns in the order in which workers process them
    const EdgeId* column_edges;  ///< index of the first edge of each entry of `column`
    unsigned* row_locks;
    /// deferred edges (those of a column start at the column's offset), and their number per column
    EdgeId *todo, *left;
    /// lists of the columns with deferred edges, for passes with an even and with an odd number
    EdgeId *even, *odd;
    /// NL→EL: the worklist of EL, and the number of its edges
    EdgeId *rest, *rest_size;
    EdgeId* counters;

    /// Returns the list of columns of pass `pass`. An array of two pointers, indexed by a variable, would
    /// move the whole view to local memory.
    __device__ __forceinline__ EdgeId* open(EdgeId pass) const { return pass % 2 ? odd : even; }
};

/// The work of one lane group. It takes a column, keeps its vector in registers, and processes the column's
/// edges in batches: it tries the locks of all rows of a batch, and updates the edges whose locks it got. The
/// other edges are deferred to the next pass, in a list per column. If `LeavesRest` (NL→EL), they are
/// appended to the worklist of EL instead, and there is only one pass.
template <EdgeOperator Op, bool LeavesRest>
class NodeLocked {
public:
    __device__ NodeLocked(const NodeLockedView& plan, const Op& op) : plan_(plan), op_(op) {}

    /// Runs all passes. All threads of the grid must call it, because each pass ends with a device-wide
    /// barrier.
    __device__ void run(DeviceBarrier& barrier) {
        __shared__ unsigned sum;
        const bool leads = blockIdx.x == 0 && threadIdx.x == 0;
        const EdgeId all = worker_count<Op>();
        EdgeId active = all, columns = plan_.columns, tried = plan_.edges.edges;
        for (pass_ = 0; columns > 0; ++pass_) {
            if (leads)
                *list_counter(plan_.counters, pass_ + 2) = 0,
                                                      plan_.counters[deferred_edges + (pass_ + 2) % 3] = 0;
            const EdgeId worker = spread_worker<Op>();
            run_columns(worker < active ? worker : columns, columns, active);
            barrier.sync();
            if (leads) ++plan_.counters[passes];
            if (LeavesRest) break;
            columns = load_shared(list_counter(plan_.counters, pass_ + 1));
            const EdgeId left = load_shared(plan_.counters + deferred_edges + (pass_ + 1) % 3);
            active = next_active_workers(active, all, tried, left);
            // no edge got its lock: the groups have blocked each other
            if (of_one_set<Op> && left == tried) active = 1;
            tried = left;
        }
        add_of_block<Op>(plan_.counters + updates, done_, &sum);
    }

private:
    static constexpr int lanes = Op::Lanes::lanes;
    __device__ __forceinline__ bool has_column() const { return !of_one_set<Op> || owned_; }
    static constexpr int batch = 8;  // number of edges of a batch, whose locks are tried together
    // number of edges of a batch that each lane loads
    static constexpr int held = lanes < batch ? batch / lanes : 1;

    /// The edges of a batch that one lane loads and whose rows it locks.
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
            if (!LeavesRest && edges.wanted[s] && pass_ > 0)
                edges.e[s] = load_shared(plan_.todo + edges.e[s]);
            edges.u[s] = 0, edges.value[s] = 0;
            if (edges.wanted[s])
                edges.u[s] = plan_.edges.row[edges.e[s]], edges.value[s] = plan_.edges.value[edges.e[s]];
        }
    }

    /// Processes every `stride`-th column of the pass, beginning with column `next`.
    __device__ __forceinline__ void run_columns(EdgeId next, EdgeId columns, EdgeId stride) {
        EdgeId column = 0, begin = 0, size = 0, at = 0, left = 0;
        VertexId v = 0;
        typename Op::Col col{};
        Batch edges{};
        bool busy = false;
        owned_ = true;
        while (__any_sync(~0U, busy || next < columns)) {
            if (!busy && next < columns) {
                column = pass_ == 0 ? next : load_shared(plan_.open(pass_) + next);
                next += stride;
                begin = plan_.column_edges[column];
                size = pass_ == 0 ? plan_.column_edges[column + 1] - begin : load_shared(plan_.left + column);
                at = left = 0;
                busy = size > 0;
                v = plan_.column[column];
                // If rows and columns are vertices of one set, other groups may access the column as a row. A
                // group that cannot lock its column defers all edges of the column.
                if (of_one_set<Op> && busy) owned_ = !(Lock(plan_.row_locks + v).try_lock() & Lock::held);
                if (busy && has_column()) col = op_.load_col(v);
                fetch(edges, busy, begin, 0, size);
            }
            __syncwarp();
            // The next batch of the column is loaded while this batch waits for its locks.
            Batch coming;
            fetch(coming, busy, begin, at + batch, size);
            run_batch(edges, begin, left, col, v, column);
            edges = coming;
            bool open = false;
            if (busy && (at += batch) >= size) {
                if (has_column()) op_.store_col(v, col);
                if (of_one_set<Op> && owned_) Lock(plan_.row_locks + v).release();
                if (!LeavesRest && left) {
                    open = true;
                    if (Op::Lanes::leads()) store_shared(plan_.left + column, left);
                }
                busy = false;
            }
            if (LeavesRest) continue;
            append(plan_.open(pass_ + 1), list_counter(plan_.counters, pass_ + 1), open && Op::Lanes::leads(),
                   column);
            add_once<Op>(plan_.counters + deferred_edges + (pass_ + 1) % 3, open ? left : 0);
        }
    }

    /// Tries the locks of all rows of the batch concurrently, then updates the edges whose row was locked, in
    /// order.
    __device__ __forceinline__ void run_batch(const Batch& edges, EdgeId begin, EdgeId& left,
                                              typename Op::Col& col, VertexId v, EdgeId column) {
        bool mine[held];
        const auto is_loop = [&](int s) { return of_one_set<Op> && edges.u[s] == v; };
#pragma unroll
        for (int s = 0; s < held; ++s)
            mine[s] = edges.wanted[s] && has_column() &&
                      (is_loop(s) || !(Lock(plan_.row_locks + edges.u[s]).try_lock() & Lock::held));
        __syncwarp();
        typename Op::Row row[batch];
        VertexId row_id[batch];
        bool has[batch];
#pragma unroll
        for (int j = 0; j < batch; ++j) {
            has[j] = broadcast_from_lane<Op>(mine[j / lanes % held], j % lanes);
            row_id[j] = broadcast_from_lane<Op>(edges.u[j / lanes % held], j % lanes);
            if (has[j]) row[j] = op_.load_row(row_id[j]);
        }
#pragma unroll
        for (int j = 0; j < batch; ++j) {
            const float r = broadcast_from_lane<Op>(edges.value[j / lanes % held], j % lanes);
            const EdgeId edge = broadcast_from_lane<Op>(edges.e[j / lanes % held], j % lanes);
            if (has[j]) {
                op_.apply(row[j], col, r, EdgePosition{edge, pass_, column});
                op_.store_row(row_id[j], row[j]);
                ++done_;
            }
        }
        __syncwarp();
#pragma unroll
        for (int s = 0; s < held; ++s) {
            if (mine[s] && !is_loop(s)) Lock(plan_.row_locks + edges.u[s]).release();
        }
#pragma unroll
        for (int s = 0; s < held; ++s) {
            const bool failed = edges.wanted[s] && !mine[s];
            // If there is one set of vertices, the group holds the lock of its column. It must not wait for
            // another lock, because groups could then wait for each other forever.
            if (LeavesRest || pass_ == 0 || of_one_set<Op>) {
                defer_edge(failed, edges.e[s], begin, left);
            } else {
                wait_for_each(failed, edges.e[s], edges.u[s], edges.value[s], begin, left, col, column);
            }
        }
    }

    /// After the first pass, a group waits for the locks that it did not get, one after another, unless too
    /// many groups already wait for a lock. It holds no other lock while it waits.
    __device__ __forceinline__ void wait_for_each(bool failed, EdgeId e, VertexId u, float value,
                                                  EdgeId begin, EdgeId& left, typename Op::Col& col,
                                                  EdgeId column) {
        if (!__any_sync(~0U, failed)) return;
        bool refused = false;
#pragma unroll 1
        for (int lane = 0; lane < min(lanes, batch); ++lane) {
            const bool wanted = broadcast_from_lane<Op>(failed, lane);
            const VertexId row_end = broadcast_from_lane<Op>(u, lane);
            const float r = broadcast_from_lane<Op>(value, lane);
            const EdgeId edge = broadcast_from_lane<Op>(e, lane);
            const Lock lock(plan_.row_locks + row_end);
            bool waits = false;
            if (wanted && Op::Lanes::leads()) waits = lock.join(tuning::max_waiting_nl);
            waits = broadcast_from_lane<Op>(waits, 0);
            if (lane_of<Op>() == lane) refused = wanted && !waits;
            while (__any_sync(~0U, waits)) {
                if (waits) {
                    unsigned word = 0;
                    if (Op::Lanes::leads()) word = lock.try_lock();
                    if (!(broadcast_from_lane<Op>(word, 0) & Lock::held)) {
                        __syncwarp(Op::Lanes::mask());
                        auto row = op_.load_row(row_end);
                        op_.apply(row, col, r, EdgePosition{edge, pass_, column});
                        op_.store_row(row_end, row);
                        __syncwarp(Op::Lanes::mask());
                        if (Op::Lanes::leads()) lock.release(true);
                        ++done_;
                        waits = false;
                    }
                }
                __syncwarp();
            }
        }
        defer_edge(refused, e, begin, left);
    }

    /// Defers at most one edge per lane: appends it to the column's list of deferred edges, or to the
    /// worklist of EL. All lanes must call it.
    __device__ __forceinline__ void defer_edge(bool failed, EdgeId e, EdgeId begin, EdgeId& left) {
        if (LeavesRest) return append(plan_.rest, plan_.rest_size, failed, e);
        const unsigned lane = threadIdx.x % 32;
        const unsigned group = __ballot_sync(~0U, failed) & Op::Lanes::mask();
        // Overwriting the list is safe: all lanes have already read its entries for this batch and the next
        // one.
        if (failed)
            store_shared(
                plan_.todo + begin + left + static_cast<unsigned>(__popc(group & ((1U << lane) - 1))), e);
        left += static_cast<unsigned>(__popc(group));
    }

    const NodeLockedView& plan_;
    const Op& op_;
    EdgeId pass_ = 0, done_ = 0;
    bool owned_ = true;  // whether this group holds the lock of its column (one set of vertices only)
};

template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::node_locked.threads)
    node_locked_kernel(NodeLockedView plan, Op op) {
    DeviceBarrier barrier(plan.counters + arrivals);
    NodeLocked<Op, false>(plan, op).run(barrier);
}

/// The walk NL on one device. The second constructor is for NL→EL (composed.cuh): the pass appends deferred
/// edges to the worklist of EL, whose view is `rest`.
template <>
class DeviceWalk<NodeLockedPlan> : public Counting {
public:
    DeviceWalk(const EdgeList& list, const EdgesView& edges, const NodeLockedPlan& plan)
        : row_locks_(free_row_locks(list)),
          todo_(list.edges()),
          left_(plan.columns.size()),
          open_{Buffer<EdgeId>(plan.columns.size()), Buffer<EdgeId>(plan.columns.size())} {
        upload(edges, plan);
        view_.row_locks = row_locks_.data(), view_.todo = todo_.data(), view_.left = left_.data();
        view_.even = open_[0].data(), view_.odd = open_[1].data();
    }
    DeviceWalk(const EdgesView& edges, const NodeLockedPlan& plan, const EdgeLockedView& rest) {
        upload(edges, plan);
        view_.row_locks = rest.row_locks, view_.rest = rest.even, view_.rest_size = rest.counters + list_size;
    }
    static EdgeId bytes(const EdgeList& list, const NodeLockedPlan& plan) {
        return plan.bytes() + 4 * EdgeId{list.rows} + 8 * list.edges() + 24 * plan.columns.size();
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        launch(node_locked_kernel<Op>, tuning::node_locked, 0, view_, op);
    }
    SweepCounts counts() const { return counters_.in_passes(); }
    const NodeLockedView& view() const { return view_; }

private:
    void upload(const EdgesView& edges, const NodeLockedPlan& plan) {
        view_.edges = edges, view_.columns = plan.columns.size(), view_.counters = counters_.data();
        put(view_.column, column_, plan.columns), put(view_.column_edges, column_edges_, plan.column_edges);
    }

    Buffer<VertexId> column_;
    Buffer<EdgeId> column_edges_;
    Buffer<unsigned> row_locks_;
    Buffer<EdgeId> todo_, left_, open_[2];
    NodeLockedView view_{};
};

}  // namespace lockstep::gpu
