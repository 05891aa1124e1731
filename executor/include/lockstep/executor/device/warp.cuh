// Indices of threads, lane groups and warps, and collective operations of a warp. A lane group (lanes.hpp)
// consists of the neighbouring threads that share an edge; it is a worker.
#pragma once

#include <type_traits>

#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

__device__ __forceinline__ EdgeId thread_of_grid() { return EdgeId{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ __forceinline__ EdgeId threads_of_grid() { return EdgeId{gridDim.x} * blockDim.x; }
__device__ __forceinline__ unsigned lane_of_warp() { return threadIdx.x % 32; }
__device__ __forceinline__ unsigned lanes_below() { return (1U << lane_of_warp()) - 1; }
__device__ __forceinline__ std::uint64_t nanoseconds() {
    std::uint64_t t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Sum, minimum and maximum over the lanes in `mask`. With compute capability 8.0 or later, each is a single
// instruction.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__device__ __forceinline__ unsigned sum_of(unsigned mask, unsigned value) {
    return __reduce_add_sync(mask, value);
}
__device__ __forceinline__ unsigned least_of(unsigned mask, unsigned value) {
    return __reduce_min_sync(mask, value);
}
__device__ __forceinline__ unsigned most_of(unsigned mask, unsigned value) {
    return __reduce_max_sync(mask, value);
}
#else
template <class CombineMethod>
__device__ __forceinline__ unsigned over_mask(unsigned mask, unsigned value, CombineMethod combine) {
    unsigned all = __shfl_sync(mask, value, __ffs(static_cast<int>(mask)) - 1);
    for (unsigned rest = mask & (mask - 1); rest; rest &= rest - 1)
        all = combine(all, __shfl_sync(mask, value, __ffs(static_cast<int>(rest)) - 1));
    return all;
}
__device__ __forceinline__ unsigned sum_of(unsigned mask, unsigned value) {
    return over_mask(mask, value, [](unsigned a, unsigned b) { return a + b; });
}
__device__ __forceinline__ unsigned least_of(unsigned mask, unsigned value) {
    return over_mask(mask, value, [](unsigned a, unsigned b) { return min(a, b); });
}
__device__ __forceinline__ unsigned most_of(unsigned mask, unsigned value) {
    return over_mask(mask, value, [](unsigned a, unsigned b) { return max(a, b); });
}
#endif

// The following operations are collective: all lanes of a warp must call them.
/// Reduces the values of `lanes` neighbouring lanes (a power of two) by combine(a, b). Each of these lanes
/// gets the result. `mask` must contain them.
template <class T, class CombineMethod>
__device__ __forceinline__ T over_lanes(T value, CombineMethod combine, int lanes = 32, unsigned mask = ~0U) {
    for (int width = lanes / 2; width > 0; width /= 2)
        value = combine(value, __shfl_xor_sync(mask, value, width));
    return value;
}
template <class T>
__device__ __forceinline__ T sum_of_warp(T value) {
    if constexpr (std::is_same_v<T, unsigned>)
        return sum_of(~0U, value);
    else
        return over_lanes(value, [](T a, T b) { return a + b; });
}
template <class T>
__device__ __forceinline__ T min_of_warp(T value) {
    if constexpr (std::is_same_v<T, unsigned>)
        return least_of(~0U, value);
    else
        return over_lanes(value, [](T a, T b) { return min(a, b); });
}
/// Returns the sum of the values of all lanes up to and including this one. The function of cooperative
/// groups is slower, because it computes the lane index from three-dimensional thread indices.
template <class T>
__device__ __forceinline__ T inclusive_sum(T value) {
#pragma unroll
    for (unsigned distance = 1; distance < 32; distance *= 2) {
        const T other = __shfl_up_sync(~0U, value, distance);
        if (lane_of_warp() >= distance) value += other;
    }
    return value;
}
/// Returns the sum of the values of all lanes before this one.
template <class T>
__device__ __forceinline__ T exclusive_sum(T value) {
    return inclusive_sum(value) - value;
}
/// Calls f(index of the bit) for each set bit, in ascending order.
template <class F>
__device__ __forceinline__ void for_each_bit(unsigned bits, F f) {
    for (; bits; bits &= bits - 1) f(__ffs(static_cast<int>(bits)) - 1);
}

__device__ __forceinline__ EdgeId add_to(EdgeId* counter, EdgeId value) {
    return atomicAdd(reinterpret_cast<unsigned long long*>(counter), static_cast<unsigned long long>(value));
}
template <class Count>
__device__ __forceinline__ Count add_to(Count* counter, Count value) {
    return atomicAdd(counter, value);
}
/// Adds the values of all lanes to a counter with one atomic operation.
template <class Count>
__device__ __forceinline__ void add_of_warp(Count* counter, Count value) {
    value = sum_of_warp(value);
    if (lane_of_warp() == 0 && value) add_to(counter, value);
}
/// Reserves an element of a list for each lane with `has`, and returns its index. Uses one atomic operation
/// per warp on the list's length `*size`.
template <class Count>
__device__ __forceinline__ Count place_in(Count* size, bool has) {
    const unsigned all = __ballot_sync(~0U, has);
    Count first = 0;
    if (lane_of_warp() == 0 && all) first = add_to(size, static_cast<Count>(__popc(all)));
    return __shfl_sync(~0U, first, 0) + static_cast<unsigned>(__popc(all & lanes_below()));
}
/// Appends the `entry` of each lane with `has` to a list. The second overload, for edges, uses
/// store_shared(), because other thread blocks read the list.
template <class Entry>
__device__ __forceinline__ void append(Entry* list, unsigned* size, bool has, Entry entry) {
    const unsigned at = place_in(size, has);
    if (has) list[at] = entry;
}
__device__ __forceinline__ void append(EdgeId* list, EdgeId* size, bool has, EdgeId entry) {
    const EdgeId at = place_in(size, has);
    if (has) store_shared(list + at, entry);
}

/// Returns the index of this worker (lane group) in the grid. Consecutive warps are in different thread
/// blocks, so that even a phase with few edges uses all multiprocessors.
template <class Op>
__device__ __forceinline__ EdgeId worker_index() {
    constexpr int groups = 32 / Op::Lanes::lanes;
    return (EdgeId{threadIdx.x / 32} * gridDim.x + blockIdx.x) * groups + threadIdx.x % 32 / Op::Lanes::lanes;
}
template <class Op>
__device__ __forceinline__ EdgeId worker_count() {
    return EdgeId{gridDim.x} * blockDim.x / Op::Lanes::lanes;
}
/// Returns an index of this worker (lane group) that spreads work even more: workers with consecutive indices
/// are in different thread blocks, and then in different warps. A small number of active workers then uses
/// many multiprocessors, and they do not wait for each other.
template <class Op>
__device__ __forceinline__ EdgeId spread_worker() {
    const EdgeId warps = blockDim.x / 32, group = threadIdx.x % 32 / Op::Lanes::lanes;
    return (group * warps + threadIdx.x / 32) * gridDim.x + blockIdx.x;
}

template <class Op>
__device__ __forceinline__ int lane_of() {
    return static_cast<int>(threadIdx.x) % Op::Lanes::lanes;
}
/// Returns the value of another lane of this lane group.
template <class Op, class T>
__device__ __forceinline__ T broadcast_from_lane(T value, int lane) {
    return __shfl_sync(Op::Lanes::mask(), value, lane, Op::Lanes::lanes);
}

/// Adds a value per lane group to a counter. The value must be equal in all lanes of a group. Uses one atomic
/// operation per warp. All lanes of the warp must call it.
template <class Op, class Count>
__device__ __forceinline__ void add_once(Count* counter, EdgeId value) {
    const auto sum = sum_of_warp(static_cast<unsigned>(threadIdx.x % Op::Lanes::threads == 0 ? value : 0));
    if (lane_of_warp() == 0 && sum) add_to(counter, Count{sum});
}
/// Does the same as add_once, but with one atomic operation per thread block, because thousands of warps that
/// add to one counter would take microseconds. All threads of the block must call it at the end of the
/// kernel; `word` is 4 bytes of shared memory that are no longer in use.
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

}  // namespace lockstep::gpu
