// The operator of one k-core by rounds over active vertices: a vertex whose degree falls below k reduces the
// degrees of its neighbours, once.
#pragma once

#include <limits>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::kcore {

struct Degrees {
    using Value = std::uint32_t;
    static constexpr bool weighted = false, by_rounds = false, by_priority = false, everywhere = true;
    static constexpr Value most = std::numeric_limits<Value>::max() - 1;
    Value k = 0;

    LOCKSTEP_HD static constexpr Value none() { return most + 1; }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    LOCKSTEP_HD static Value start(VertexId, EdgeId degree) { return static_cast<Value>(degree); }
    LOCKSTEP_HD bool active(Value degree) const { return degree < k; }
    LOCKSTEP_HD static Value offer(Value, float) { return 1; }
    LOCKSTEP_HD bool wants(Value degree) const { return degree >= k; }
    /// Returns the degree after `gone` neighbours have left; k - 1 if it is below k, which removes the
    /// vertex.
    LOCKSTEP_HD Value gathered(Value degree, Value gone) const {
        return gone > degree - k ? k - 1 : degree - gone;
    }
    /// Subtracts 1 from a degree unless it is below k already. Only concurrent subtractions can take it below
    /// k - 1. Returns true to the one caller that subtracts from k.
    LOCKSTEP_HD bool take(Value* degree, Value) const {
        if (peek(degree) < k) return false;
#if defined(__CUDA_ARCH__)
        return atomicSub(degree, 1U) == k;
#else
        return std::atomic_ref(*degree).fetch_sub(1, std::memory_order_relaxed) == k;
#endif
    }
};

}  // namespace lockstep::kcore
