// FixedPointSums: sums of real numbers that do not depend on the order of the additions, because they use
// integers (fixed-point arithmetic).
//
// A value is a float in *units* of 2^-62. It is truncated to an integer when it is added. All walks, devices
// and numbers of threads give bitwise identical results, as long as the total does not exceed 2. The
// truncation error is below 2^-62 per value, so less than 10^-9 over 10^9 arcs.
#pragma once

#include <atomic>
#include <cmath>

#include "lockstep/executor/arc/operator.hpp"

namespace lockstep::arc {

/// A base class for operators with such sums: the members of the contract (operator.hpp) that combine values.
/// The operator must add `exact`, for which whole_units_exact() may be used.
struct FixedPointSums {
    using Value = float;
    using Sum = std::int64_t;
    static constexpr float units = 0x1p62F;  ///< number of units in the value 1
    static constexpr double unit = 0x1p-62;
    LOCKSTEP_HD static double real(Sum sum) { return static_cast<double>(sum) * unit; }
    /// Returns a + factor * sum, with two roundings: never as a fused multiply-add.
    LOCKSTEP_HD static double plus(double a, double factor, Sum sum) {
#if defined(__CUDA_ARCH__)
        return __dadd_rn(a, __dmul_rn(factor, real(sum)));
#else
        return a + factor * real(sum);
#endif
    }

    LOCKSTEP_HD static Sum identity() { return 0; }
    LOCKSTEP_HD static Sum to_sum(Value value) {
#if defined(__CUDA_ARCH__)
        return __float2ll_rz(value);
#else
        return static_cast<Sum>(value);
#endif
    }
    /// Returns the value that a vertex should offer: an integer number of units, so that to_sum() truncates
    /// nothing.
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
    /// Type and check of the contract's quick sums, for operators whose offers are integer numbers of units.
    /// Double precision adds non-negative integers exactly in any order, as long as the sum is below 2^53
    /// units (2^-9 of the value 1). If any partial sum had reached 2^53, the final sum would be at least 2^53
    /// as well, because rounding is monotone; the check then returns false.
    using FastSum = double;
    static bool whole_units_exact(FastSum sum) { return sum < 0x1p53; }
};

}  // namespace lockstep::arc
