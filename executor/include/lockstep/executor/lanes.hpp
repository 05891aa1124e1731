// Lane groups: the L lanes that process one edge together, where each lane has some components of the
// vectors.
//
// The same operator code runs on CPU and GPU. On a GPU, the L lanes are threads of one warp. On a CPU, one
// thread has the components of all lanes. Sums over the lanes are computed in the order of one fixed tree, so
// that CPU and GPU results are bitwise identical.
#pragma once

#include <cmath>

#if defined(__CUDACC__)
#define LOCKSTEP_HD __host__ __device__ __forceinline__
#else
#define LOCKSTEP_HD inline __attribute__((always_inline))
#endif

/// Must precede a loop that nvcc should unroll completely. Has no effect for other compilers.
#if defined(__CUDACC__)
#define LOCKSTEP_UNROLL _Pragma("unroll")
#else
#define LOCKSTEP_UNROLL
#endif

namespace lockstep {

/// Multiply, add, and multiply-add with a single rounding. No compiler may contract or reorder these
/// operations.
LOCKSTEP_HD float multiply(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}
LOCKSTEP_HD float add(float a, float b) {
#if defined(__CUDA_ARCH__)
    return __fadd_rn(a, b);
#else
    return a + b;
#endif
}
LOCKSTEP_HD float fused_multiply_add(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return std::fma(a, b, c);
#endif
}

/// All L lanes of an edge in one CPU thread.
template <int L>
struct HostLanes {
    static constexpr int lanes = L;
    static constexpr int held = L;  ///< number of lanes whose components one thread has
    static constexpr int lane(int i) { return i; }
    /// Returns the sum of one number per lane, where L is a power of two. Lane l first adds the number of
    /// lane l + L/2, then of lane l + L/4, and so on.
    static float sum(float (&partial)[L]) {
        for (int width = L / 2; width > 0; width /= 2) {
            for (int l = 0; l < width; ++l) partial[l] = add(partial[l], partial[l + width]);
        }
        return partial[0];
    }
    /// Computes N sums at a time. Sum n is stored in partial[n][0].
    template <int N>
    static void sum_each(float (&partial)[N][L]) {
        for (auto& p : partial) sum(p);
    }
};

#if defined(__CUDACC__)
/// L neighbouring threads of a warp with one lane each. L must divide 32.
template <int L>
struct DeviceLanes {
    static constexpr int lanes = L, held = 1, threads = L;
    __device__ __forceinline__ static int lane(int) { return static_cast<int>(threadIdx.x) % L; }
    /// Returns the bit mask of this lane group's threads within their warp.
    __device__ __forceinline__ static unsigned mask() {
        constexpr unsigned group = L == 32 ? 0xffffffffU : (1U << L) - 1;
        return group << (threadIdx.x % 32 / L * L);
    }
    __device__ __forceinline__ static bool leads() { return threadIdx.x % L == 0; }
    /// Returns the sum over the lane group, in every lane. The tree is that of HostLanes::sum. Some lanes
    /// exchange the operands of an addition, which does not change the sum.
    __device__ __forceinline__ static float sum(float (&partial)[1]) {
        float s = partial[0];
#pragma unroll
        for (int width = L / 2; width > 0; width /= 2) s = add(s, __shfl_xor_sync(mask(), s, width, L));
        return s;
    }
};

/// L lanes on L / Held neighbouring threads, in a warp of which all 32 threads must take part. The sums are
/// bitwise identical to those of HostLanes, however many lanes a thread has.
template <int L, int Held = 1>
struct WarpLanes {
    static constexpr int lanes = L, held = Held, threads = L / Held;
    __device__ __forceinline__ static int lane(int i) {
        return static_cast<int>(threadIdx.x) % threads + threads * i;
    }
    __device__ __forceinline__ static float sum(float (&partial)[Held]) {
        float s[1][Held];
#pragma unroll
        for (int i = 0; i < Held; ++i) s[0][i] = partial[i];
        sum_each(s);
        return s[0][0];
    }
    /// Computes N sums at a time, in interleaved steps. Sum n is stored in partial[n][0].
    template <int N>
    __device__ __forceinline__ static void sum_each(float (&partial)[N][Held]) {
#pragma unroll
        for (int width = Held / 2; width > 0; width /= 2) {
#pragma unroll
            for (int n = 0; n < N; ++n) {
#pragma unroll
                for (int i = 0; i < width; ++i) partial[n][i] = add(partial[n][i], partial[n][i + width]);
            }
        }
#pragma unroll
        for (int width = threads / 2; width > 0; width /= 2) {
#pragma unroll
            for (int n = 0; n < N; ++n)
                partial[n][0] = add(partial[n][0], __shfl_xor_sync(~0U, partial[n][0], width));
        }
    }
};
#endif

}  // namespace lockstep
