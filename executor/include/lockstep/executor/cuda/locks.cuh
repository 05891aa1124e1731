// A lock a vertex: try it, or wait for it among a bounded number of others.
//
// The word of a lock: bit 0 says that it is held, the bits above count those who wait. Who finds too many
// waiting goes away, so that a hub's lock is asked for by a handful of workers, not by thousands that would
// delay its release, while one of them is always there to take it at once.
#pragma once

#include <cuda/atomic>

#include "lockstep/executor/operator.hpp"

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
        if (word().fetch_add(one_waiting, cuda::memory_order_relaxed) / one_waiting < most) return true;
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

    static constexpr unsigned held = 1, one_waiting = 2;

private:
    __device__ __forceinline__ cuda::atomic_ref<unsigned, cuda::thread_scope_device> word() const {
        return cuda::atomic_ref<unsigned, cuda::thread_scope_device>(*word_);
    }
    unsigned* word_;
};

/// What a lane of a group sees of another's value.
template <class Op, class T>
__device__ __forceinline__ T from_lane(T value, int lane) {
    return __shfl_sync(Op::Lanes::mask(), value, lane, Op::Lanes::lanes);
}
template <class Op>
__device__ __forceinline__ int lane_of() {
    return static_cast<int>(threadIdx.x) % Op::Lanes::lanes;
}

/// A group's claim to both ends of an edge. One end may be waited for, the side of the hubs: who waits for it
/// holds the other end, and who holds a hub waits for nothing, so that no circle can close.
template <class Op>
class EdgeClaim {
public:
    __device__ __forceinline__ EdgeClaim(unsigned* leaf, unsigned* hub) : leaf_(leaf), hub_(hub) {}

    enum Answer { granted, again, refused };
    /// One attempt, in which both ends are asked for at once. All lanes of the group.
    __device__ __forceinline__ Answer ask(int most_waiting, int most_attempts) {
        // Lane 0 asks for the hub, the next for the leaf, in one instruction.
        unsigned hub = 0, leaf = 0;
        if constexpr (Op::Lanes::lanes > 1) {
            if (lane_of<Op>() == 0 || (lane_of<Op>() == 1 && !has_leaf_)) hub = leaf = lock().ask();
        } else {
            if (!has_leaf_) leaf = leaf_.ask();
            hub = hub_.ask();
        }
        hub = from_lane<Op>(hub, 0);
        has_leaf_ = has_leaf_ || !(from_lane<Op>(leaf, second) & Lock::held);
        const bool has_hub = !(hub & Lock::held);
        __syncwarp(Op::Lanes::mask());  // what the locks guard is seen by all lanes
        if (has_leaf_ && has_hub) return granted;
        if (has_hub) {  // without the leaf
            if (lane_of<Op>() == 0) hub_.release();
            return ++attempts_ < most_attempts ? again : refused;
        }
        if (!has_leaf_) return ++attempts_ < most_attempts ? again : refused;
        if (waits_) return again;
        unsigned joined = 0;
        if (lane_of<Op>() == 0 && hub / Lock::one_waiting < static_cast<unsigned>(most_waiting))
            joined = hub_.join(static_cast<unsigned>(most_waiting));
        waits_ = from_lane<Op>(joined, 0);
        if (waits_) return again;
        if (lane_of<Op>() == 0) leaf_.release();
        return refused;
    }
    /// After `granted`, when both ends are stored.
    __device__ __forceinline__ void release() {
        __syncwarp(Op::Lanes::mask());
        if constexpr (Op::Lanes::lanes > 1) {
            if (lane_of<Op>() < 2) lock().release(waits_ && lane_of<Op>() == 0);
        } else {
            hub_.release(waits_), leaf_.release();
        }
    }

private:
    static constexpr int second = Op::Lanes::lanes > 1 ? 1 : 0;
    __device__ __forceinline__ const Lock& lock() const { return lane_of<Op>() == 0 ? hub_ : leaf_; }

    Lock leaf_, hub_;
    bool has_leaf_ = false, waits_ = false;
    int attempts_ = 0;
};

}  // namespace lockstep::gpu
