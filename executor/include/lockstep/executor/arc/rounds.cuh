// Rounds of an arc operator on the GPU. One cooperative launch runs many rounds, with a device-wide barrier
// after each round, so that the launch overhead does not dominate the time for small graphs.
#pragma once

#include <algorithm>

#include "lockstep/executor/arc/arcs.hpp"
#include "lockstep/executor/arc/operator.hpp"
#include "lockstep/executor/arc/pull_push.hpp"
#include "lockstep/executor/csr/arrays.cuh"
#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/executor/device/warp.cuh"

namespace lockstep::gpu {

/// The arrays in device memory that the rounds of one launch use, and their log.
template <ArcOperator Op>
struct RoundLog {
    /// accumulator of each vertex, if the walk scatters; equal to the identity between rounds
    typename Op::Sum* sums;
    typename Op::Tally* tallies;  ///< one tally per round, initially zero
    unsigned long long* ends;  ///< time in nanoseconds at the start of the first round, and after each round
    unsigned* drawn;           ///< number of tiles that warps have claimed in each round, initially zero
    EdgeId* arrivals;          ///< number of arrivals of thread blocks at the barrier, initially zero
    unsigned rounds;           ///< maximum number of rounds of this launch
};

/// The memory that a thread block uses in one round.
template <ArcOperator Op>
struct RoundPlace {
    unsigned char* shared;   ///< dynamic shared memory
    unsigned* drawn;         ///< number of tiles that warps have claimed in this round
    typename Op::Sum* sums;  ///< accumulator of each vertex, if the walk scatters
};

inline arc::WeightsView on_device(const arc::Weights& host, DeviceArrays& upload) {
    return {host.whole.empty() ? nullptr : upload(host.whole),
            host.real.empty() ? nullptr : upload(host.real)};
}

/// The parameter of a kernel that runs a walk: a small trivially copyable struct with the addresses of the
/// plan's arrays on the device. There is one specialization per walk. It is constructed by View(plan, out,
/// upload) from a plan, the plan's offsets on the device, and the DeviceArrays that will own the other
/// arrays. It has the number of `vertices`, the `threads` and `blocks_per_sm` of a launch, the constant
/// `scatters`, and
///
///     std::size_t shared_bytes<Op>()         returns the dynamic shared memory that a block needs; may
///                                            reduce the view to the available shared memory
///     void round(op, tally, place) const     runs one round; all threads of the grid call it
template <class Walk>
struct View;

/// Common base of the views of walks that use one or a few threads per vertex or arc. It contains the launch
/// configuration.
struct ByThreads {
    static constexpr int threads = 256, blocks_per_sm = 8;
    VertexId vertices;
    explicit ByThreads(const arc::Arcs& plan) : vertices(plan.vertices) {}
    template <class Op>
    std::size_t shared_bytes() const {
        return 0;
    }
};

/// Returns the value that arrives from source `u` along arc `e`, converted to a sum of one term.
template <ArcOperator Op>
__device__ __forceinline__ typename Op::Sum offered(const Op& op, VertexId u, const arc::WeightsView& weights,
                                                    EdgeId e) {
    return Op::to_sum(arriving<Op>(op.offer(u), weights, e));
}

/// Adds the tallies of the block's threads to `*total`. All threads of the block must call it.
template <class Tally>
__device__ __forceinline__ void add_up(const Tally& mine, Tally* total) {
    constexpr int words = static_cast<int>(tally_words<Tally>);
    __shared__ unsigned long long block[words];
    if (threadIdx.x < words) block[threadIdx.x] = 0;
    __syncthreads();
    unsigned long long word[words];
    memcpy(word, &mine, sizeof(Tally));
#pragma unroll
    for (int w = 0; w < words; ++w) add_of_warp(block + w, word[w]);
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

/// True if the walk stores the sums of the vertices between rounds, and pushes changes into them
/// (arc/pull_push.hpp).
template <class OfWalk, class Op>
inline constexpr bool keeps_sums = Changes<Op>&& std::is_same_v<OfWalk, View<arc::PullPush>>;

/// Runs up to log.rounds rounds. The view is a __grid_constant__ parameter: it stays in constant memory and
/// occupies no registers in loops.
template <class View, ArcOperator Op>
__global__ void __launch_bounds__(View::threads)
    rounds_kernel(const __grid_constant__ View view, Op op, RoundLog<Op> log) {
    extern __shared__ __align__(16) unsigned char shared[];
    DeviceBarrier barrier(log.arrivals);
    const bool leads = thread_of_grid() == 0;
    if (leads) log.ends[0] = nanoseconds();
    for (unsigned round = 0; round < log.rounds; ++round) {
        typename Op::Tally tally{};
        bool scattered = View::scatters;
        if constexpr (keeps_sums<View, Op>) {
            using Keeper = arc::SumStoringOperator<Op>;
            scattered = op.few();
            if (scattered)
                view.push_changes(op, log.sums);
            else
                view.round(Keeper(op, log.sums), tally,
                           RoundPlace<Keeper>{shared, log.drawn + round, log.sums});
        } else {
            view.round(op, tally, RoundPlace<Op>{shared, log.drawn + round, log.sums});
        }
        if (scattered) {
            barrier.sync();
            for (EdgeId v = thread_of_grid(); v < view.vertices; v += threads_of_grid()) {
                const auto id = static_cast<VertexId>(v);
                const typename Op::Sum sum = __ldcg(log.sums + id);
                if constexpr (!keeps_sums<View, Op>) log.sums[id] = Op::identity();
                op.finish(id, sum, tally);
            }
        }
        add_up(tally, log.tallies + round);
        barrier.sync();
        if (leads) log.ends[round + 1] = nanoseconds();
        if (!op.next_round(read_tally(log.tallies + round))) break;
    }
}

/// Runs rounds until the operator ends them, with at most `launch_rounds` rounds per launch (0: as many as
/// take about `wanted_seconds`). If `on_round(tally, seconds)` returns false, the run ends after the first
/// round of the next launch. Returns the operator in its state after the last round. `*seconds` is the total
/// time on the device.
template <class View, ArcOperator Op, class OnRound>
Op iterate(View view, Op op, unsigned launch_rounds, OnRound on_round, double* seconds) {
    using Tally = typename Op::Tally;
    using Sum = typename Op::Sum;
    constexpr unsigned first_launch = 64;
    const unsigned most = launch_rounds ? launch_rounds : 4096;
    // duration of a launch; a run can only be interrupted between launches
    constexpr double wanted_seconds = 0.5;
    *seconds = 0;
    if (view.vertices == 0) return op;
    const Buffer<Sum> sums(
        std::vector<Sum>(View::scatters || keeps_sums<View, Op> ? view.vertices : 0, Op::identity()));
    Buffer<Tally> tallies(most);
    Buffer<unsigned long long> ends(most + 1);
    Buffer<unsigned> drawn(most);
    Buffer<EdgeId> arrivals(1);
    const std::size_t shared = view.template shared_bytes<Op>();
    unsigned rounds = std::min(first_launch, most);
    for (bool more = true; more;) {
        tallies.zero(), drawn.zero(), arrivals.zero();
        const RoundLog<Op> log{sums.data(),  tallies.data(),  ends.data(),
                               drawn.data(), arrivals.data(), rounds};
        Timer timer;
        launch(rounds_kernel<View, Op>, {View::threads, View::blocks_per_sm}, shared, view, op, log);
        const double of_launch = timer.seconds();
        *seconds += of_launch;
        const std::vector<Tally> tally = tallies.download();
        const std::vector<unsigned long long> end = ends.download();
        bool stop = false;
        // makes the same decisions as the device, on the host's copy of the operator
        for (unsigned r = 0; r < rounds && more; ++r) {
            more = op.next_round(tally[r]);
            stop = !on_round(tally[r], static_cast<double>(end[r + 1] - end[r]) * 1e-9) || stop;
        }
        if (stop && more) op.end_after_next_round();
        rounds = static_cast<unsigned>(
            std::clamp(rounds * wanted_seconds / std::max(of_launch, 1e-6), 1.0, static_cast<double>(most)));
    }
    return op;
}

}  // namespace lockstep::gpu
