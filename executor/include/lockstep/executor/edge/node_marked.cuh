// NL with marks (node_marked.hpp) on the GPU. The block size T is the number of workers (lane groups) that
// the device holds concurrently, and one launch runs all passes. The lane groups of a warp execute the same
// instructions together.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/edge/locks.cuh"
#include "lockstep/executor/edge/node_marked.hpp"
#include "lockstep/executor/edge/worklist.cuh"

namespace lockstep::gpu {

struct NodeMarkedView {
    EdgesView edges;
    EdgeId columns;
    const VertexId* column;
    const EdgeId* column_edges;  ///< index of the first edge of each entry of `column`
    unsigned* row_locks;
    /// whether each edge has been updated; only the worker of the edge's column accesses it
    std::uint8_t* marked;
    EdgeId* counters;
};

/// One attempt to lock the row of an edge or, if rows and columns are vertices of one set, both endpoints,
/// the smaller index first.
template <class Op>
class UserClaim {
public:
    __device__ __forceinline__ UserClaim(unsigned* locks, VertexId u, VertexId v)
        : first_(locks + (of_one_set<Op> ? min(u, v) : u)),
          second_(locks + (of_one_set<Op> ? max(u, v) : u)),
          two_(of_one_set<Op> && u != v) {}
    /// Tries the locks, and returns whether the group holds them. All lanes of the group must call it.
    __device__ __forceinline__ bool try_lock() const {
        bool has = false;
        if (Op::Lanes::leads()) {
            has = is_free(first_.try_lock());
            if (has && two_ && !is_free(second_.try_lock())) first_.put_back(), has = false;
        }
        has = broadcast_from_lane<Op>(has, 0);
        __syncwarp(Op::Lanes::mask());  // makes data that the locks protect visible to all lanes
        return has;
    }
    /// Releases the locks. Both endpoints must have been stored.
    __device__ __forceinline__ void release() const {
        __syncwarp(Op::Lanes::mask());
        if (!Op::Lanes::leads()) return;
        first_.release();
        if (two_) second_.release();
    }

private:
    static __device__ __forceinline__ bool is_free(unsigned word) { return !(word & Lock::held); }
    Lock first_, second_;
    bool two_;
};

template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::node_locked.threads)
    node_marked_kernel(NodeMarkedView plan, Op op) {
    __shared__ unsigned sum;
    DeviceBarrier barrier(plan.counters + arrivals);
    const bool leads = blockIdx.x == 0 && threadIdx.x == 0;
    EdgeId pass = 0, done = 0;
    for (EdgeId first = 0; first < plan.columns; first += worker_count<Op>()) {
        const EdgeId column = first + spread_worker<Op>();
        const bool has_item = column < plan.columns;
        const EdgeId begin = has_item ? plan.column_edges[column] : 0;
        const EdgeId size = has_item ? plan.column_edges[column + 1] - begin : 0;
        const VertexId v = has_item ? plan.column[column] : 0;
        typename Op::Col col{};
        if (has_item && !of_one_set<Op>) col = op.load_col(v);
        bool more = true;
        for (bool marks = false; more; marks = true, ++pass) {
            if (leads) *list_counter(plan.counters, pass + 1) = 0;
            EdgeId left = 0;
            for (EdgeId i = 0; __any_sync(~0U, i < size); ++i) {
                // In the first pass of a sweep, the marks are those of the previous sweep and must not be
                // read.
                if (i < size && !(marks && plan.marked[begin + i])) {
                    EdgeRecord edge{};
                    edge.e = begin + i, edge.read(plan.edges);
                    const UserClaim<Op> claim(plan.row_locks, edge.u, v);
                    const bool has = claim.try_lock();
                    if (has) {
                        auto row = op.load_row(edge.u);
                        if (of_one_set<Op>) col = op.load_col(v);
                        op.apply(row, col, edge.value, EdgePosition{edge.e, pass, column});
                        op.store_row(edge.u, row);
                        if (of_one_set<Op>) op.store_col(v, col);
                        claim.release();
                    }
                    if (Op::Lanes::leads()) plan.marked[edge.e] = has;
                    ++(has ? done : left);
                }
                __syncwarp();
            }
            add_of_block<Op>(list_counter(plan.counters, pass), left, &sum);
            if (leads) ++plan.counters[passes];
            barrier.sync();
            more = load_shared(list_counter(plan.counters, pass)) > 0;
        }
        if (has_item && !of_one_set<Op>) op.store_col(v, col);
    }
    add_of_block<Op>(plan.counters + updates, done, &sum);
}

template <>
class DeviceWalk<NodeMarkedPlan> : public Counting {
public:
    DeviceWalk(const EdgeList& list, const EdgesView& edges, const NodeMarkedPlan& plan)
        : row_locks_(free_row_locks(list)), marked_(list.edges()) {
        view_.edges = edges, view_.columns = plan.columns.size(), view_.counters = counters_.data();
        put(view_.column, column_, plan.columns), put(view_.column_edges, column_edges_, plan.column_edges);
        view_.row_locks = row_locks_.data(), view_.marked = marked_.data();
    }
    static EdgeId bytes(const EdgeList& list, const NodeMarkedPlan& plan) {
        return plan.bytes() + 4 * EdgeId{list.rows} + list.edges();
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        launch(node_marked_kernel<Op>, tuning::node_locked, 0, view_, op);
    }
    SweepCounts counts() const { return counters_.in_passes(); }

private:
    Buffer<VertexId> column_;
    Buffer<EdgeId> column_edges_;
    Buffer<unsigned> row_locks_;
    Buffer<std::uint8_t> marked_;
    NodeMarkedView view_{};
};

}  // namespace lockstep::gpu
