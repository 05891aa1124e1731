// Values of four bytes, and on the CPU of eight, that other workers may be changing meanwhile. Every access
// is whole, and relaxed: what surrounds it is in no order with it. Others are those of gpu::Atomic.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <type_traits>
#if defined(__CUDACC__)
#include <cuda/atomic>
#endif

#include "lockstep/executor/lanes.hpp"

namespace lockstep {

/// Values are compared as their bits, which are in their order.
template <class Value>
LOCKSTEP_HD std::uint32_t bits_of(Value value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
template <class Value>
LOCKSTEP_HD Value value_of(std::uint32_t bits) {
    Value value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Perhaps stale. On the GPU the two that kernels do most are by addresses of global memory, which libcu++'s
/// are not.
template <class Value>
LOCKSTEP_HD Value peek(const Value* value) {
#if defined(__CUDA_ARCH__)
    std::uint32_t bits;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
                 : "=r"(bits)
                 : "l"(__cvta_generic_to_global(value))
                 : "memory");
    return value_of<Value>(bits);
#else
    return std::atomic_ref(const_cast<Value&>(*value)).load(std::memory_order_relaxed);
#endif
}
template <class Value>
LOCKSTEP_HD void put(Value* value, Value better) {
#if defined(__CUDA_ARCH__)
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(value)),
                 "r"(bits_of(better))
                 : "memory");
#else
    std::atomic_ref(*value).store(better, std::memory_order_relaxed);
#endif
}

/// Writes `wanted` where `expected` is; what was there.
LOCKSTEP_HD std::uint32_t swap_if(std::uint32_t* word, std::uint32_t expected, std::uint32_t wanted) {
#if defined(__CUDA_ARCH__)
    return atomicCAS(word, expected, wanted);
#else
    std::atomic_ref(*word).compare_exchange_strong(expected, wanted, std::memory_order_relaxed);
    return expected;
#endif
}

/// Takes `offered` where it is better, the smaller one; whether it was. Of several equal offers one is taken.
template <class Value>
LOCKSTEP_HD bool improve(Value* value, Value offered) {
#if defined(__CUDA_ARCH__)
    if (!(offered < peek(value))) return false;
    if constexpr (std::is_same_v<Value, float>)  // none is negative: their bits are in their order
        return offered < __int_as_float(atomicMin(reinterpret_cast<int*>(value), __float_as_int(offered)));
    else
        return offered < atomicMin(value, offered);
#else
    std::atomic_ref<Value> shared(*value);
    Value found = shared.load(std::memory_order_relaxed);
    while (offered < found) {
        if (shared.compare_exchange_weak(found, offered, std::memory_order_relaxed)) return true;
    }
    return false;
#endif
}

#if defined(__CUDACC__)
namespace gpu {

/// A word that blocks hand over without a barrier, in the order that each operation names.
template <class T>
using Atomic = cuda::atomic_ref<T, cuda::thread_scope_device>;
using cuda::memory_order_acq_rel, cuda::memory_order_acquire, cuda::memory_order_relaxed,
    cuda::memory_order_release;

}  // namespace gpu
#endif

}  // namespace lockstep
