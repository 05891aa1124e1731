// Asynchronous copies from device memory to shared memory, and atomic additions of four numbers.
#pragma once

#include <cuda_pipeline_primitives.h>

#include <cstdint>

namespace lockstep::gpu {

/// Starts an asynchronous copy of a 4-byte word from device memory to shared memory, through the L1 cache.
__device__ __forceinline__ void copy_word(void* shared, const void* global) {
    __pipeline_memcpy_async(shared, global, 4);
}
/// Starts an asynchronous copy of 16 bytes from device memory to shared memory, bypassing the L1 cache.
__device__ __forceinline__ void copy_piece(void* shared, const void* global) {
    __pipeline_memcpy_async(shared, global, 16);
}
/// Overloads for a 32-bit address in shared memory.
__device__ __forceinline__ void copy_word(std::uint32_t shared, const void* global) {
    copy_word(__cvta_shared_to_generic(shared), global);
}
__device__ __forceinline__ void copy_piece(std::uint32_t shared, const void* global) {
    copy_piece(__cvta_shared_to_generic(shared), global);
}
/// Waits for all asynchronous copies that this thread has started.
__device__ __forceinline__ void wait_for_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}
/// Waits for all asynchronous copies that this thread had started before the previous call of this function.
__device__ __forceinline__ void earlier_copies_done() {
    __pipeline_commit();
    __pipeline_wait_prior(1);
}

/// Adds to four neighbouring floats, which must be aligned to 16 bytes. Each of the four additions is atomic.
__device__ __forceinline__ void add_four(float* address, float a, float b, float c, float d) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(address)),
        "f"(a), "f"(b), "f"(c), "f"(d)
        : "memory");
#else
    atomicAdd(address, a), atomicAdd(address + 1, b), atomicAdd(address + 2, c), atomicAdd(address + 3, d);
#endif
}
/// Adds to four neighbouring numbers in half precision; each word contains two of them. Each of the four
/// additions is atomic and rounded.
__device__ __forceinline__ void add_four_halves(void* address, uint2 words) {
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "red.relaxed.gpu.global.add.noftz.v2.f16x2 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(address)),
        "r"(words.x), "r"(words.y)
        : "memory");
#else
    const auto add_two = [](unsigned* two, unsigned word) {
        asm volatile("red.relaxed.gpu.global.add.noftz.f16x2 [%0], %1;" ::"l"(__cvta_generic_to_global(two)),
                     "r"(word)
                     : "memory");
    };
    add_two(static_cast<unsigned*>(address), words.x), add_two(static_cast<unsigned*>(address) + 1, words.y);
#endif
}

}  // namespace lockstep::gpu
