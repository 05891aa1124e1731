// Who does what in a pass over a worklist: the workers, the edges that they draw, and what they push to the
// next.
#pragma once

#include "lockstep/executor/cuda/locks.cuh"
#include "lockstep/executor/cuda/offline.cuh"
#include "lockstep/executor/cuda/tuning.hpp"

namespace lockstep::gpu {

/// A group's number among all: neighbouring numbers lie in different blocks, and the first in different
/// warps, so that few active groups use many multiprocessors and do not wait for each other.
template <class Op>
__device__ __forceinline__ EdgeId spread_worker() {
    const EdgeId warps = blockDim.x / 32, group = threadIdx.x % 32 / Op::Lanes::lanes;
    return (group * warps + threadIdx.x / 32) * gridDim.x + blockIdx.x;
}

/// Sum over the warp's groups of a number that each group's lanes agree on, added to a counter at once.
template <class Op>
__device__ __forceinline__ void add_once(EdgeId* counter, EdgeId value) {
    auto sum = static_cast<unsigned>(Op::Lanes::leads() ? value : 0);
#pragma unroll
    for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(~0U, sum, width);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(sum));
}

/// Appends `entry` of each group that `has` one to a list, with one atomic operation a warp. All lanes.
template <class Op>
__device__ __forceinline__ void push(EdgeId* list, EdgeId* size, bool has, EdgeId entry) {
    const unsigned pushing = __ballot_sync(~0U, has && Op::Lanes::leads());
    if (!pushing) return;
    unsigned long long first = 0;
    const unsigned lane = threadIdx.x % 32;
    if (lane == 0) {
        first = atomicAdd(reinterpret_cast<unsigned long long*>(size),
                          static_cast<unsigned long long>(__popc(pushing)));
    }
    first = __shfl_sync(~0U, first, 0);
    if (has && Op::Lanes::leads())
        store_shared(list + first + static_cast<unsigned>(__popc(pushing & ((1U << lane) - 1))), entry);
}

/// Workers of the next pass. When few edges of a pass found their ends free, fewer workers try the next,
/// until a good part of the attempts succeeds.
__device__ __forceinline__ unsigned next_active_workers(unsigned active, unsigned all, EdgeId tried,
                                                        EdgeId deferred) {
    const double success = static_cast<double>(tried - deferred) / static_cast<double>(tried);
    const auto wanted = static_cast<unsigned>(active * success / tuning::wanted_success);
    return min(all, max(static_cast<unsigned>(tuning::fewest_workers), wanted));
}

/// What a worker has of a pass of EL: a run of neighbouring edges at a time, the first its own, the next
/// drawn by whoever is free.
template <class Op>
class Runs {
public:
    /// Worker `worker` of `active`; `in_blocks`: each takes all its edges in one run (plan.cpp says why).
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
        if (first_drawn_ < size_ && Op::Lanes::leads())
            more = first_drawn_ + atomicAdd(reinterpret_cast<unsigned long long*>(drawn_), run_);
        begin(from_lane<Op>(more, 0));
    }

private:
    __device__ __forceinline__ void begin(EdgeId at) { at_ = min(at, size_), end_ = min(at_ + run_, size_); }

    EdgeId size_, run_, first_drawn_, at_, end_;
    EdgeId* drawn_;
};

/// Counter of a worklist in pass `pass`: one is read, the next filled, and the one after cleared meanwhile.
__device__ __forceinline__ EdgeId* list_counter(const PlanView& plan, EdgeId pass) {
    return plan.counters + list_size + pass % 3;
}

}  // namespace lockstep::gpu
