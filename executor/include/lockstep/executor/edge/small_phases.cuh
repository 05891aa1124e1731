// Runs consecutive phases with few edges on one thread block, so that a barrier of this thread block suffices
// between two of them, instead of a device-wide barrier.
//
// The last edges of a hub are in one phase each, with few other edges. They form a chain of dependent
// updates, so the latency of one update determines the time. Therefore the indices and values of the edges
// are copied to shared memory in advance, and the vectors to the L1 cache. Until the next device-wide barrier
// only this thread block accesses the vectors, so the cache stays coherent.
#pragma once

#include "lockstep/executor/device/bulk.cuh"
#include "lockstep/executor/device/copies.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/near.cuh"
#include "lockstep/executor/edge/phases.hpp"

namespace lockstep::gpu {

struct PhasesView {
    EdgesView edges;
    const EdgeId* phase_offsets;
    /// runs of phases; for the resident walk, only the runs of small phases at the ends of blocks
    const PhaseRun* run;
    EdgeId runs;
    EdgeId* counters;
};

/// Maximum number of phases and of edges of one run, which the thread block loads as a whole. The L1 cache
/// holds the vectors of this many edges if `lanes` lanes share an edge.
struct SmallLimits {
    static constexpr int phases = 128;
    static constexpr int edges(int lanes) { return lanes <= 4 ? 1024 : 4096 / lanes; }
    /// Returns the minimum number of edges for which a phase runs faster on the whole device than on one
    /// thread block.
    static constexpr int worth_sharing(int lanes) { return edges(lanes) / 2; }
};
inline std::vector<PhaseRun> device_runs(const std::vector<EdgeId>& phase_offsets,
                                         const std::vector<EdgeId>& block_phases, int lanes) {
    return phase_runs(phase_offsets, block_phases, static_cast<EdgeId>(SmallLimits::worth_sharing(lanes)),
                      static_cast<EdgeId>(SmallLimits::edges(lanes)), SmallLimits::phases);
}

/// Three buffers in shared memory, because three runs of phases are in progress: one is being processed, the
/// vectors of the next one are being prefetched, and the indices and values of the one after it are being
/// copied.
template <class Op>
struct SmallPhases {
    static constexpr int lanes = Op::Lanes::lanes;
    static constexpr int edges = SmallLimits::edges(lanes);
    struct Records {
        EdgeId offsets[SmallLimits::phases + 1];
        VertexId row[edges], col[edges];
        float value[edges];
    };
    Records buffer[3];
    /// target of the copies that bring the vectors into the L1 cache; its content is never read
    float sink[edges][2][CachedVectorAccess<Op>::prefetch_words];

    /// Processes the runs [first, last) of the plan, which consist of small phases. All threads of the block
    /// must call it. Returns the number of edges that this thread's worker processed.
    __device__ unsigned run(const PhasesView& plan, const Op& op, EdgeId first, EdgeId last) {
        fetch(plan, first, last, 0);
        wait_for_copies();
        __syncthreads();
        touch(plan, op, first, last, 0);
        fetch(plan, first + 1, last, 1);
        int b = 0;
        unsigned done = 0;
        for (EdgeId r = first; r < last; ++r, b = (b + 1) % 3) {
            wait_for_copies();
            __syncthreads();
            touch(plan, op, r + 1, last, (b + 1) % 3);
            fetch(plan, r + 2, last, (b + 2) % 3);
            done += work(plan.run[r], op, buffer[b]);
        }
        wait_for_copies();
        __syncthreads();
        return done;
    }

private:
    __device__ __forceinline__ void fetch(const PhasesView& plan, EdgeId r, EdgeId last, int b) {
        if (r >= last) return;
        Records& to = buffer[b];
        const PhaseRun run = plan.run[r];
        const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
        const auto* const words = reinterpret_cast<const float*>(plan.phase_offsets + run.first);
        const int offset_words = static_cast<int>(2 * (run.last - run.first + 1));
        for (int i = thread; i < offset_words; i += threads)
            copy_word(reinterpret_cast<float*>(to.offsets) + i, words + i);
        const EdgeId begin = run.begin;
        const int size = static_cast<int>(run.end - begin);
        for (int i = thread; i < size; i += threads) {
            copy_word(to.row + i, plan.edges.row + begin + i);
            copy_word(to.col + i, plan.edges.col + begin + i);
            copy_word(to.value + i, plan.edges.value + begin + i);
        }
    }
    __device__ __forceinline__ void touch(const PhasesView& plan, const Op& op, EdgeId r, EdgeId last,
                                          int b) {
        if (r >= last) return;
        const Records& records = buffer[b];
        const CachedVectorAccess<Op> near{op};
        const PhaseRun run = plan.run[r];
        const int size = static_cast<int>(run.end - run.begin), groups = static_cast<int>(blockDim.x) / lanes;
        for (int i = static_cast<int>(threadIdx.x) / lanes; i < size; i += groups) {
            near.prefetch_row(records.row[i], sink[i][0]);
            near.prefetch_col(records.col[i], sink[i][1]);
        }
    }
    /// Processes the phases of one run. Only the warps that the largest of these phases needs take part in
    /// the barriers.
    __device__ __forceinline__ unsigned work(const PhaseRun& run, const Op& op, const Records& records) {
        const CachedVectorAccess<Op> near{op};
        const int phases = static_cast<int>(run.last - run.first);
        const int threads =
            min(static_cast<int>(blockDim.x), (static_cast<int>(run.largest) * lanes + 31) / 32 * 32);
        if (static_cast<int>(threadIdx.x) >= threads) return 0;
        const int group = static_cast<int>(threadIdx.x) / lanes, groups = threads / lanes;
        const EdgeId base = records.offsets[0];
        int end = static_cast<int>(records.offsets[1] - base), i = group;
        VertexId u = records.row[i], v = records.col[i];
        float value = records.value[i];
        unsigned done = 0;
        for (int p = 0; p < phases; ++p) {
            const int next = end + group;
            if (i < end) {
                for (;;) {
                    auto row = near.load_row(u);
                    auto col = near.load_col(v);
                    op.apply(row, col, value, EdgePosition{base + i, run.first + p, base + i});
                    near.store_row(u, row);
                    near.store_col(v, col);
                    ++done;
                    if ((i += groups) >= end) break;
                    u = records.row[i], v = records.col[i], value = records.value[i];
                }
            }
            i = next;
            if (p + 1 < phases) {
                end = static_cast<int>(records.offsets[p + 2] - base);
                if (i < end) u = records.row[i], v = records.col[i], value = records.value[i];
            }
            barrier_wait(1, threads);
        }
        return done;
    }
};

}  // namespace lockstep::gpu
