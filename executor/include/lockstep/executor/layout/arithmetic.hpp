// The arithmetic of layout updates, in addition to lanes.hpp and pack.hpp: square roots and reciprocals with
// the rounding of IEEE 754, minimum and maximum, and permutations of packs. Results for a single number and
// for a pack of eight are bitwise identical.
#pragma once

#include <type_traits>

#include "lockstep/executor/pack.hpp"

namespace lockstep::layout {

/// Returns c - a b, rounded once.
LOCKSTEP_HD float subtract_product(float a, float b, float c) { return fused_multiply_add(-a, b, c); }
LOCKSTEP_HD float square_root(float a) {
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(a);
#else
    return std::sqrt(a);
#endif
}
LOCKSTEP_HD float reciprocal(float a) {
#if defined(__CUDA_ARCH__)
    return __frcp_rn(a);
#else
    return 1 / a;
#endif
}
LOCKSTEP_HD float minimum(float a, float b) { return a < b ? a : b; }
LOCKSTEP_HD float maximum(float a, float b) { return a > b ? a : b; }

/// Returns `value` as a T: a float, or a pack in which all elements have this value.
template <class T>
LOCKSTEP_HD T constant(float value) {
    if constexpr (std::is_same_v<T, float>)
        return value;
    else
        return T::all(value);
}

#if defined(__AVX2__) && defined(__FMA__)
LOCKSTEP_HD Pack square_root(Pack a) { return {_mm256_sqrt_ps(a.x)}; }
LOCKSTEP_HD Pack reciprocal(Pack a) { return {_mm256_div_ps(_mm256_set1_ps(1), a.x)}; }
LOCKSTEP_HD Pack minimum(Pack a, Pack b) { return {_mm256_min_ps(a.x, b.x)}; }
LOCKSTEP_HD Pack maximum(Pack a, Pack b) { return {_mm256_max_ps(a.x, b.x)}; }
/// Returns a pack whose element i is element (i xor bits) of `a`.
template <int bits>
LOCKSTEP_HD Pack exchange_lanes(Pack a) {
    // codes of the permutations 0 1 2 3, 1 0 3 2, 2 3 0 1 and 3 2 1 0 of four elements
    constexpr int fours[] = {0xe4, 0xb1, 0x4e, 0x1b};
    const __m256 halves = (bits & 4) ? _mm256_permute2f128_ps(a.x, a.x, 1) : a.x;
    return {_mm256_permute_ps(halves, fours[bits & 3])};
}
#else
inline Pack square_root(const Pack& a) {
    return Pack::each([&](int i) { return square_root(a.x[i]); });
}
inline Pack reciprocal(const Pack& a) {
    return Pack::each([&](int i) { return reciprocal(a.x[i]); });
}
inline Pack minimum(const Pack& a, const Pack& b) {
    return Pack::each([&](int i) { return minimum(a.x[i], b.x[i]); });
}
inline Pack maximum(const Pack& a, const Pack& b) {
    return Pack::each([&](int i) { return maximum(a.x[i], b.x[i]); });
}
template <int bits>
Pack exchange_lanes(const Pack& a) {
    return Pack::each([&](int i) { return a.x[i ^ bits]; });
}
#endif

}  // namespace lockstep::layout
