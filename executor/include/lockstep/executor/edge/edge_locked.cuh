// EL (edge_locked.hpp) on the GPU: passes over worklists of edges, whose endpoints are locked. One launch
// runs all passes.
//
// A worker is a lane group: the lanes of a warp that share an edge. The lane groups of a warp execute the
// same instructions together, so that their memory latencies overlap. All loops below therefore continue
// while any lane group of the warp has work, and lane groups without work take part idly.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/edge/edge_locked.hpp"
#include "lockstep/executor/edge/locks.cuh"
#include "lockstep/executor/edge/worklist.cuh"

namespace lockstep::gpu {

struct EdgeLockedView {
    EdgesView edges;
    EdgeId count;
    bool given;  ///< whether the first pass runs the edges 0 … count - 1, instead of those of a worklist
    /// whether each worker of the first pass gets one contiguous part of the edges
    bool in_blocks;
    EdgeId workers;  ///< maximum number of workers in the first pass
    int attempts, max_waiting;
    EdgeLockedPlan::Hub hub;  ///< the vertex whose deferred edges are counted
    unsigned *row_locks, *col_locks;
    EdgeId *even, *odd;  ///< worklists of the passes with an even and with an odd number
    EdgeId* counters;

    /// Returns the worklist of pass `pass`. An array of two pointers, indexed by a variable, would move the
    /// whole view to local memory.
    __device__ __forceinline__ EdgeId* worklist(EdgeId pass) const { return pass % 2 ? odd : even; }
};

/// The positions in the worklist that a worker processes in a pass of EL. They come in runs of consecutive
/// positions: the first run is determined by the worker's index, later runs are claimed from a shared
/// counter.
template <class Op>
class Runs {
public:
    /// Starts worker `worker` of `active` workers, with `size` positions in the worklist and the shared
    /// counter `drawn`. If `in_blocks`, the first run of each worker contains all its positions
    /// (plan_edge_locked in online.cpp explains when that is faster).
    __device__ __forceinline__ Runs(EdgeId size, unsigned worker, unsigned active, bool in_blocks,
                                    EdgeId* drawn)
        : size_(size), drawn_(drawn) {
        const EdgeId share = (size + active - 1) / active;
        run_ = in_blocks ? share : min(max(share / 4, EdgeId{1}), EdgeId{tuning::longest_run});
        first_drawn_ = min(size, active * run_);
        begin(worker < active ? worker * run_ : size);
    }
    __device__ __forceinline__ bool has() const { return at_ < size_; }
    __device__ __forceinline__ EdgeId at() const { return at_; }
    __device__ __forceinline__ void next() {
        if (++at_ < end_) return;
        unsigned long long more = size_;
        if (first_drawn_ < size_ && Op::Lanes::leads()) more = first_drawn_ + add_to(drawn_, run_);
        begin(broadcast_from_lane<Op>(more, 0));
    }

private:
    __device__ __forceinline__ void begin(EdgeId at) { at_ = min(at, size_), end_ = min(at_ + run_, size_); }

    EdgeId size_, run_, first_drawn_, at_, end_;
    EdgeId* drawn_;
};

/// Runs passes with one lock per edge attempt (strategy `el`) until no edge is left. A thread tries to lock
/// both endpoints of an edge; if it cannot, it appends the edge to the worklist of the next pass. The first
/// pass runs the edges 0 … count - 1 if the plan's `given` is true, otherwise those in the worklist of even
/// passes. All threads of the grid must call this function.
template <EdgeOperator Op>
__device__ __forceinline__ void edge_locked_passes(const EdgeLockedView& plan, const Op& op,
                                                   DeviceBarrier& barrier) {
    __shared__ unsigned sum;
    const bool leads = blockIdx.x == 0 && threadIdx.x == 0;
    bool given = plan.given;
    EdgeId size = given ? plan.count : load_shared(list_counter(plan.counters, 0)), pass = 0;
    const unsigned worker = spread_worker<Op>(), all = worker_count<Op>();
    bool in_blocks = plan.in_blocks;
    unsigned active = min(EdgeId{all}, plan.workers), done = 0;
    while (size > 0) {
        if (leads) *list_counter(plan.counters, pass + 2) = 0, plan.counters[drawn + (pass + 1) % 3] = 0;
        Runs<Op> runs(size, worker, active, in_blocks, plan.counters + drawn + pass % 3);
        // The indices and the value of the next edge are loaded while the current edge waits for its locks.
        EdgeRecord next{};
        const auto fetch = [&] {
            if (!runs.has()) return;
            next.e = given ? runs.at() : load_shared(plan.worklist(pass) + runs.at());
            next.read(plan.edges);
        };
        fetch();
        // The lane groups of a warp fetch their next edges together. Separate fetches took a third longer.
        while (__any_sync(~0U, runs.has())) {
            const EdgeRecord edge = next;
            bool busy = runs.has(), deferred = false;
            if (busy) runs.next();
            fetch();
            EdgeClaim<Op> claim(plan.row_locks + edge.u, plan.col_locks + edge.v);
            while (__any_sync(~0U, busy)) {
                if (busy) {
                    const auto answer = claim.try_lock(plan.max_waiting, plan.attempts);
                    if (answer == EdgeClaim<Op>::granted) {
                        auto row = op.load_row(edge.u);
                        auto col = op.load_col(edge.v);
                        op.apply(row, col, edge.value, EdgePosition{edge.e, pass, edge.e});
                        op.store_row(edge.u, row);
                        op.store_col(edge.v, col);
                        claim.release();
                        ++done;
                    }
                    busy = answer == EdgeClaim<Op>::again;
                    deferred = answer == EdgeClaim<Op>::refused;
                }
                __syncwarp();
            }
            if (deferred && plan.hub.edges && (plan.hub.is_row ? edge.u : edge.v) == plan.hub.vertex &&
                Op::Lanes::leads())
                add_to(plan.counters + deferred_edges, EdgeId{1});
            append(plan.worklist(pass + 1), list_counter(plan.counters, pass + 1),
                   deferred && Op::Lanes::leads(), edge.e);
        }
        if (leads) ++plan.counters[passes];
        barrier.sync();
        ++pass;
        given = in_blocks = false;
        const EdgeId left = load_shared(list_counter(plan.counters, pass));
        if (plan.max_waiting > 0)
            active = next_active_workers(active, all, size, left);
        else  // Like the paper, use all workers; but only one worker if no edge of the pass got its locks
            active = left < size ? all : 1;
        size = left;
    }
    add_of_block<Op>(plan.counters + updates, done, &sum);
}

template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::edge_locked.threads, sizeof(typename Op::Row) > 16 ? 4 : 5)
    edge_locked_kernel(EdgeLockedView plan, Op op) {
    DeviceBarrier barrier(plan.counters + arrivals);
    edge_locked_passes(plan, op, barrier);
}

/// The walk EL on one device. If `given` is false, another walk fills the worklist.
template <>
class DeviceWalk<EdgeLockedPlan> : public Counting {
public:
    DeviceWalk(const EdgeList& list, const EdgesView& edges, const EdgeLockedPlan& plan, bool given = true)
        : row_locks_(free_row_locks(list)),
          col_locks_(free_col_locks(list)),
          worklist_{Buffer<EdgeId>(plan.edges), Buffer<EdgeId>(plan.edges)},
          view_{edges,
                plan.edges,
                given,
                plan.in_blocks,
                plan.attempts ? ~EdgeId{0} : plan.workers,
                plan.attempts ? plan.attempts : tuning::lock_attempts,
                plan.attempts ? 0 : tuning::max_waiting,
                plan.hub,
                row_locks_.data(),
                list.ends == Ends::vertices ? row_locks_.data() : col_locks_.data(),
                worklist_[0].data(),
                worklist_[1].data(),
                counters_.data()} {}
    static EdgeId bytes(const EdgeList& list, const EdgeLockedPlan& plan) {
        return 4 * (EdgeId{list.rows} + list.cols) + 16 * plan.edges;
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        launch(edge_locked_kernel<Op>, tuning::edge_locked, 0, view_, op);
    }
    /// Returns the counts of the last sweep. If another walk fills the worklist, the attempts at the hub's
    /// edges are not counted, because that walk does not count its attempts.
    SweepCounts counts() const { return counters_.in_passes(view_.given ? view_.hub.edges : 0); }
    const EdgeLockedView& view() const { return view_; }

private:
    Buffer<unsigned> row_locks_, col_locks_;
    Buffer<EdgeId> worklist_[2];
    EdgeLockedView view_;
};

}  // namespace lockstep::gpu
