// Measures the limits of a device that bound the strategies: atomics, barriers, launches, dependent updates.
//
// The micro-kernels run when a bound is needed: it can be compared only with times of the same device that
// were measured in the same minute. Rates of whole walks are measured by running the walks (trials.cpp).
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

/// Each thread makes `count` atomic exchanges: all on the same word, or on a power of two of words, 128 bytes
/// apart.
inline __global__ void exchanges(unsigned* words, unsigned mask, int count) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761U;
    for (int i = 0; i < count; ++i, at += 40503U) atomicExch(words + 32 * (at >> 8 & mask), at);
}

enum class Memory { l2, near, locked };

/// Runs `count` edges of column 0, one after another, by the first group of lanes of one block. Their rows
/// cycle through 0 … rows - 1; `rows` is a power of two.
template <EdgeOperator Op, Memory M>
__global__ void dependent_updates(Op op, unsigned* row_locks, unsigned* col_locks, EdgeId count,
                                  VertexId rows) {
    const Near<Op> near{op};
    if (threadIdx.x >= Op::Lanes::lanes) return;
    for (EdgeId e = 0; e < count; ++e) {
        const VertexId u = static_cast<VertexId>(e) & (rows - 1);
        if constexpr (M == Memory::near) {
            auto row = near.load_row(u);
            auto col = near.load_col(0);
            op.apply(row, col, 1.0F, Place{e, 0, e});
            near.store_row(u, row);
            near.store_col(0, col);
        } else {
            EdgeClaim<Op> claim(row_locks + u, col_locks);
            if constexpr (M == Memory::locked) {
                while (claim.ask(1, 1) != EdgeClaim<Op>::granted) {
                }
            }
            auto row = op.load_row(u);
            auto col = op.load_col(0);
            op.apply(row, col, 1.0F, Place{e, 0, e});
            op.store_row(u, row);
            op.store_col(0, col);
            if constexpr (M == Memory::locked) claim.release();
        }
    }
}

/// Returns the median time of five launches after a warm-up, in seconds.
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

/// Returns the seconds of a device-wide barrier of `blocks` thread blocks, which are all resident.
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

/// Returns the seconds of __syncthreads() in a thread block of 1,024 threads.
inline double block_barrier_seconds() {
    constexpr int count = 10000;
    return probe::seconds_of([&] { launch(probe::block_barriers, {1024, 1}, 0, count); }) / count;
}

/// Returns the seconds per kernel launch when launches follow one another directly.
inline double launch_seconds() {
    constexpr int count = 1000;
    return probe::seconds_of([&] {
               for (int i = 0; i < count; ++i) probe::nothing<<<1, 32>>>();
               LOCKSTEP_CUDA(cudaGetLastError());
           }) /
           count;
}

/// Returns the seconds per kernel node of a CUDA graph whose nodes form a chain.
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

/// Returns the atomic exchanges per second of `threads` threads (a multiple of 32, at most 2^18): on one
/// address or, if `spread`, on 2^16 lines of 128 bytes.
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

/// Seconds per update in a chain of updates that share column 0, like the edges of a hub.
struct UpdateSeconds {
    double near;    ///< vectors are in the L1 cache of one multiprocessor
    double l2;      ///< vectors are in the L2 cache
    double locked;  ///< vectors are in the L2 cache, and updates hold the locks of both endpoints
};

/// Measures dependent updates. `op` has at least 64 rows and one column, whose vectors are overwritten.
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
