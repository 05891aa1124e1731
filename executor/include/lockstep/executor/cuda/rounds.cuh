// The rounds of neighbour iteration on the GPU: one cooperative launch runs many, with a device-wide barrier
// after each, so that small graphs are not bound by launches.
#pragma once

#include <cooperative_groups.h>

#include <algorithm>

#include "lockstep/executor/cuda/neighbour_plan.cuh"

namespace lockstep::gpu {

/// What a launch has for its rounds, and says of them.
template <class Tally>
struct RoundLog {
    Tally* tallies;            ///< a round, zero before
    unsigned long long* ends;  ///< nanoseconds at the start, and after each round
    unsigned* drawn;           ///< a round, zero before: tiles that warps have drawn
    unsigned rounds;           ///< of this launch at most
};

/// What a block has for a round.
struct RoundPlace {
    unsigned char* shared;  ///< dynamic shared memory
    unsigned* drawn;        ///< of this round
};

__device__ __forceinline__ unsigned long long nanoseconds() {
    unsigned long long time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

/// Adds the block's tallies to `*total`. All threads of the block call it.
template <class Tally>
__device__ __forceinline__ void add_up(const Tally& mine, Tally* total) {
    constexpr int words = static_cast<int>(tally_words<Tally>);
    __shared__ unsigned long long block[words];
    if (threadIdx.x < words) block[threadIdx.x] = 0;
    __syncthreads();
    unsigned long long word[words];
    memcpy(word, &mine, sizeof(Tally));
#pragma unroll
    for (int w = 0; w < words; ++w) {
        for (int offset = 16; offset > 0; offset /= 2) word[w] += __shfl_xor_sync(~0U, word[w], offset);
        if (threadIdx.x % 32 == 0 && word[w] != 0) atomicAdd(&block[w], word[w]);
    }
    __syncthreads();
    if (threadIdx.x < words && block[threadIdx.x] != 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(total) + threadIdx.x, block[threadIdx.x]);
}

template <class Tally>
__device__ __forceinline__ Tally read_tally(const Tally* total) {
    constexpr int words = static_cast<int>(tally_words<Tally>);
    unsigned long long word[words];
    for (int w = 0; w < words; ++w) word[w] = __ldcg(reinterpret_cast<const unsigned long long*>(total) + w);
    Tally tally;
    memcpy(&tally, word, sizeof(Tally));
    return tally;
}

/// A `Visit` runs one round: `Visit::round(view, op, tally, place)` by all threads of the grid. Where it
/// scatters, every vertex is finished from its accumulator afterwards.
template <class Visit, NeighbourOperator Op>
__global__ void __launch_bounds__(Visit::threads)
    rounds_kernel(NeighbourView view, Op op, RoundLog<typename Op::Tally> log) {
    extern __shared__ __align__(16) unsigned char shared[];
    const auto grid = cooperative_groups::this_grid();
    if (grid.thread_rank() == 0) log.ends[0] = nanoseconds();
    for (unsigned round = 0; round < log.rounds; ++round) {
        typename Op::Tally tally{};
        Visit::round(view, op, tally, RoundPlace{shared, log.drawn + round});
        if constexpr (Visit::scatters) {
            grid.sync();
            const VertexId step = static_cast<VertexId>(grid.size());
            for (EdgeId v = grid.thread_rank(); v < view.vertices; v += step) {
                const auto id = static_cast<VertexId>(v);
                const typename Op::Sum sum = __ldcg(op.accumulator(id));
                *op.accumulator(id) = Op::identity();
                op.finish(id, sum, tally);
            }
        }
        add_up(tally, log.tallies + round);
        grid.sync();
        if (grid.thread_rank() == 0) log.ends[round + 1] = nanoseconds();
        if (!op.advance(read_tally(log.tallies + round))) break;
    }
}

/// Rounds until the operator ends them; when `on_round(tally, seconds)` returns false the next is the last.
/// Returns the seconds on the device.
template <class Visit, NeighbourOperator Op, class OnRound>
double iterate(const DeviceNeighbours& plan, Op op, OnRound on_round) {
    using Tally = typename Op::Tally;
    constexpr unsigned first_launch = 64, most = 4096;
    constexpr double wanted_seconds = 0.5;  // of a launch: so often a run can be interrupted
    if (plan.view().vertices == 0) return 0;
    Buffer<Tally> tallies(most);
    Buffer<unsigned long long> ends(most + 1);
    Buffer<unsigned> drawn(most);
    NeighbourView view = plan.view();
    const std::size_t shared = Visit::template shared_bytes<Op>(view);
    double total = 0;
    unsigned rounds = first_launch;
    for (bool more = true; more;) {
        tallies.zero(), drawn.zero();
        const RoundLog<Tally> log{tallies.data(), ends.data(), drawn.data(), rounds};
        Timer timer;
        launch_cooperative(rounds_kernel<Visit, Op>, Visit::threads, Visit::blocks_per_sm, shared, view, op,
                           log);
        const double seconds = timer.seconds();
        total += seconds;
        const std::vector<Tally> tally = tallies.download();
        const std::vector<unsigned long long> end = ends.download();
        bool stop = false;
        for (unsigned r = 0; r < rounds && more; ++r) {  // what the device did, for the next launch
            more = op.advance(tally[r]);
            stop = !on_round(tally[r], static_cast<double>(end[r + 1] - end[r]) * 1e-9) || stop;
        }
        if (stop && more) op.make_last();
        rounds = static_cast<unsigned>(
            std::clamp(rounds * wanted_seconds / std::max(seconds, 1e-6), 1.0, static_cast<double>(most)));
    }
    return total;
}

}  // namespace lockstep::gpu
