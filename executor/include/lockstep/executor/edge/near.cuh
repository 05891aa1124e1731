// Access to the vectors of vertices through the L1 cache, for walks in which only one thread block works on a
// vertex at a time. L1 caches are not coherent between multiprocessors, so other walks use the usual loads.
#pragma once

#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

/// Wraps an operator: its loads and stores use the L1 cache, if the operator has functions for it, and are
/// the usual ones otherwise.
template <class Op>
struct Near {
    const Op& op;
    /// Number of 4-byte words that are copied to shared memory in order to prefetch the vector of an
    /// endpoint.
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

}  // namespace lockstep::gpu
