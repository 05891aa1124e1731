// Measures limits of a GPU that bound the speed of strategies: atomic operations, barriers, kernel launches,
// and dependent updates.
//
// These micro-kernels run at the moment when a limit is needed, because a limit is comparable only with times
// that were measured on the same device in the same minute. The rates of complete walks are measured
// elsewhere, by running the walks (trials.cpp).
#pragma once

#include <algorithm>

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/edge/locks.cuh"
#include "lockstep/executor/edge/near.cuh"

namespace lockstep::gpu {

namespace probe {

inline __global__ void __launch_bounds__(1024, 1) barriers(EdgeId* arrivals, int count) {
    DeviceBarrier barrier(arrivals);
    for (int i = 0; i < count; ++i) barrier.sync();
}
inline __global__ void block_barriers(int count) {
    for (int i = 0; i < count; ++i) __syncthreads();
}
inline __global__ void nothing() {}

/// Makes `count` atomic exchanges in each thread. The address is one of `mask` + 1 words (a power of two),
/// 128 bytes apart; all threads use the same word if `mask` is 0.
inline __global__ void exchanges(unsigned* words, unsigned mask, int count) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761U;
    for (int i = 0; i < count; ++i, at += 40503U) atomicExch(words + 32 * (at >> 8 & mask), at);
}

enum class Memory { l2, near, locked };

/// Runs `count` updates of edges of column 0, one after another, in the first group of lanes of one thread
/// block. The rows of the edges cycle through 0 … rows - 1; `rows` is a power of two.
template <EdgeOperator Op, Memory M>
__global__ void dependent_updates(Op op, unsigned* row_locks, unsigned* col_locks, EdgeId count,
                                  VertexId rows) {
    const CachedVectorAccess<Op> near{op};
    if (threadIdx.x >= Op::Lanes::lanes) return;
    for (EdgeId e = 0; e < count; ++e) {
        const VertexId u = static_cast<VertexId>(e) & (rows - 1);
        if constexpr (M == Memory::near) {
            auto row = near.load_row(u);
            auto col = near.load_col(0);
            op.apply(row, col, 1.0F, EdgePosition{e, 0, e});
            near.store_row(u, row);
            near.store_col(0, col);
        } else {
            EdgeClaim<Op> claim(row_locks + u, col_locks);
            if constexpr (M == Memory::locked) {
                while (claim.try_lock(1, 1) != EdgeClaim<Op>::granted) {
                }
            }
            auto row = op.load_row(u);
            auto col = op.load_col(0);
            op.apply(row, col, 1.0F, EdgePosition{e, 0, e});
            op.store_row(u, row);
            op.store_col(0, col);
            if constexpr (M == Memory::locked) claim.release();
        }
    }
}

/// Runs `launch` once without measuring it and then five times. Returns the median time in seconds.
template <class Launch>
double seconds_of(Launch launch) {
    launch();
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
        Timer timer;
        launch();
        times.push_back(timer.seconds());
    }
    std::sort(times.begin(), times.end());
    return times[2];
}

}  // namespace probe

/// Returns the time of a device-wide barrier in seconds. `blocks` thread blocks, which all run concurrently,
/// take part.
inline double barrier_seconds(int blocks, int threads) {
    int count = 2000;
    Buffer<EdgeId> arrivals(1);
    EdgeId* counter = arrivals.data();
    return probe::seconds_of([&] {
               arrivals.zero();
               launch(probe::barriers, {threads, 32, false, static_cast<EdgeId>(blocks)}, 0, counter, count);
           }) /
           count;
}

/// Returns the time of __syncthreads() in a thread block of 1,024 threads, in seconds.
inline double block_barrier_seconds() {
    constexpr int count = 10000;
    return probe::seconds_of([&] { launch(probe::block_barriers, {1024, 1}, 0, count); }) / count;
}

/// Returns the time per kernel launch in seconds, for kernels that are launched directly one after another.
inline double launch_seconds() {
    constexpr int count = 1000;
    return probe::seconds_of([&] {
               for (int i = 0; i < count; ++i) probe::nothing<<<1, 32>>>();
               LOCKSTEP_CUDA(cudaGetLastError());
           }) /
           count;
}

/// Returns the time per kernel node in seconds, for a CUDA graph whose nodes form a chain.
inline double graph_node_seconds() {
    constexpr int count = 1000;
    cudaStream_t stream{};
    cudaGraph_t graph{};
    cudaGraphExec_t instance{};
    LOCKSTEP_CUDA(cudaStreamCreate(&stream));
    LOCKSTEP_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < count; ++i) probe::nothing<<<1, 32, 0, stream>>>();
    LOCKSTEP_CUDA(cudaStreamEndCapture(stream, &graph));
    LOCKSTEP_CUDA(cudaGraphInstantiate(&instance, graph, 0));
    const double seconds = probe::seconds_of([&] { LOCKSTEP_CUDA(cudaGraphLaunch(instance, nullptr)); });
    LOCKSTEP_CUDA(cudaGraphExecDestroy(instance));
    LOCKSTEP_CUDA(cudaGraphDestroy(graph));
    LOCKSTEP_CUDA(cudaStreamDestroy(stream));
    return seconds / count;
}

/// Returns the number of atomic exchanges per second by `threads` threads, a multiple of 32 and at most 2^18.
/// All use one address or, if `spread`, random lines of 128 bytes among 2^16.
inline double atomic_rate(int threads, bool spread) {
    constexpr unsigned lines = 1U << 16;
    Buffer<unsigned> words(EdgeId{lines} * 32);
    words.zero();
    const int block = std::min(threads, 256);
    const int count = std::clamp((1 << 24) / threads, 64, 4096);
    const double seconds = probe::seconds_of([&] {
        probe::exchanges<<<static_cast<unsigned>(threads / block), static_cast<unsigned>(block)>>>(
            words.data(), spread ? lines - 1 : 0, count);
        LOCKSTEP_CUDA(cudaGetLastError());
    });
    return static_cast<double>(threads) * count / seconds;
}

/// Time per update in seconds, in a chain of updates that all share column 0 like the edges of a hub.
struct UpdateSeconds {
    double near;    ///< time if vectors are in the L1 cache of one multiprocessor
    double l2;      ///< time if vectors are in the L2 cache
    double locked;  ///< time if vectors are in the L2 cache, and each update locks both endpoints
};

/// Measures chains of dependent updates with the operator `op`. It must have at least 64 rows and one column,
/// whose vectors are overwritten.
template <EdgeOperator Op>
UpdateSeconds measure_updates(const Op& op) {
    constexpr VertexId rows = 64;
    constexpr EdgeId updates = 4096;
    Buffer<unsigned> row_locks(rows), col_locks(1);
    row_locks.zero(), col_locks.zero();
    const auto chain = [&](auto kernel) {
        return probe::seconds_of([&] {
                   kernel<<<1, 32>>>(op, row_locks.data(), col_locks.data(), updates, rows);
                   LOCKSTEP_CUDA(cudaGetLastError());
               }) /
               updates;
    };
    return {chain(probe::dependent_updates<Op, probe::Memory::near>),
            chain(probe::dependent_updates<Op, probe::Memory::l2>),
            chain(probe::dependent_updates<Op, probe::Memory::locked>)};
}

}  // namespace lockstep::gpu
