// The device-wide barrier between two rounds of the hub-first walk. At it, the thread blocks also exchange
// the number of changes, the minimum change and the length of the queue.
#pragma once

#include "lockstep/executor/device/atomics.hpp"

namespace lockstep::gpu::hubs {

/// The values that thread blocks exchange in a round. Rounds use four slots in turn. When a block has passed
/// the barrier of round r, all blocks have left the barrier of round r - 1; the slot of that round is then
/// cleared for round r + 3.
struct Slot {
    /// Number of blocks that have arrived in the low 16 bits, and the sum of their contributions in the bits
    /// above.
    unsigned long long arrivals;
    std::uint32_t least;  ///< bits of the minimum value that has changed
    std::uint32_t hubs;   ///< bits of those of the first 32 vertices that were reached
    /// number of pieces in the queue of the next round
    alignas(128) unsigned long long queued;
};
struct Control {
    Slot slot[4];
};
constexpr std::uint32_t no_value = ~0U;  ///< bits that are greater than the bits of every value

/// A device-wide barrier that also computes a sum and a minimum. Like DeviceBarrier (barrier.cuh), it makes
/// all writes before the barrier visible to all threads after it.
class RoundBarrier {
public:
    struct RoundTotals {
        unsigned long long sum;
        std::uint32_t queued;  ///< limited to 2^32 - 1, which exceeds the capacity of every queue
        std::uint32_t least;
        std::uint32_t hubs;
    };
    struct Shared {
        RoundTotals totals;
        unsigned int sum;
        std::uint32_t least;
    };

    __device__ RoundBarrier(Control* control, Shared& shared) : control_(control), shared_(shared) {
        if (threadIdx.x == 0) shared.sum = 0, shared.least = no_value;
        __syncthreads();
    }
    /// Adds `count` to the sum of this round. May be called at any time between two barriers.
    __device__ void add(unsigned int count) { atomicAdd(&shared_.sum, count); }
    __device__ void lower(std::uint32_t least) { atomicMin(&shared_.least, least); }
    __device__ unsigned long long* queued() { return &control_->slot[round_ & 3].queued; }
    __device__ std::uint32_t* hubs() { return &control_->slot[round_ & 3].hubs; }
    __device__ int round() const { return round_; }

    /// The barrier: all threads of all blocks must call it. Returns the sum since the last barrier and, if
    /// `lists`, also the minimum, the reached hubs and the length of the queue.
    template <bool lists>
    __device__ __forceinline__ RoundTotals sync() {
        __syncthreads();
        if (threadIdx.x == 0) {
            Slot& slot = control_->slot[round_ & 3];
            if (shared_.least != no_value) atomicMin(&slot.least, shared_.least);
            const unsigned long long arrival = 1 | static_cast<unsigned long long>(shared_.sum) << 16;
            Atomic<unsigned long long> arrivals(slot.arrivals);
            arrivals.fetch_add(arrival, memory_order_release);
            shared_.sum = 0, shared_.least = no_value;
            unsigned long long arrived = 0;
            do arrived = arrivals.load(memory_order_acquire);
            while ((arrived & 0xffff) != gridDim.x);
            shared_.totals = {arrived >> 16, 0, no_value, 0};
            if (lists) {
                const unsigned long long queued = __ldcg(&slot.queued);
                shared_.totals.least = __ldcg(&slot.least);
                shared_.totals.hubs = __ldcg(&slot.hubs);
                shared_.totals.queued = static_cast<std::uint32_t>(min(queued, 0xffffffffULL));
            }
            if (blockIdx.x == 0) clear(control_->slot[(round_ + 3) & 3]);
        }
        ++round_;
        __syncthreads();
        return shared_.totals;
    }

    __device__ static void clear(Slot& slot) {
        slot.arrivals = 0, slot.queued = 0, slot.least = no_value, slot.hubs = 0;
    }

private:
    Control* control_;
    Shared& shared_;
    int round_ = 0;
};

}  // namespace lockstep::gpu::hubs
