// The locks of vertices on a GPU. A worker tries a lock once, or waits for it unless too many other workers
// already wait.
//
// A lock is a 32-bit word. Bit 0 is set while the lock is held. The bits above it contain the number of
// waiting workers. The highest bits contain the rank of the vertex, a number that grows with its degree. If
// the number of waiting workers is at its maximum, a further worker gives up. Thousands of workers that poll
// the lock of a hub would delay its release; a few suffice to take the lock as soon as it is free.
#pragma once

#include <bit>
#include <cuda/atomic>
#include <initializer_list>

#include "lockstep/executor/device/memory.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/list.hpp"

namespace lockstep::gpu {

class Lock {
public:
    __device__ __forceinline__ explicit Lock(unsigned* word) : word_(word) {}

    /// Tries to acquire the lock, and returns the previous word. If bit 0 of this word is 0, the caller now
    /// holds the lock and sees all writes of the previous holder.
    __device__ __forceinline__ unsigned try_lock() const {
        return word().fetch_or(held, cuda::memory_order_acquire);
    }
    /// Adds the caller to the waiting workers, unless at least `most` workers already wait. Returns whether
    /// it was added.
    __device__ __forceinline__ bool join(unsigned most) const {
        if (waiting_count(word().fetch_add(one_waiting, cuda::memory_order_relaxed)) < most) return true;
        leave();
        return false;
    }
    __device__ __forceinline__ void leave() const {
        word().fetch_sub(one_waiting, cuda::memory_order_relaxed);
    }
    /// Releases the lock, and removes the caller from the waiting workers if it has `waited`. The next holder
    /// sees everything that the caller's lane group has stored before.
    __device__ __forceinline__ void release(bool waited = false) const {
        word().fetch_sub(waited ? held + one_waiting : held, cuda::memory_order_release);
    }

    /// Releases a lock that was acquired, if nothing was written meanwhile. No memory ordering is needed.
    __device__ __forceinline__ void put_back() const { word().fetch_sub(held, cuda::memory_order_relaxed); }

    static constexpr unsigned held = 1, one_waiting = 2, one_rank = 1U << 20;
    static __device__ __forceinline__ unsigned waiting_count(unsigned word) {
        return word % one_rank / one_waiting;
    }
    static __device__ __forceinline__ unsigned rank(unsigned word) { return word / one_rank; }
    /// Returns the word of a free lock. Its rank approximates the logarithm of the degree: the bit width of
    /// the degree, followed by the six bits after the leading one.
    static constexpr unsigned free_word(VertexId degree) {
        const auto bits = static_cast<unsigned>(std::bit_width(degree));
        return (bits << 6 | static_cast<unsigned>(EdgeId{degree} << 7 >> bits & 63)) * one_rank;
    }

private:
    __device__ __forceinline__ cuda::atomic_ref<unsigned, cuda::thread_scope_device> word() const {
        return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*word_);
    }
    unsigned* word_;
};

/// Returns free locks for `vertices` vertices. The degree of a vertex, which determines its rank, is its
/// number of occurrences in `sides`. If rows and columns are vertices of one set, columns use the locks of
/// the rows.
inline Buffer<unsigned> free_locks(VertexId vertices,
                                   std::initializer_list<std::span<const VertexId>> sides) {
    std::vector<unsigned> word(vertices, 0);
    for (const std::span<const VertexId> ends : sides) {
        for (const VertexId v : ends) ++word[v];
    }
    for (unsigned& w : word) w = Lock::free_word(w);
    return Buffer<unsigned>(word);
}
inline Buffer<unsigned> free_row_locks(const EdgeList& list) {
    return list.ends == Ends::vertices ? free_locks(list.rows, {list.row, list.col})
                                       : free_locks(list.rows, {list.row});
}
inline Buffer<unsigned> free_col_locks(const EdgeList& list) {
    return list.ends == Ends::vertices ? Buffer<unsigned>() : free_locks(list.cols, {list.col});
}

/// True if the operator requires that rows and columns are vertices of one set.
template <class Op>
inline constexpr bool of_one_set = requires {
    requires Op::one_set;
};

/// The attempts of a lane group to lock both endpoints of an edge. The endpoint of higher rank is called the
/// hub, the other one the leaf. If the ranks are equal, the column is the hub or, for one set of vertices,
/// the endpoint with the higher address. A group waits only for the hub, and only while it holds the leaf. So
/// each group waits for a vertex of higher rank than the vertex it holds, and no cycle of waiting groups (a
/// deadlock) can form. A self-loop has one lock for both endpoints.
template <class Op>
class EdgeClaim {
public:
    __device__ __forceinline__ EdgeClaim(unsigned* row, unsigned* col)
        : own_(several && lane_of<Op>() > 0 ? col : row),
          other_(col),
          loop_(of_one_set<Op> && row == col),
          row_behind_(of_one_set<Op> && row > col) {}

    enum LockResult { granted, again, refused };
    /// Makes one attempt, which tries both locks concurrently. Returns `granted` if the group now holds both,
    /// `again` if it should try again, `refused` if it should defer the edge. All lanes of the group must
    /// call it.
    __device__ __forceinline__ LockResult try_lock(int max_waiting, int max_attempts) {
        const bool ask_row = !has_leaf_ || hub_ == row_end, ask_col = !has_leaf_ || hub_ == col_end;
        unsigned row = 0, col = 0;
        if constexpr (several) {  // one instruction tries both locks, from two lanes
            if (lane_of<Op>() == row_end ? ask_row : lane_of<Op>() == col_end && ask_col)
                row = col = own_.try_lock();
        } else {
            if (ask_row) row = own_.try_lock();
            if (ask_col) col = loop_ ? row : other_.try_lock();
        }
        row = broadcast_from_lane<Op>(row, row_end),
        col = broadcast_from_lane<Op>(col, several ? col_end : row_end);
        // If only the hub was tried, the word of the leaf is 0 here. The comparison then still selects the
        // hub.
        hub_ = Lock::rank(row) > Lock::rank(col) || (row_behind_ && Lock::rank(row) == Lock::rank(col))
                   ? row_end
                   : col_end;
        const unsigned hub = hub_ == row_end ? row : col, leaf = hub_ == row_end ? col : row;
        has_leaf_ = has_leaf_ || !(leaf & Lock::held);
        const bool has_hub = !(hub & Lock::held);
        __syncwarp(Op::Lanes::mask());  // makes data that the locks protect visible to all lanes
        if (has_leaf_ && has_hub) return granted;
        if (has_hub) at(hub_, [](const Lock& lock) { lock.put_back(); });
        if (has_hub || !has_leaf_) return ++attempts_ < max_attempts ? again : refused;
        if (waits_) return again;
        bool joined = false;
        at(hub_, [&](const Lock& lock) {
            const auto most = static_cast<unsigned>(max_waiting);
            joined = Lock::waiting_count(hub) < most && lock.join(most);
        });
        waits_ = broadcast_from_lane<Op>(joined, several ? hub_ : 0);
        if (waits_) return again;
        at(row_end + col_end - hub_, [](const Lock& lock) { lock.put_back(); });
        return refused;
    }
    /// Releases both locks. It must follow `granted`, and the stores of both endpoints.
    __device__ __forceinline__ void release() {
        __syncwarp(Op::Lanes::mask());
        if constexpr (several) {
            if (lane_of<Op>() <= col_end) own_.release(waits_ && lane_of<Op>() == hub_);
        } else {
            own_.release(waits_ && (loop_ || hub_ == row_end));
            if (!loop_) other_.release(waits_ && hub_ == col_end);
        }
    }

private:
    static constexpr bool several = Op::Lanes::lanes > 1;
    static_assert(!several || !of_one_set<Op>, "graphs with one set of vertices require one thread per edge");
    // index of the lane that tries the lock of this endpoint, if the group has several lanes
    static constexpr int row_end = 0, col_end = 1;
    template <class Do>
    __device__ __forceinline__ void at(int end, Do act) const {
        if constexpr (several) {
            if (lane_of<Op>() == end) act(own_);
        } else {
            act(end == row_end ? own_ : other_);
        }
    }

    // own_: if the group has several lanes, the lock that this lane tries (other_ is unused); else the lock
    // of the row.
    Lock own_, other_;
    bool loop_, row_behind_;
    int hub_ = col_end, attempts_ = 0;
    bool has_leaf_ = false, waits_ = false;
};

}  // namespace lockstep::gpu
