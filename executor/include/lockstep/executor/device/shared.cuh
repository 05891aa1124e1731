// Loads and stores of shared memory by 32-bit addresses.
#pragma once

#include <cstdint>

namespace lockstep::gpu {

__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

/// Loads and stores by an address in shared memory. A 32-bit address avoids the 64-bit arithmetic of
/// pointers.
__device__ __forceinline__ float4 load_float4(std::uint32_t address) {
    float4 v;
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(address)
                 : "memory");
    return v;
}
__device__ __forceinline__ float2 load_float2(std::uint32_t address) {
    float2 v;
    asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"(address) : "memory");
    return v;
}
__device__ __forceinline__ uint2 load_uint2(std::uint32_t address) {
    uint2 v;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "r"(address) : "memory");
    return v;
}
__device__ __forceinline__ std::uint32_t load_word(std::uint32_t address) {
    std::uint32_t v;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(address) : "memory");
    return v;
}
__device__ __forceinline__ void store_word(std::uint32_t address, std::uint32_t v) {
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(v) : "memory");
}
__device__ __forceinline__ void store_float2(std::uint32_t address, float2 v) {
    asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(address), "f"(v.x), "f"(v.y) : "memory");
}
__device__ __forceinline__ std::uint16_t load_half_word(std::uint32_t address) {
    std::uint16_t v;
    asm volatile("ld.shared.u16 %0, [%1];" : "=h"(v) : "r"(address) : "memory");
    return v;
}
__device__ __forceinline__ void store_half_word(std::uint32_t address, std::uint16_t v) {
    asm volatile("st.shared.u16 [%0], %1;" ::"r"(address), "h"(v) : "memory");
}
/// Stores `v` if `really`. The store is a predicated instruction, because a branch would take longer.
__device__ __forceinline__ void store_float4_if(bool really, std::uint32_t address, float4 v) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.s32 p, %0, 0;\n@p st.shared.v4.f32 [%1], {%2, %3, %4, %5};\n}" ::"r"(
            int{really}),
        "r"(address), "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
        : "memory");
}
__device__ __forceinline__ void store_uint2_if(bool really, std::uint32_t address, uint2 v) {
    asm volatile(
        "{\n.reg .pred p;\nsetp.ne.s32 p, %0, 0;\n@p st.shared.v2.u32 [%1], {%2, %3};\n}" ::"r"(int{really}),
        "r"(address), "r"(v.x), "r"(v.y)
        : "memory");
}

}  // namespace lockstep::gpu
