// Nested parallelism (IrGL): each thread of a block has a list of numbers, for example a range of edge IDs.
// According to its length and the balance (shares.hpp), a list is processed by its thread, a part of a warp,
// a warp or the block, or many short lists are distributed evenly over all threads.
#pragma once

#include "lockstep/executor/csr/lists.cuh"
#include "lockstep/executor/csr/shares.hpp"

namespace lockstep::gpu {

/// Parameters that determine which workers process a list. They have the same values in all threads.
struct ShareView {
    unsigned lanes, small, large;
    bool fine, warp, block;

    explicit ShareView(const Shares& shares)
        : lanes(static_cast<unsigned>(shares.balance.lanes)),
          small(static_cast<unsigned>(std::min<EdgeId>(shares.small, ~0U))),
          large(static_cast<unsigned>(std::min<EdgeId>(shares.large, ~0U))),
          fine(shares.balance.fine),
          warp(shares.balance.warp),
          block(shares.balance.block) {
        const bool few = fine || lanes > 0;
        if (warp && !few) small = 0;
        if (block && !warp && !few) large = 0;
    }
};

/// Processes the lists of a block's threads. An object of this class must be in shared memory. A list is a
/// range of numbers.
template <int threads, class Number>
class Nested {
public:
    struct List {
        Number first, last;
        VertexId owner;
    };

    /// Calls visit(list, number) for each number in the lists of all threads. All threads of the block must
    /// call it together.
    template <class Visit>
    __device__ __forceinline__ void each(const ShareView& share, const List& mine, Visit visit) {
        const Number size = mine.last - mine.first;
        const bool to_block = size > 0 && share.block && size >= share.large,
                   to_warp = size > 0 && !to_block && share.warp && size >= share.small,
                   few = size > 0 && !to_block && !to_warp;
        if (share.lanes == 1 && !share.fine) {
            if (few) {
                for (Number e = mine.first; e < mine.last; ++e) visit(mine, e);
            }
            __syncwarp();
        }
        if (share.lanes > 1 && !share.fine) by_lanes(mine, few, share.lanes, visit);
        if (share.warp) by_lanes(mine, to_warp, 32, visit);
        if (share.block && __syncthreads_or(to_block)) {
            if (threadIdx.x == 0) wide_ = 0;
            __syncthreads();
            if (to_block) lists_[atomicAdd(&wide_, 1U)] = mine;
            __syncthreads();
            for (unsigned i = 0; i < wide_; ++i) {
                const List list = lists_[i];
                for (Number e = list.first + threadIdx.x; e < list.last; e += threads) visit(list, e);
            }
            __syncthreads();
        }
        if (share.fine) {
            lists_[threadIdx.x] = mine;
            const Number all = dealt_.distribute(few ? size : 0);
            for (Number i = threadIdx.x; i < all; i += threads) {
                Number its;
                const List& list = lists_[dealt_.owner(i, &its)];
                visit(list, list.first + its);
            }
            __syncthreads();
        }
    }

private:
    /// Processes each list with `has` by a group of `lanes` neighbouring threads. A group processes the lists
    /// of its own threads one after another.
    template <class Visit>
    __device__ __forceinline__ static void by_lanes(const List& mine, bool has, unsigned lanes, Visit visit) {
        for (unsigned left = __ballot_sync(~0U, has), turn = 0; turn < lanes; ++turn) {
            if (lanes == 32 && !(left >> turn & 1)) continue;
            const int from = static_cast<int>(lane_of_warp() / lanes * lanes + turn);
            const List list{__shfl_sync(~0U, mine.first, from), __shfl_sync(~0U, mine.last, from),
                            __shfl_sync(~0U, mine.owner, from)};
            if (left >> from & 1) {
                for (Number e = list.first + lane_of_warp() % lanes; e < list.last; e += lanes)
                    visit(list, e);
            }
            __syncwarp();
        }
    }

    BlockDistribution<threads, Number> dealt_;
    List lists_[threads];
    unsigned wide_;
};

}  // namespace lockstep::gpu
