// FloatSums: ordinary sums of 32-bit floats. Each addition rounds, so the result depends on the order of the
// additions.
#pragma once

#include <atomic>

#include "lockstep/executor/arc/operator.hpp"

namespace lockstep::arc {

/// A base class for operators with such sums: the members of the contract (operator.hpp) that combine values.
struct FloatSums {
    using Value = float;
    using Sum = float;
    static constexpr bool inexact = true;
    static constexpr float units = 1;  ///< number of units in the value 1 (see FixedPointSums)
    /// Returns a + factor * sum, with two roundings: never as a fused multiply-add.
    LOCKSTEP_HD static double plus(double a, double factor, Sum sum) {
#if defined(__CUDA_ARCH__)
        return __dadd_rn(a, __dmul_rn(factor, sum));
#else
        return a + factor * double{sum};
#endif
    }

    LOCKSTEP_HD static Sum identity() { return 0; }
    LOCKSTEP_HD static Sum to_sum(Value value) { return value; }
    LOCKSTEP_HD static Value whole_units(Value value) { return value; }
    LOCKSTEP_HD static Sum combine(Sum a, Sum b) { return add(a, b); }
    LOCKSTEP_HD static void combine_atomically(Sum* sum, Sum value) {
#if defined(__CUDA_ARCH__)
        atomicAdd(sum, value);
#else
        std::atomic_ref(*sum).fetch_add(value, std::memory_order_relaxed);
#endif
    }
};

}  // namespace lockstep::arc
