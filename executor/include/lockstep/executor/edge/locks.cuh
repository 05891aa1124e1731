// A lock a vertex: try it, or wait for it among a bounded number of others.
//
// The word of a lock: bit 0 says that it is held, the bits above count those who wait, the highest rank the
// vertex by its degree. Who finds too many waiting goes away, so that a hub's lock is asked for by a handful
// of workers, not by thousands that would delay its release, while one of them is always there to take it at
// once.
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

    /// What the word was; the caller holds the lock now if bit 0 was 0, and sees what its last holder wrote.
    __device__ __forceinline__ unsigned ask() const {
        return word().fetch_or(held, cuda::memory_order_acquire);
    }
    /// Enters among those who wait, unless `most` do so already.
    __device__ __forceinline__ bool join(unsigned most) const {
        if (waiting(word().fetch_add(one_waiting, cuda::memory_order_relaxed)) < most) return true;
        leave();
        return false;
    }
    __device__ __forceinline__ void leave() const {
        word().fetch_sub(one_waiting, cuda::memory_order_relaxed);
    }
    /// Gives the lock up, and the place among those who wait with it. What the caller's group stored before
    /// is seen by the next holder.
    __device__ __forceinline__ void release(bool waited = false) const {
        word().fetch_sub(waited ? held + one_waiting : held, cuda::memory_order_release);
    }

    /// Gives up a lock under which nothing was written.
    __device__ __forceinline__ void put_back() const { word().fetch_sub(held, cuda::memory_order_relaxed); }

    static constexpr unsigned held = 1, one_waiting = 2, one_rank = 1U << 20;
    static __device__ __forceinline__ unsigned waiting(unsigned word) {
        return word % one_rank / one_waiting;
    }
    static __device__ __forceinline__ unsigned rank(unsigned word) { return word / one_rank; }
    /// The word of a free lock: the number of the degree's bits, and the first six after the leading one.
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

/// Free locks of the rows, or of the columns. The vertices of one set have them as rows.
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

/// Whether both ends of an operator's edges are vertices of one set.
template <class Op>
inline constexpr bool of_one_set = requires {
    requires Op::one_set;
};

/// A group's claim to both ends of an edge. The end of the higher rank, the hub, may be waited for; who does
/// so holds the other one, the leaf. So each waits for a higher rank than it holds (of equal ones the
/// column's counts as the higher, of one set the one that lies behind), and no circle can close. A loop has one
/// lock for both.
template <class Op>
class EdgeClaim {
public:
    __device__ __forceinline__ EdgeClaim(unsigned* row, unsigned* col)
        : own_(several && lane_of<Op>() > 0 ? col : row),
          other_(col),
          loop_(of_one_set<Op> && row == col),
          row_behind_(of_one_set<Op> && row > col) {}

    enum Answer { granted, again, refused };
    /// One attempt, in which both ends are asked for at once. All lanes of the group.
    __device__ __forceinline__ Answer ask(int most_waiting, int most_attempts) {
        const bool ask_row = !has_leaf_ || hub_ == row_end, ask_col = !has_leaf_ || hub_ == col_end;
        unsigned row = 0, col = 0;
        if constexpr (several) {  // in one instruction
            if (lane_of<Op>() == row_end ? ask_row : lane_of<Op>() == col_end && ask_col)
                row = col = own_.ask();
        } else {
            if (ask_row) row = own_.ask();
            if (ask_col) col = loop_ ? row : other_.ask();
        }
        row = from_lane<Op>(row, row_end), col = from_lane<Op>(col, several ? col_end : row_end);
        // Also when the leaf was not asked for.
        hub_ = Lock::rank(row) > Lock::rank(col) || (row_behind_ && Lock::rank(row) == Lock::rank(col))
                   ? row_end
                   : col_end;
        const unsigned hub = hub_ == row_end ? row : col, leaf = hub_ == row_end ? col : row;
        has_leaf_ = has_leaf_ || !(leaf & Lock::held);
        const bool has_hub = !(hub & Lock::held);
        __syncwarp(Op::Lanes::mask());  // what the locks guard is seen by all lanes
        if (has_leaf_ && has_hub) return granted;
        if (has_hub) at(hub_, [](const Lock& lock) { lock.put_back(); });
        if (has_hub || !has_leaf_) return ++attempts_ < most_attempts ? again : refused;
        if (waits_) return again;
        bool joined = false;
        at(hub_, [&](const Lock& lock) {
            const auto most = static_cast<unsigned>(most_waiting);
            joined = Lock::waiting(hub) < most && lock.join(most);
        });
        waits_ = from_lane<Op>(joined, several ? hub_ : 0);
        if (waits_) return again;
        at(row_end + col_end - hub_, [](const Lock& lock) { lock.put_back(); });
        return refused;
    }
    /// After `granted`, when both ends are stored.
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
    static_assert(!several || !of_one_set<Op>, "vertices of one set have a thread an edge");
    static constexpr int row_end = 0, col_end = 1;  // of several lanes, the one that asks for it
    template <class Do>
    __device__ __forceinline__ void at(int end, Do act) const {
        if constexpr (several) {
            if (lane_of<Op>() == end) act(own_);
        } else {
            act(end == row_end ? own_ : other_);
        }
    }

    Lock own_, other_;  // of several lanes: the lane's, none
    bool loop_, row_behind_;
    int hub_ = col_end, attempts_ = 0;
    bool has_leaf_ = false, waits_ = false;
};

}  // namespace lockstep::gpu
