// Words in device memory that blocks hand over without a barrier: accesses that are whole, and those that
// order what surrounds them.
#pragma once

#include <cstdint>

namespace lockstep::gpu {

__device__ __forceinline__ std::uint32_t load_relaxed(const std::uint32_t* p) {
    std::uint32_t v;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                 : "=r"(v)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
    return v;
}
__device__ __forceinline__ uint4 load_relaxed(const uint4* p) {
    uint4 v;
    asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
    return v;
}
__device__ __forceinline__ std::uint64_t load_acquire(const std::uint64_t* p) {
    std::uint64_t v;
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];"
                 : "=l"(v)
                 : "l"(__cvta_generic_to_global(p))
                 : "memory");
    return v;
}
__device__ __forceinline__ void store_relaxed(std::uint32_t* p, std::uint32_t v) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "r"(v) : "memory");
}
__device__ __forceinline__ void store_relaxed(std::uint64_t* p, std::uint64_t v) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "l"(v) : "memory");
}
__device__ __forceinline__ void store_release(std::uint64_t* p, std::uint64_t v) {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "l"(v) : "memory");
}
__device__ __forceinline__ std::uint32_t exchange_acquire_release(std::uint32_t* p, std::uint32_t v) {
    std::uint32_t old;
    asm volatile("atom.acq_rel.gpu.global.exch.b32 %0, [%1], %2;"
                 : "=r"(old)
                 : "l"(__cvta_generic_to_global(p)), "r"(v)
                 : "memory");
    return old;
}
__device__ __forceinline__ void min_relaxed(std::uint32_t* p, std::uint32_t v) {
    asm volatile("red.relaxed.gpu.global.min.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "r"(v)
                 : "memory");
}
__device__ __forceinline__ void min_release(std::uint32_t* p, std::uint32_t v) {
    asm volatile("red.release.gpu.global.min.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "r"(v)
                 : "memory");
}
/// Loads before it come before what follows, for all that is released to it.
__device__ __forceinline__ void fence_acquire_release() { asm volatile("fence.acq_rel.gpu;" ::: "memory"); }
__device__ __forceinline__ std::uint64_t nanoseconds() {
    std::uint64_t t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

}  // namespace lockstep::gpu
