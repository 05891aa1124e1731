// Relaxed atomic accesses to values that other threads may change concurrently: values of 4 bytes, on a CPU
// also of 8 bytes. No access is torn, and no access orders other memory accesses. For ordered accesses on a
// GPU, use gpu::Atomic.
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

/// Returns the bits of a value. For nonnegative values, bits compare in the same order as values.
template <class Value>
LOCKSTEP_HD std::uint32_t bits_of(Value value) {
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}
/// Returns the value that has these bits.
template <class Value>
LOCKSTEP_HD Value value_of(std::uint32_t bits) {
    Value value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Loads a value, which may be stale. On a GPU, peek() and put() use global addresses, because they are the
/// most frequent operations of the kernels; libcu++ would use the slower generic addresses.
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
/// Stores a value, without any ordering of other accesses.
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

/// Compare-and-swap: writes `wanted` if the word equals `expected`. Returns the previous word.
LOCKSTEP_HD std::uint32_t swap_if(std::uint32_t* word, std::uint32_t expected, std::uint32_t wanted) {
#if defined(__CUDA_ARCH__)
    return atomicCAS(word, expected, wanted);
#else
    std::atomic_ref(*word).compare_exchange_strong(expected, wanted, std::memory_order_relaxed);
    return expected;
#endif
}

/// Atomic minimum: stores `offered` if it is less than the value. Returns whether it was stored. If several
/// threads offer equal values, only one of them is stored.
template <class Value>
LOCKSTEP_HD bool improve(Value* value, Value offered) {
#if defined(__CUDA_ARCH__)
    if (!(offered < peek(value))) return false;
    // floats are never negative here, so they compare like their bits
    if constexpr (std::is_same_v<Value, float>)
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

/// A word by which thread blocks synchronize without a barrier. Each operation on it names its memory order.
template <class T>
using Atomic = cuda::atomic_ref<T, cuda::thread_scope_device>;
using cuda::memory_order_acq_rel, cuda::memory_order_acquire, cuda::memory_order_relaxed,
    cuda::memory_order_release;

}  // namespace gpu
#endif

}  // namespace lockstep
