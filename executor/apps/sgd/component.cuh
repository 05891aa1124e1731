// The SGD operator with one thread per component of a factor vector, as in the paper's Diag: F x E threads,
// where F is the rank and E the number of edges (Kaleem et al., III-B.1). Results are bitwise identical to
// those of the operator with four components per thread (operator.hpp), from which this operator is made.
#pragma once

#include "lockstep/executor/device/copies.cuh"
#include "lockstep/executor/operator.hpp"

namespace lockstep::sgd {

/// The operator, for single precision and ranks up to 16.
struct ComponentOperator {
    using Lanes = DeviceLanes<16>;
    struct Vector {
        float x;
    };
    using Row = Vector;
    using Col = Vector;

    float *row_factors, *col_factors;
    int components;  ///< distance between consecutive vectors, in components
    float rate, keep, floor;

    __device__ __forceinline__ Row load_row(VertexId u) const { return load(row_factors, u, false); }
    __device__ __forceinline__ Col load_col(VertexId v) const { return load(col_factors, v, false); }
    __device__ __forceinline__ Row load_row_cached(VertexId u) const { return load(row_factors, u, true); }
    __device__ __forceinline__ Col load_col_cached(VertexId v) const { return load(col_factors, v, true); }
    __device__ __forceinline__ void store_row(VertexId u, Row w) const { store(row_factors, u, w, false); }
    __device__ __forceinline__ void store_col(VertexId v, Col h) const { store(col_factors, v, h, false); }
    __device__ __forceinline__ void store_row_cached(VertexId u, Row w) const {
        store(row_factors, u, w, true);
    }
    __device__ __forceinline__ void store_col_cached(VertexId v, Col h) const {
        store(col_factors, v, h, true);
    }
    static constexpr int prefetch_words = 2;  // number of 32-byte sectors of a vector
    __device__ __forceinline__ void prefetch_row(VertexId u, float* sink) const {
        touch(row_factors, u, sink);
    }
    __device__ __forceinline__ void prefetch_col(VertexId v, float* sink) const {
        touch(col_factors, v, sink);
    }

    __device__ __forceinline__ void apply(Row& w, Col& h, float rating, const EdgePosition&) const {
        const float step = multiply(rate, add(rating, -dot(w, h)));
        const float old_w = w.x, old_h = h.x;
        w.x = at_least(fused_multiply_add(step, old_h, multiply(keep, old_w)));
        h.x = at_least(fused_multiply_add(step, old_w, multiply(keep, old_h)));
    }

private:
    /// Returns the dot product. The order of the additions is that of operator.hpp: first two components by a
    /// fused multiply-add, then the two pairs of a chunk, then the four chunks in a tree. Before the last
    /// line, the correct sum is only in the threads with odd index, from which all threads copy it.
    __device__ __forceinline__ static float dot(Row w, Col h) {
        const unsigned mask = Lanes::mask();
        float sum = fused_multiply_add(w.x, h.x, __shfl_xor_sync(mask, multiply(w.x, h.x), 1));
        for (const int distance : {2, 8, 4}) sum = add(sum, __shfl_xor_sync(mask, sum, distance));
        return __shfl_sync(mask, sum, static_cast<int>(threadIdx.x % 32) | 1);
    }
    __device__ __forceinline__ float at_least(float x) const { return x < floor ? floor : x; }
    __device__ __forceinline__ float* place(float* factors, VertexId vertex) const {
        return factors + std::size_t{vertex} * static_cast<unsigned>(components) + Lanes::lane(0);
    }
    __device__ __forceinline__ Vector load(float* factors, VertexId vertex, bool near) const {
        if (Lanes::lane(0) >= components) return {0};
        const float* const x = place(factors, vertex);
        return {near ? *x : load_shared(x)};
    }
    __device__ __forceinline__ void store(float* factors, VertexId vertex, Vector v, bool near) const {
        if (Lanes::lane(0) >= components) return;
        float* const x = place(factors, vertex);
        if (near)
            *x = v.x;
        else
            store_shared(x, v.x);
    }
    __device__ __forceinline__ void touch(float* factors, VertexId vertex, float* sink) const {
        const int lane = Lanes::lane(0);
        if (lane % 8 == 0 && lane < components) gpu::copy_word(sink + lane / 8, place(factors, vertex));
    }
};

}  // namespace lockstep::sgd
