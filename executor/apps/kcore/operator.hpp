// One k-core by rounds over active vertices: what falls below k tells its neighbours, once.
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
    /// What pulls k - 1 or less of the rest is out.
    LOCKSTEP_HD Value gathered(Value degree, Value gone) const {
        return gone > degree - k ? k - 1 : degree - gone;
    }
    /// Not below k - 1, but for what others subtract in the same moment. One of them sees the value k.
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
