// The steps of a round of refinement (rounds.hpp) on a GPU. Two steps are separated by a device-wide barrier,
// or by the end of a launch.
//     count     counts the bad triangles, and the triangles that the round processes
//     list      lists the triangles that the round processes, in order
//     reserve   decides on the new point of each listed triangle, and reserves its cavity
//     mark      (exclusive marks only) reserves again where a lower priority has overwritten the mark
//     contest   drops the triangles that do not hold their whole cavity, and counts the winners
//     build     refines the winners; the rank of a winner determines the indices of its new triangles
//     check     judges the new triangles, unless build does
// A thread block processes a slice of the triangles, or of the list. It computes the number of items before
// its slice from the counts of all blocks, so the result does not depend on the number of blocks.
#pragma once

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/mesh/cavity.hpp"
#include "lockstep/executor/mesh/rounds.hpp"

namespace lockstep::mesh {

inline constexpr int step_threads = 256;

/// The counts of a thread block, in the order of the steps.
struct Counts {
    /// number of bad triangles of the block's slice, of those that the round processes, and of those that
    /// were left
    unsigned bad, taken, left;
    /// Number of refined cavities, of triangles to be appended, and of border edges, in the block's slice of
    /// the list.
    unsigned won, fresh, border;
};
struct Three {
    unsigned a, b, c;
    __device__ Three operator+(const Three& o) const { return {a + o.a, b + o.b, c + o.c}; }
};

/// The state of a run between two rounds.
struct Status {
    std::int32_t points, triangles;
    std::uint32_t round, before;  ///< number of the round; number of bad triangles before the previous round
};

struct DeviceMesh {
    View view;
    std::int32_t* tried;
    PointInsertion* insertions;
    Spoke *spokes, *kept;
    Counts* counts;  ///< counts of each thread block
    std::int32_t max_points, max_triangles;
    std::uint64_t full, part;
};

struct Addition {
    __device__ Three operator()(const Three& a, const Three& b) const { return a + b; }
};
/// The sums of the counts over all thread blocks before this one, and over all thread blocks.
struct Sums {
    Three before, all;
};

union Scratch {
    cub::BlockReduce<Three, step_threads>::TempStorage reduce;
    cub::BlockScan<unsigned, step_threads>::TempStorage scan;
    cub::BlockScan<Three, step_threads>::TempStorage scan_three;
    Sums sums[step_threads / 32];
};
/// Returns the scratch memory of the thread block.
__device__ inline Scratch& scratch() {
    __shared__ Scratch shared;
    return shared;
}

/// Returns the sums of the counts of the thread blocks. All threads of a block must call it and get the sums.
template <class Of>
__device__ Sums sums_of(const DeviceMesh& d, Of of) {
    Sums mine{};
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
        const Three here = of(d.counts[b]);
        mine.all = mine.all + here;
        if (b < blockIdx.x) mine.before = mine.before + here;
    }
    const auto of_warps = [](Three v) {
        return Three{gpu::sum_of_warp(v.a), gpu::sum_of_warp(v.b), gpu::sum_of_warp(v.c)};
    };
    mine = {of_warps(mine.before), of_warps(mine.all)};
    __syncthreads();
    if (threadIdx.x % 32 == 0) scratch().sums[threadIdx.x / 32] = mine;
    __syncthreads();
    Sums sums{};
#pragma unroll
    for (const Sums& warp : scratch().sums) sums = {sums.before + warp.before, sums.all + warp.all};
    __syncthreads();
    return sums;
}
__device__ inline Sums taken_sums(const DeviceMesh& d) {
    return sums_of(d, [](const Counts& c) { return Three{c.bad, c.taken, c.left}; });
}
__device__ inline Sums sum_winners(const DeviceMesh& d) {
    return sums_of(d, [](const Counts& c) { return Three{c.won, c.fresh, c.border}; });
}

/// Calls use(first, bad, taken, left) for the states of the block's slice, 16 states per thread: index of the
/// first triangle, number of bad triangles, one bit per triangle that the round processes, and number of
/// triangles in state `left`.
constexpr unsigned states_at_once = 16;
template <class Use>
__device__ void for_states(const DeviceMesh& d, const Status& at, Use use) {
    const std::uint32_t least = min_priority(at.before, d.full, d.part);
    const auto size = static_cast<unsigned>(at.triangles);
    const unsigned words = (size + states_at_once - 1) / states_at_once,
                   part = (words + gridDim.x - 1) / gridDim.x;
    const unsigned begin = part * blockIdx.x, end = min(begin + part, words);
    for (unsigned base = begin; base < end; base += step_threads) {
        const unsigned word = base + threadIdx.x, first = word * states_at_once;
        unsigned bad = 0, taken = 0, left = 0;
        if (word < end) {
            const uint4 states = reinterpret_cast<const uint4*>(d.view.states)[word];
            const unsigned of[4]{states.x, states.y, states.z, states.w};
#pragma unroll
            for (unsigned i = 0; i < states_at_once; ++i) {
                const unsigned state = of[i / 4] >> (i % 4 * 8) & 0xFF;
                if (first + i >= size) continue;
                if (state == static_cast<unsigned>(State::left)) ++left;
                if (state != static_cast<unsigned>(State::bad)) continue;
                ++bad;
                if (priority(static_cast<std::int32_t>(first + i), at.round) >= least) taken |= 1U << i;
            }
        }
        use(first, bad, taken, left);
    }
}

__device__ inline void count_step(const DeviceMesh& d, const Status& at) {
    Three sum{};
    for_states(d, at, [&](unsigned, unsigned bad, unsigned taken, unsigned left) {
        sum = sum + Three{bad, static_cast<unsigned>(__popc(taken)), left};
    });
    sum = cub::BlockReduce<Three, step_threads>(scratch().reduce).Reduce(sum, Addition());
    if (threadIdx.x == 0) {
        Counts& mine = d.counts[blockIdx.x];
        mine.bad = sum.a, mine.taken = sum.b, mine.left = sum.c;
    }
    __syncthreads();
}

__device__ inline void list_step(const DeviceMesh& d, const Status& at, unsigned first) {
    for_states(d, at, [&](unsigned state, unsigned, unsigned taken, unsigned) {
        unsigned place = 0, all = 0;
        cub::BlockScan<unsigned, step_threads>(scratch().scan)
            .ExclusiveSum(static_cast<unsigned>(__popc(taken)), place, all);
        __syncthreads();
        for (place += first; taken; taken &= taken - 1)
            d.tried[place++] =
                static_cast<std::int32_t>(state + static_cast<unsigned>(__ffs(static_cast<int>(taken))) - 1);
        first += all;
    });
}

/// Calls use(index, whether it exists) for the items of this block's slice of the list, in the order of the
/// threads. If the items are few, they are spread over different warps, so that no item waits for another.
template <class Use>
__device__ void for_tried(unsigned size, Use use) {
    constexpr unsigned warps = step_threads / 32;
    const unsigned part = (size + gridDim.x - 1) / gridDim.x;
    const unsigned begin = min(part * blockIdx.x, size), end = min(begin + part, size);
    const unsigned lanes = min(32U, (end - begin + warps - 1) / warps);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (unsigned base = begin; base < end; base += lanes * warps) {
        const unsigned i = base + warp * lanes + lane;
        use(i, lane < lanes && i < end);
    }
}

/// Returns the stored list of the i-th cavity.
__device__ inline Spoke* kept_of(const DeviceMesh& d, unsigned i) {
    return d.kept + std::size_t{i} * static_cast<unsigned>(kept_list_capacity);
}

template <RefinementMethod method>
__device__ void claim(const DeviceMesh& d, const Status& at, unsigned i, const PointInsertion& insertion) {
    constexpr auto form = method == RefinementMethod::exclusive ? worklist::ClaimMethod::racing
                                                                : worklist::ClaimMethod::priority;
    visit_locks(d.view, insertion, kept_of(d, i), worklist::Claim<form>{reservation(d.tried[i], at.round)});
}

template <RefinementMethod method>
__device__ void reserve_step(const DeviceMesh& d, const Status& at, unsigned size) {
    for_tried(size, [&](unsigned i, bool is) {
        if (!is) return;
        const std::int32_t triangle = d.tried[i];
        PointInsertion insertion;
        if constexpr (method == RefinementMethod::supersteps) {
            CavityRecorder note{kept_of(d, i), i < max_kept ? kept_list_capacity : 0};
            insertion = decide(d.view, triangle, note);
        } else {
            NullVisitor note;
            insertion = decide(d.view, triangle, note);
        }
        d.insertions[i] = insertion;
        if (insertion.border == 0) {
            d.view.states[triangle] = State::left;
            return;
        }
        claim<method>(d, at, i, insertion);
    });
}

/// Claims the locks again. Claims are plain stores here, and a lower priority may have overwritten them.
template <RefinementMethod method>
__device__ void mark_again_step(const DeviceMesh& d, const Status& at, unsigned size) {
    for_tried(size, [&](unsigned i, bool is) {
        if (is && d.insertions[i].border != 0) claim<method>(d, at, i, d.insertions[i]);
    });
}

__device__ inline Three share_of(const PointInsertion& insertion) {
    return {1, insertion.segment ? 1U : 2U, insertion.kept ? 0 : static_cast<unsigned>(insertion.border)};
}

__device__ inline void contest_step(const DeviceMesh& d, const Status& at, unsigned size) {
    Three sum{};
    for_tried(size, [&](unsigned i, bool is) {
        if (!is) return;
        const PointInsertion insertion = d.insertions[i];
        if (insertion.border == 0) return;
        if (visit_locks(d.view, insertion, kept_of(d, i),
                        worklist::LockCheck{reservation(d.tried[i], at.round)})) {
            sum = sum + share_of(insertion);
        } else {
            d.insertions[i].border = 0;
        }
    });
    sum = cub::BlockReduce<Three, step_threads>(scratch().reduce).Reduce(sum, Addition());
    if (threadIdx.x == 0) {
        Counts& mine = d.counts[blockIdx.x];
        mine.won = sum.a, mine.fresh = sum.b, mine.border = sum.c;
    }
    __syncthreads();
}

/// Returns whether the capacity suffices for the round. The cavities of a round are disjoint, so as many
/// spokes as triangles suffice.
__device__ inline bool has_room(const DeviceMesh& d, const Status& at, unsigned taken) {
    return taken <= static_cast<unsigned>(d.max_points - at.points) &&
           2 * taken <= static_cast<unsigned>(d.max_triangles - at.triangles);
}

/// Refines the triangles that hold their cavities. If `judges`, also judges the new triangles. Otherwise
/// check_step() judges them, which requires that the cavities are not stored.
template <bool judges>
__device__ void build_step(const DeviceMesh& d, const Status& at, unsigned size, Three first) {
    for_tried(size, [&](unsigned i, bool is) {
        PointInsertion insertion{};
        if (is) insertion = d.insertions[i];
        const bool won = insertion.border != 0;
        Three place{}, all{};
        cub::BlockScan<Three, step_threads>(scratch().scan_three)
            .ExclusiveScan(won ? share_of(insertion) : Three{}, place, Three{}, Addition(), all);
        __syncthreads();
        place = first + place, first = first + all;
        if (!won) return;
        Spoke* const fan = insertion.kept ? kept_of(d, i) : d.spokes + place.c;
        if (!insertion.kept) list_cavity(d.view, insertion, reservation(d.tried[i], at.round), fan);
        refine(d.view, insertion, at.points + static_cast<std::int32_t>(place.a),
               at.triangles + static_cast<std::int32_t>(place.b), fan);
        if constexpr (judges) judge_fan(d.view, insertion, fan);
    });
}

__device__ inline void check_step(const DeviceMesh& d, unsigned spokes) {
    for (unsigned s = blockIdx.x * blockDim.x + threadIdx.x; s < spokes; s += gridDim.x * blockDim.x) {
        const std::int32_t made = d.spokes[s].triangle;
        d.view.states[made] = judge(d.view, made);
    }
}

/// Judges all triangles. Runs before the first round.
__device__ inline void judge_all(const DeviceMesh& d, const Status& at) {
    for (EdgeId t = gpu::thread_of_grid(); t < static_cast<EdgeId>(at.triangles); t += gpu::threads_of_grid())
        d.view.states[t] = judge(d.view, static_cast<std::int32_t>(t));
}
/// Makes the triangles in state `left` bad again. Must be called when no bad triangle remains.
__device__ inline void try_left_again(const DeviceMesh& d, const Status& at) {
    for (EdgeId t = gpu::thread_of_grid(); t < static_cast<EdgeId>(at.triangles); t += gpu::threads_of_grid())
        if (d.view.states[t] == State::left) d.view.states[t] = State::bad;
}

}  // namespace lockstep::mesh
