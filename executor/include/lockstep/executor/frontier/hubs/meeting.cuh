// The barrier of all blocks between two rounds of the hub-first walk, and what they tell each other there.
#pragma once

#include "lockstep/executor/device/atomics.hpp"

namespace lockstep::gpu::hubs {

/// What all blocks tell each other in a round. Rounds take turns in a ring of four: when a block has passed
/// the meeting of round r, all have left that of r - 1, whose entry is then cleared for r + 3.
struct Slot {
    unsigned long long arrivals;  ///< blocks in the low 16 bits, the sum of what they add above
    std::uint32_t least;          ///< bits of the least value that changed
    std::uint32_t hubs;           ///< those of the first 32 vertices that were reached
    alignas(128) unsigned long long queued;
};
struct Control {
    Slot slot[4];
};
constexpr std::uint32_t no_value = ~0U;  ///< bits above those of every value

/// The barrier of all blocks, which carries a sum and a minimum. As DeviceBarrier (barrier.cuh): what any
/// thread wrote before is seen by every thread behind it.
class Meeting {
public:
    struct Said {
        unsigned long long sum;
        std::uint32_t queued;  ///< at most 2^32 - 1, which is more than any queue holds
        std::uint32_t least;
        std::uint32_t hubs;
    };
    struct Shared {
        Said said;
        unsigned int sum;
        std::uint32_t least;
    };

    __device__ Meeting(Control* control, Shared& shared) : control_(control), shared_(shared) {
        if (threadIdx.x == 0) shared.sum = 0, shared.least = no_value;
        __syncthreads();
    }
    /// Of this round; between two meetings.
    __device__ void add(unsigned int count) { atomicAdd(&shared_.sum, count); }
    __device__ void lower(std::uint32_t least) { atomicMin(&shared_.least, least); }
    __device__ unsigned long long* queued() { return &control_->slot[round_ & 3].queued; }
    __device__ std::uint32_t* hubs() { return &control_->slot[round_ & 3].hubs; }
    __device__ int round() const { return round_; }

    /// All threads of all blocks. What was added since the last meeting; if `lists`, the rest, too.
    template <bool lists>
    __device__ __forceinline__ Said meet() {
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
            shared_.said = {arrived >> 16, 0, no_value, 0};
            if (lists) {
                const unsigned long long queued = __ldcg(&slot.queued);
                shared_.said.least = __ldcg(&slot.least);
                shared_.said.hubs = __ldcg(&slot.hubs);
                shared_.said.queued = static_cast<std::uint32_t>(min(queued, 0xffffffffULL));
            }
            if (blockIdx.x == 0) clear(control_->slot[(round_ + 3) & 3]);
        }
        ++round_;
        __syncthreads();
        return shared_.said;
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
