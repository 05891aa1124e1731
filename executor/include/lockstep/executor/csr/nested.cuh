// Nested parallelism (IrGL): each thread of a block has a list of numbers, for example a range of edge IDs.
// According to its length and the balance (shares.hpp), a list is processed by its thread, a part of a warp,
// a warp or the block, or many short lists are distributed evenly over all threads.
#pragma once

#include "lockstep/executor/csr/lists.cuh"
#include "lockstep/executor/csr/shares.hpp"

namespace lockstep::gpu {

/// Neighbouring threads of a warp that process a list together.
struct LaneGroup {
    unsigned lane, lanes, mask;  ///< index of this thread in the group, number of threads, and their bits

    /// Returns true if `some` is true in any thread of the group.
    __device__ __forceinline__ bool any(bool some) const { return __any_sync(mask, some); }
    /// Combines the values of all threads. Each thread gets the result.
    template <class T, class CombineMethod>
    __device__ __forceinline__ T reduce(T value, CombineMethod combine, T*) const {
        return over_lanes(value, combine, static_cast<int>(lanes), mask);
    }
};

/// All threads of a block, which process a list together.
template <int threads>
struct WholeBlock {
    static constexpr unsigned lanes = threads;
    unsigned lane = threadIdx.x;

    __device__ __forceinline__ bool any(bool some) const { return __syncthreads_or(some); }
    /// Combines the values of all threads. Only thread 0 gets the result. `of_warps` is shared memory for one
    /// value per warp.
    template <class T, class CombineMethod>
    __device__ __forceinline__ T reduce(T value, CombineMethod combine, T* of_warps) const {
        value = over_lanes(value, combine);
        if (lane_of_warp() == 0) of_warps[threadIdx.x / 32] = value;
        __syncthreads();
        if (threadIdx.x == 0) {
            for (int i = 1; i < threads / 32; ++i) value = combine(value, of_warps[i]);
        }
        __syncthreads();
        return value;
    }
};

/// A list of consecutive numbers that belongs to a vertex.
template <class Number>
struct OwnedList {
    Number first, last;
    VertexId owner;
};
/// A visitor that calls visit(list, number) for each number.
template <class Visit>
struct NumberVisitor {
    Visit visit;

    template <class List, class Group>
    __device__ __forceinline__ void visit_list(const List& list, const Group& group) const {
        for (auto e = list.first + group.lane; e < list.last; e += group.lanes) visit(list, e);
    }
    template <class List, class Number>
    __device__ __forceinline__ void visit_number(const List& list, Number e) const {
        visit(list, e);
    }
    template <class List>
    __device__ __forceinline__ List from_lane(const List& list, int lane, unsigned mask) const {
        return {__shfl_sync(mask, list.first, lane), __shfl_sync(mask, list.last, lane),
                __shfl_sync(mask, list.owner, lane)};
    }
};

/// Processes the lists of a block's threads. An object of this class must be in shared memory. A list has the
/// members `first` and `last`, the range of its numbers. A visitor has the member functions
///
///     visit_list(list, group)         processes a list with the threads of a LaneGroup or of the WholeBlock
///     visit_number(list, number)      processes one number of a list in this thread
///     from_lane(list, lane, mask)     returns the list of another lane; `mask` contains the calling lanes
template <int threads, class Item>
class Nested {
public:
    using List = Item;
    using Number = decltype(List::first);

    /// Processes the lists of all threads with `has`. All threads of the block must call it together.
    template <class Visitor>
    __device__ __forceinline__ void each(const Shares& shares, const List& mine, bool has,
                                         Visitor&& visitor) {
        const Balance& balance = shares.balance;
        const Number size = mine.last - mine.first;
        const bool few = balance.lanes || balance.fine;
        const bool to_block = has && balance.block && (size >= shares.large || !(few || balance.warp));
        const bool to_warp = has && !to_block && balance.warp && (size >= shares.small || !few);
        const bool rest = has && !to_block && !to_warp;
        if (balance.block) by_block(mine, to_block, visitor);
        if (balance.warp) by_lanes(mine, to_warp, 32, visitor);
        if (balance.fine)
            evenly(mine, rest, visitor);
        else if (balance.lanes)
            by_lanes(mine, rest, static_cast<unsigned>(balance.lanes), visitor);
    }

    /// Calls visit(list, number) for each number in the lists of all threads. All threads of the block must
    /// call it together.
    template <class Visit>
    __device__ __forceinline__ void each_number(const Shares& shares, const List& mine, Visit visit) {
        each(shares, mine, mine.first < mine.last, NumberVisitor<Visit>{visit});
    }

    /// Processes each list with `has` by a group of `lanes` neighbouring threads. A group processes the lists
    /// of its own threads one after another.
    template <class Visitor>
    __device__ __forceinline__ static void by_lanes(const List& mine, bool has, unsigned lanes,
                                                    Visitor&& visitor) {
        if (lanes == 1) {
            if (has) visitor.visit_list(mine, LaneGroup{0, 1, 1U << lane_of_warp()});
            __syncwarp();
            return;
        }
        const unsigned first = lane_of_warp() & ~(lanes - 1);
        const unsigned mask = lanes == 32 ? ~0U : ((1U << lanes) - 1) << first;
        for_each_bit(__ballot_sync(~0U, has) & mask, [&](int from) {
            visitor.visit_list(visitor.from_lane(mine, from, mask),
                               LaneGroup{lane_of_warp() - first, lanes, mask});
        });
        __syncwarp();
    }
    /// Processes each list with `has` by all threads of the block, one list after another.
    template <class Visitor>
    __device__ __forceinline__ void by_block(const List& mine, bool has, Visitor&& visitor) {
        if (!__syncthreads_or(has)) return;
        if (threadIdx.x == 0) count_ = 0;
        __syncthreads();
        if (has) lists_[atomicAdd(&count_, 1U)] = mine;
        __syncthreads();
        for (unsigned i = 0; i < count_; ++i) visitor.visit_list(lists_[i], WholeBlock<threads>());
        __syncthreads();
    }
    /// Processes the numbers of all lists with `has`, distributed evenly over the threads of the block.
    template <class Visitor>
    __device__ __forceinline__ void evenly(const List& mine, bool has, Visitor&& visitor) {
        lists_[threadIdx.x] = mine;
        const Number all = numbers_.distribute(has ? mine.last - mine.first : 0);
        for (Number i = threadIdx.x; i < all; i += threads) {
            Number its;
            const List& list = lists_[numbers_.owner(i, &its)];
            visitor.visit_number(list, list.first + its);
        }
        __syncthreads();
    }

private:
    BlockDistribution<threads, Number> numbers_;
    List lists_[threads];
    unsigned count_;
};

}  // namespace lockstep::gpu
