// Half: numbers in half precision (IEEE binary16) in memory. All arithmetic is in single precision. A number
// is converted to float when it is loaded, which is exact, and rounded to nearest even when it is stored.
//
// GPUs, CPUs with F16C, and the portable code give bitwise identical results, except for the payload of a
// NaN. Magnitudes that round to more than 65504 become infinite, magnitudes of at most 2^-25 become zero.
#pragma once

#include <bit>
#include <cstdint>

#include "lockstep/executor/lanes.hpp"
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace lockstep {

struct Half {
    std::uint16_t bits;
};

/// Converts a number from its type in memory to float, in which all arithmetic is done.
LOCKSTEP_HD float to_float(float x) { return x; }
LOCKSTEP_HD float to_float(Half x) {
#if defined(__CUDA_ARCH__)
    float wide;
    asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(x.bits));
    return wide;
#elif defined(__F16C__)
    return _cvtsh_ss(x.bits);
#else
    // Moves the exponent and the fraction to their bits in a float. The multiplication corrects the bias of
    // the exponent; it also handles subnormal numbers.
    const std::uint32_t magnitude = x.bits & 0x7fffU, sign = (x.bits & 0x8000U) << 16;
    auto wide = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude << 13) * 0x1p112F);
    if (magnitude >= 0x7c00) wide |= 0x7f800000;  // infinite or NaN
    return std::bit_cast<float>(wide | sign);
#endif
}

LOCKSTEP_HD Half to_half(float x) {
#if defined(__CUDA_ARCH__)
    Half half;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half.bits) : "f"(x));
    return half;
#elif defined(__F16C__)
    return {static_cast<std::uint16_t>(_cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT))};
#else
    const auto bits = std::bit_cast<std::uint32_t>(x);
    const std::uint32_t magnitude = bits & 0x7fffffffU, sign = bits >> 16 & 0x8000U;
    std::uint32_t half;
    if (magnitude > 0x7f800000) {  // NaN
        half = 0x7e00 | (magnitude >> 13 & 0x3ff);
    } else if (magnitude >= 0x477ff000) {  // at least halfway between 65504 and 65536
        half = 0x7c00;
        // below 2^-14: adding 0.5 rounds to a multiple of 2^-24, which are the low bits of floats in [0.5, 1)
    } else if (magnitude < 0x38800000) {
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
               std::bit_cast<std::uint32_t>(0.5F);
    } else {
        half = ((magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13) - (112 << 10);
    }
    return {static_cast<std::uint16_t>(half | sign)};
#endif
}

/// Converts a float to `Element`, the type in memory: float or Half.
template <class Element>
LOCKSTEP_HD Element stored_as(float x) {
    if constexpr (sizeof(Element) == sizeof(float)) {
        return x;
    } else {
        return to_half(x);
    }
}

}  // namespace lockstep
