// Threads, lane groups and warps: who is who, and what a warp does together. A worker is a lane group
// (lanes.hpp): the neighbouring threads that share an edge.
#pragma once

#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

/// Warps are spread over the blocks first: a phase of few edges keeps all multiprocessors busy.
template <class Op>
__device__ __forceinline__ EdgeId worker_index() {
    constexpr int groups = 32 / Op::Lanes::lanes;
    return (EdgeId{threadIdx.x / 32} * gridDim.x + blockIdx.x) * groups + threadIdx.x % 32 / Op::Lanes::lanes;
}
template <class Op>
__device__ __forceinline__ EdgeId worker_count() {
    return EdgeId{gridDim.x} * blockDim.x / Op::Lanes::lanes;
}
/// Neighbouring numbers lie in different blocks, and the first in different warps, so that few active groups
/// use many multiprocessors and do not wait for each other.
template <class Op>
__device__ __forceinline__ EdgeId spread_worker() {
    const EdgeId warps = blockDim.x / 32, group = threadIdx.x % 32 / Op::Lanes::lanes;
    return (group * warps + threadIdx.x / 32) * gridDim.x + blockIdx.x;
}

template <class Op>
__device__ __forceinline__ int lane_of() {
    return static_cast<int>(threadIdx.x) % Op::Lanes::lanes;
}
/// What a lane of a group sees of another's value.
template <class Op, class T>
__device__ __forceinline__ T from_lane(T value, int lane) {
    return __shfl_sync(Op::Lanes::mask(), value, lane, Op::Lanes::lanes);
}

__device__ __forceinline__ EdgeId add_to(EdgeId* counter, EdgeId value) {
    return atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(value));
}
__device__ __forceinline__ unsigned add_to(unsigned* counter, unsigned value) {
    return atomicAdd(counter, value);
}
/// Adds a number that a group's lanes agree on to a counter, with one atomic operation a warp. All lanes.
template <class Op, class Count>
__device__ __forceinline__ void add_once(Count* counter, EdgeId value) {
    auto sum = static_cast<unsigned>(threadIdx.x % Op::Lanes::threads == 0 ? value : 0);
#pragma unroll
    for (int width = 16; width > 0; width /= 2) sum += __shfl_xor_sync(~0U, sum, width);
    if (threadIdx.x % 32 == 0 && sum) add_to(counter, sum);
}
/// The same with one atomic operation a block: those of thousands of warps on one counter would take
/// microseconds. When all threads are done; `word` in shared memory is free then.
template <class Op>
__device__ __forceinline__ void add_of_block(EdgeId* counter, EdgeId value, void* word) {
    auto* const sum = static_cast<unsigned*>(word);
    __syncthreads();
    if (threadIdx.x == 0) *sum = 0;
    __syncthreads();
    add_once<Op>(sum, value);
    __syncthreads();
    if (threadIdx.x == 0) add_to(counter, *sum);
}
/// Appends `entry` of each lane that `has` one to a list, with one atomic operation a warp. All lanes.
__device__ __forceinline__ void append(EdgeId* list, EdgeId* size, bool has, EdgeId entry) {
    const unsigned appending = __ballot_sync(~0U, has);
    if (!appending) return;
    const unsigned lane = threadIdx.x % 32;
    unsigned long long first = 0;
    if (lane == 0) first = add_to(size, static_cast<EdgeId>(__popc(appending)));
    first = __shfl_sync(~0U, first, 0);
    if (has)
        store_shared(list + first + static_cast<unsigned>(__popc(appending & ((1U << lane) - 1))), entry);
}

}  // namespace lockstep::gpu
