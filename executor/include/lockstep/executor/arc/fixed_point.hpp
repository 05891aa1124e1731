// Sums of reals whose order is free: in fixed point, by whole numbers.
//
// A value is a float in *units*, of which 2^62 are one, cut to a whole number as it is added. So every walk,
// device and number of threads gives the same bits, as long as the whole does not exceed 2. What is cut off
// is below 2^-62 a value, which over 10^9 arcs adds up to less than 10^-9.
#pragma once

#include <atomic>
#include <cmath>

#include "lockstep/executor/arc/operator.hpp"

namespace lockstep::arc {

/// The members of an operator (operator.hpp) that combine; all but `exact` are as there.
struct FixedPointSums {
    using Value = float;
    using Sum = std::int64_t;
    static constexpr float units = 0x1p62F;  ///< of 1
    static constexpr double unit = 0x1p-62;
    LOCKSTEP_HD static double real(Sum sum) { return static_cast<double>(sum) * unit; }
    /// a + factor * sum, never contracted.
    LOCKSTEP_HD static double plus(double a, double factor, Sum sum) {
#if defined(__CUDA_ARCH__)
        return __dadd_rn(a, __dmul_rn(factor, real(sum)));
#else
        return a + factor * real(sum);
#endif
    }

    LOCKSTEP_HD static Sum identity() { return 0; }
    LOCKSTEP_HD static Sum lift(Value value) {
#if defined(__CUDA_ARCH__)
        return __float2ll_rz(value);
#else
        return static_cast<Sum>(value);
#endif
    }
    /// What a vertex stores to offer: lifting it cuts nothing off.
    LOCKSTEP_HD static Value whole_units(Value value) { return std::trunc(value); }
    LOCKSTEP_HD static Sum combine(Sum a, Sum b) { return a + b; }
    static Sum without(Sum a, Sum b) { return a - b; }
    LOCKSTEP_HD static void combine_atomically(Sum* sum, Sum value) {
#if defined(__CUDA_ARCH__)
        atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
#else
        std::atomic_ref(*sum).fetch_add(value, std::memory_order_relaxed);
#endif
    }
    /// Double precision adds whole units of values that are not negative exactly, in any order, as long as
    /// they come to less than 2^53 (2^-9 of one). Otherwise some addition reached 2^53; rounding is
    /// monotone, so that the sum stays there and shows it. For operators that offer whole units.
    using Quick = double;
    static bool whole_units_exact(Quick sum) { return sum < 0x1p53; }
};

}  // namespace lockstep::arc
