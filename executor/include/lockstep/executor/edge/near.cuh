// Access to the vectors of vertices through the L1 cache, for walks in which only one thread block works on a
// vertex at a time. L1 caches are not coherent between multiprocessors, so other walks use the usual loads.
#pragma once

#include "lockstep/executor/operator.hpp"

namespace lockstep::gpu {

/// Wraps an operator: its loads and stores use the L1 cache, if the operator has functions for it, and are
/// the usual ones otherwise.
template <class Op>
struct CachedVectorAccess {
    const Op& op;
    /// Number of 4-byte words that are copied to shared memory in order to prefetch the vector of an
    /// endpoint.
    static constexpr int prefetch_words = [] {
        if constexpr (requires { Op::prefetch_words; })
            return Op::prefetch_words;
        else
            return 1;
    }();
    __device__ __forceinline__ typename Op::Row load_row(VertexId u) const {
        if constexpr (requires { op.load_row_cached(u); })
            return op.load_row_cached(u);
        else
            return op.load_row(u);
    }
    __device__ __forceinline__ typename Op::Col load_col(VertexId v) const {
        if constexpr (requires { op.load_col_cached(v); })
            return op.load_col_cached(v);
        else
            return op.load_col(v);
    }
    __device__ __forceinline__ void store_row(VertexId u, const typename Op::Row& row) const {
        if constexpr (requires { op.store_row_cached(u, row); })
            op.store_row_cached(u, row);
        else
            op.store_row(u, row);
    }
    __device__ __forceinline__ void store_col(VertexId v, const typename Op::Col& col) const {
        if constexpr (requires { op.store_col_cached(v, col); })
            op.store_col_cached(v, col);
        else
            op.store_col(v, col);
    }
    __device__ __forceinline__ void prefetch_row(VertexId u, float* sink) const {
        if constexpr (requires { op.prefetch_row(u, sink); }) op.prefetch_row(u, sink);
    }
    __device__ __forceinline__ void prefetch_col(VertexId v, float* sink) const {
        if constexpr (requires { op.prefetch_col(v, sink); }) op.prefetch_col(v, sink);
    }
};

}  // namespace lockstep::gpu
