// Phases of few edges, run by one thread block: a barrier of the block instead of the device between two.
//
// A hub's last edges have a phase each, in which little else happens: such a phase is a chain of dependent
// updates, and what counts is how long one takes. So the records of the phases come to shared memory ahead of
// time, and the vectors into the L1 cache: the block alone works on them until the next device-wide barrier,
// and its own stores keep that cache coherent.
#pragma once

#include "lockstep/executor/cuda/bulk.cuh"
#include "lockstep/executor/cuda/device_plan.cuh"
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

/// Waits for what this thread has asked copy_word for.
__device__ __forceinline__ void copies_done() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// The same, but for those since the last call of this function.
__device__ __forceinline__ void earlier_copies_done() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;\ncp.async.wait_group 1;" ::: "memory");
#endif
}

/// Loads and stores of an operator through the L1 cache, where it has such.
template <class Op>
struct Near {
    const Op& op;
    /// Words that touching an end copies.
    static constexpr int touch_words = [] {
        if constexpr (requires { Op::touch_words; })
            return Op::touch_words;
        else
            return 1;
    }();
    __device__ __forceinline__ typename Op::Row load_row(VertexId u) const {
        if constexpr (requires { op.near_row(u); })
            return op.near_row(u);
        else
            return op.load_row(u);
    }
    __device__ __forceinline__ typename Op::Col load_col(VertexId v) const {
        if constexpr (requires { op.near_col(v); })
            return op.near_col(v);
        else
            return op.load_col(v);
    }
    __device__ __forceinline__ void store_row(VertexId u, const typename Op::Row& row) const {
        if constexpr (requires { op.put_row(u, row); })
            op.put_row(u, row);
        else
            op.store_row(u, row);
    }
    __device__ __forceinline__ void store_col(VertexId v, const typename Op::Col& col) const {
        if constexpr (requires { op.put_col(v, col); })
            op.put_col(v, col);
        else
            op.store_col(v, col);
    }
    __device__ __forceinline__ void touch_row(VertexId u, float* sink) const {
        if constexpr (requires { op.touch_row(u, sink); }) op.touch_row(u, sink);
    }
    __device__ __forceinline__ void touch_col(VertexId v, float* sink) const {
        if constexpr (requires { op.touch_col(v, sink); }) op.touch_col(v, sink);
    }
};

/// What the block has of three runs: one is worked on, of the next the vectors are on their way, of the one
/// after the records.
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
    float sink[edges][2][Near<Op>::touch_words];  ///< what is copied to touch the vectors; never read

    /// The runs [first, last) of the plan, none of which is shared. All threads of the block.
    __device__ void run(const PlanView& plan, const Op& op, EdgeId first, EdgeId last) {
        fetch(plan, first, last, 0);
        copies_done();
        __syncthreads();
        touch(plan, op, first, last, 0);
        fetch(plan, first + 1, last, 1);
        int b = 0;
        for (EdgeId r = first; r < last; ++r, b = (b + 1) % 3) {
            copies_done();
            __syncthreads();
            touch(plan, op, r + 1, last, (b + 1) % 3);
            fetch(plan, r + 2, last, (b + 2) % 3);
            work(plan.run[r], op, buffer[b]);
        }
        copies_done();
        __syncthreads();
    }

private:
    __device__ __forceinline__ void fetch(const PlanView& plan, EdgeId r, EdgeId last, int b) {
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
            copy_word(reinterpret_cast<float*>(to.row + i),
                      reinterpret_cast<const float*>(plan.row + begin + i));
            copy_word(reinterpret_cast<float*>(to.col + i),
                      reinterpret_cast<const float*>(plan.col + begin + i));
            copy_word(to.value + i, plan.value + begin + i);
        }
    }
    __device__ __forceinline__ void touch(const PlanView& plan, const Op& op, EdgeId r, EdgeId last, int b) {
        if (r >= last) return;
        const Records& records = buffer[b];
        const Near<Op> near{op};
        const PhaseRun run = plan.run[r];
        const int size = static_cast<int>(run.end - run.begin), groups = static_cast<int>(blockDim.x) / lanes;
        for (int i = static_cast<int>(threadIdx.x) / lanes; i < size; i += groups) {
            near.touch_row(records.row[i], sink[i][0]);
            near.touch_col(records.col[i], sink[i][1]);
        }
    }
    /// The phases of a run. No more warps than its largest phase needs meet at the barriers.
    __device__ __forceinline__ void work(const PhaseRun& run, const Op& op, const Records& records) {
        const Near<Op> near{op};
        const int phases = static_cast<int>(run.last - run.first);
        const int threads =
            min(static_cast<int>(blockDim.x), (static_cast<int>(run.largest) * lanes + 31) / 32 * 32);
        if (static_cast<int>(threadIdx.x) >= threads) return;
        const int group = static_cast<int>(threadIdx.x) / lanes, groups = threads / lanes;
        const EdgeId base = records.offsets[0];
        int end = static_cast<int>(records.offsets[1] - base), i = group;
        VertexId u = records.row[i], v = records.col[i];
        float value = records.value[i];
        for (int p = 0; p < phases; ++p) {
            const int next = end + group;
            if (i < end) {
                for (;;) {
                    auto row = near.load_row(u);
                    auto col = near.load_col(v);
                    op.apply(row, col, value, Place{base + i, run.first + p, base + i});
                    near.store_row(u, row);
                    near.store_col(v, col);
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
    }
};

}  // namespace lockstep::gpu
