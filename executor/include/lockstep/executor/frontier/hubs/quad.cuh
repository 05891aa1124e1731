// Quad: four arcs with their weights, in registers.
#pragma once

#include "lockstep/executor/frontier/hubs/device.cuh"

namespace lockstep::gpu::hubs {

/// Four arcs in their storage format: with the weights in the upper bits of the endpoints (packed), or in
/// separate words.
template <bool packed>
struct Quad {
    std::uint32_t words[4], weights[packed ? 1 : 4];

    Quad() = default;
    __device__ __forceinline__ Quad(const Arcs& arcs, EdgeId at) {
        const uint4 e = __ldg(arcs.ends + at);
        words[0] = e.x, words[1] = e.y, words[2] = e.z, words[3] = e.w;
        if constexpr (!packed) {
            const uint4 w = __ldg(arcs.weights + at);
            weights[0] = w.x, weights[1] = w.y, weights[2] = w.z, weights[3] = w.w;
        }
    }
    /// Returns four self-loops of weight 0 at `v`, which improve nothing.
    static __device__ __forceinline__ Quad of_loops(VertexId v) {
        Quad quad;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            quad.words[i] = v;
            if constexpr (!packed) quad.weights[i] = 0;
        }
        return quad;
    }
    __device__ __forceinline__ VertexId end(int i) const { return packed ? words[i] & 0xffffffU : words[i]; }
    __device__ __forceinline__ float weight(int i) const {
        if constexpr (packed)
            return weight_in(words[i] >> 24);
        else
            return __uint_as_float(weights[i]);
    }
    /// Converts a byte to a float without a conversion instruction: the byte becomes the low bits of the
    /// float 2^23, which is then subtracted.
    static __device__ __forceinline__ float weight_in(std::uint32_t byte) {
        return __uint_as_float(0x4b000000U | byte) - 8388608.0F;
    }
    /// Returns the endpoint of arc i, for an index that is not constant, without an array in local memory.
    __device__ __forceinline__ VertexId end_at(unsigned i) const {
        return i == 0 ? end(0) : i == 1 ? end(1) : i == 2 ? end(2) : end(3);
    }
    __device__ __forceinline__ float weight_at(unsigned i) const {
        return i == 0 ? weight(0) : i == 1 ? weight(1) : i == 2 ? weight(2) : weight(3);
    }
};

}  // namespace lockstep::gpu::hubs
