// Loads and stores of a chunk: four consecutive components of a factor vector, in single or half precision,
// in memory, in registers, or in the GPU's shared memory.
#pragma once

#include <cstring>

#include "lockstep/executor/half.hpp"
#include "lockstep/executor/operator.hpp"
#if defined(__CUDACC__)
#include "lockstep/executor/device/copies.cuh"
#include "lockstep/executor/device/shared.cuh"
#endif

namespace lockstep::sgd {

#if defined(__CUDACC__)
/// A chunk as machine words (one 16-byte or 8-byte word group), with its conversions to floats and its
/// accesses to shared memory.
template <class Element>
struct Chunk;

template <>
struct Chunk<float> {
    using Words = float4;
    __device__ __forceinline__ static Words pack(const float (&x)[4]) {
        return make_float4(x[0], x[1], x[2], x[3]);
    }
    __device__ __forceinline__ static void unpack(const Words& words, float (&x)[4]) {
        x[0] = words.x, x[1] = words.y, x[2] = words.z, x[3] = words.w;
    }
    /// load() reads the words of a chunk from a shared-memory address; store_if() writes them if `really` is
    /// true.
    __device__ __forceinline__ static Words load(std::uint32_t address) { return gpu::load_float4(address); }
    __device__ __forceinline__ static void store_if(bool really, std::uint32_t address, const Words& words) {
        gpu::store_float4_if(really, address, words);
    }
    /// load() and store() access one, two or four consecutive components in shared memory.
    __device__ __forceinline__ static void load(std::uint32_t address, float (&x)[4]) {
        unpack(load(address), x);
    }
    __device__ __forceinline__ static void load(std::uint32_t address, float (&x)[1]) {
        x[0] = __uint_as_float(gpu::load_word(address));
    }
    __device__ __forceinline__ static void store(std::uint32_t address, const float (&x)[1]) {
        gpu::store_word(address, __float_as_uint(x[0]));
    }
    __device__ __forceinline__ static void load(std::uint32_t address, float (&x)[2]) {
        const float2 two = gpu::load_float2(address);
        x[0] = two.x, x[1] = two.y;
    }
    __device__ __forceinline__ static void store(std::uint32_t address, const float (&x)[2]) {
        gpu::store_float2(address, make_float2(x[0], x[1]));
    }
};

template <>
struct Chunk<Half> {
    using Words = uint2;
    __device__ __forceinline__ static Words pack(const float (&x)[4]) {
        return make_uint2(two(x[0], x[1]), two(x[2], x[3]));
    }
    __device__ __forceinline__ static void unpack(const Words& words, float (&x)[4]) {
        x[0] = to_float(half(words.x)), x[1] = to_float(half(words.x >> 16));
        x[2] = to_float(half(words.y)), x[3] = to_float(half(words.y >> 16));
    }
    __device__ __forceinline__ static Words load(std::uint32_t address) { return gpu::load_uint2(address); }
    __device__ __forceinline__ static void store_if(bool really, std::uint32_t address, const Words& words) {
        gpu::store_uint2_if(really, address, words);
    }
    __device__ __forceinline__ static void load(std::uint32_t address, float (&x)[4]) {
        unpack(load(address), x);
    }
    __device__ __forceinline__ static void load(std::uint32_t address, float (&x)[1]) {
        x[0] = to_float(Half{gpu::load_half_word(address)});
    }
    __device__ __forceinline__ static void store(std::uint32_t address, const float (&x)[1]) {
        gpu::store_half_word(address, to_half(x[0]).bits);
    }
    __device__ __forceinline__ static void load(std::uint32_t address, float (&x)[2]) {
        const unsigned word = gpu::load_word(address);
        x[0] = to_float(half(word)), x[1] = to_float(half(word >> 16));
    }
    __device__ __forceinline__ static void store(std::uint32_t address, const float (&x)[2]) {
        gpu::store_word(address, two(x[0], x[1]));
    }

private:
    __device__ __forceinline__ static Half half(unsigned word) { return {static_cast<std::uint16_t>(word)}; }
    __device__ __forceinline__ static unsigned two(float low, float high) {
#if __CUDA_ARCH__ >= 800
        unsigned word;
        asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
        return word;
#else
        return to_half(low).bits | static_cast<unsigned>(to_half(high).bits) << 16;
#endif
    }
};
#endif

/// Loads a chunk; store_chunk() stores one. With `Cached`, the access may use this
/// multiprocessor's L1 cache or shared memory. Otherwise it uses the L2 cache, where all multiprocessors see
/// it (as with load_shared and store_shared).
template <bool Cached, class Element>
LOCKSTEP_HD void load_chunk(const Element* from, float (&x)[4]) {
#if defined(__CUDA_ARCH__)
    const auto* const address = reinterpret_cast<const typename Chunk<Element>::Words*>(from);
    Chunk<Element>::unpack(Cached ? *address : load_shared(address), x);
#else
    for (int j = 0; j < 4; ++j) x[j] = to_float(from[j]);
#endif
}
template <bool Cached, class Element>
LOCKSTEP_HD void store_chunk(Element* to, const float (&x)[4]) {
#if defined(__CUDA_ARCH__)
    auto* const address = reinterpret_cast<typename Chunk<Element>::Words*>(to);
    if (Cached) {
        *address = Chunk<Element>::pack(x);
    } else {
        store_shared(address, Chunk<Element>::pack(x));
    }
#else
    for (int j = 0; j < 4; ++j) to[j] = stored_as<Element>(x[j]);
#endif
}

#if defined(__CUDACC__)
/// Loads a chunk from a shared-memory address. store_chunk_if() stores a chunk there if `really` is true.
template <class Element>
__device__ __forceinline__ void load_chunk_at(std::uint32_t address, float (&x)[4]) {
    Chunk<Element>::unpack(Chunk<Element>::load(address), x);
}
template <class Element>
__device__ __forceinline__ void store_chunk_if(bool really, std::uint32_t address, const float (&x)[4]) {
    Chunk<Element>::store_if(really, address, Chunk<Element>::pack(x));
}

/// Adds four numbers to a chunk in device memory. Each addition is atomic; in half precision, each sum is
/// rounded.
__device__ __forceinline__ void add_to_chunk(float* chunk, const float (&x)[4]) {
    gpu::add_four(chunk, x[0], x[1], x[2], x[3]);
}
__device__ __forceinline__ void add_to_chunk(Half* chunk, const float (&x)[4]) {
    gpu::add_four_halves(chunk, Chunk<Half>::pack(x));
}
#endif

#if !defined(__CUDACC__)
/// Converts `count` consecutive chunks to floats; narrow() converts floats to chunks.
LOCKSTEP_HD void widen(const float* from, std::size_t count, float* to) {
    // Copies of a constant size are inlined, while one copy of a variable size would be a function call.
    for (std::size_t c = 0; c < count; ++c) std::memcpy(to + 4 * c, from + 4 * c, 4 * sizeof(float));
}
LOCKSTEP_HD void narrow(const float* from, std::size_t count, float* to) { widen(from, count, to); }
LOCKSTEP_HD void widen(const Half* from, std::size_t count, float* to) {
    for (std::size_t c = 0; c < count; ++c, from += 4, to += 4) {
#if defined(__F16C__)
        _mm_storeu_ps(to, _mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
#else
        for (int j = 0; j < 4; ++j) to[j] = to_float(from[j]);
#endif
    }
}
LOCKSTEP_HD void narrow(const float* from, std::size_t count, Half* to) {
    for (std::size_t c = 0; c < count; ++c, from += 4, to += 4) {
#if defined(__F16C__)
        const __m128i four = _mm_cvtps_ph(_mm_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT);
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to), four);
#else
        for (int j = 0; j < 4; ++j) to[j] = to_half(from[j]);
#endif
    }
}
#endif

}  // namespace lockstep::sgd
