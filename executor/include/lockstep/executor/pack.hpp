// Pack: eight floats that a CPU processes together, in an AVX2 register or, on any processor, in an array.
// Its operations are those on floats (lanes.hpp), so the results are bitwise identical.
#pragma once

#include "lockstep/executor/lanes.hpp"
#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#endif

namespace lockstep {

struct PortablePack {
    float x[8];

    template <class F>
    static PortablePack each(F f) {
        PortablePack p;
        for (int i = 0; i < 8; ++i) p.x[i] = f(i);
        return p;
    }
    static PortablePack all(float y) {
        return each([&](int) { return y; });
    }
    static PortablePack load(const float* from) {
        return each([&](int i) { return from[i]; });
    }
    /// Returns four floats from `low`, followed by four floats from `high`.
    static PortablePack load(const float* low, const float* high) {
        return each([&](int i) { return i < 4 ? low[i] : high[i - 4]; });
    }
    void store(float* to) const {
        for (int i = 0; i < 8; ++i) to[i] = x[i];
    }
    /// Returns a pack whose eight elements all equal element i.
    template <int i>
    PortablePack spread() const {
        return all(x[i]);
    }
    /// Returns this pack, with element i replaced by that of `other`.
    template <int i>
    PortablePack with(PortablePack other) const {
        return each([&](int n) { return n == i ? other.x[n] : x[n]; });
    }
    /// Stores the sums of the elements of each of four packs. The order of the additions is that of AVX2's
    /// hadd: sums of pairs, then of two pairs, then of both halves.
    static void store_sums(const PortablePack (&of)[4], float* to) {
        const auto half = [](const float* y) { return add(add(y[0], y[1]), add(y[2], y[3])); };
        for (int n = 0; n < 4; ++n) to[n] = add(half(of[n].x), half(of[n].x + 4));
    }
    /// Transposes a matrix of 8 x 8 floats, with the given distances of consecutive rows.
    static void transpose(const float* from, int from_stride, float* to, int to_stride) {
        for (int i = 0; i < 8; ++i) {
            for (int j = 0; j < 8; ++j) to[i * to_stride + j] = from[j * from_stride + i];
        }
    }
};
inline PortablePack add(const PortablePack& a, const PortablePack& b) {
    return PortablePack::each([&](int i) { return add(a.x[i], b.x[i]); });
}
inline PortablePack multiply(const PortablePack& a, const PortablePack& b) {
    return PortablePack::each([&](int i) { return multiply(a.x[i], b.x[i]); });
}
inline PortablePack fused_multiply_add(const PortablePack& a, const PortablePack& b, const PortablePack& c) {
    return PortablePack::each([&](int i) { return fused_multiply_add(a.x[i], b.x[i], c.x[i]); });
}
inline PortablePack subtract_product(const PortablePack& a, const PortablePack& b, const PortablePack& c) {
    return PortablePack::each([&](int i) { return fused_multiply_add(-a.x[i], b.x[i], c.x[i]); });
}

#if defined(__AVX2__) && defined(__FMA__)
struct Avx2Pack {
    __m256 x;

    static Avx2Pack all(float y) { return {_mm256_set1_ps(y)}; }
    static Avx2Pack load(const float* from) { return {_mm256_loadu_ps(from)}; }
    static Avx2Pack load(const float* low, const float* high) {
        return {_mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(low)), _mm_loadu_ps(high), 1)};
    }
    void store(float* to) const { _mm256_storeu_ps(to, x); }
    template <int i>
    Avx2Pack spread() const {
        return {_mm256_permutevar8x32_ps(x, _mm256_set1_epi32(i))};
    }
    template <int i>
    Avx2Pack with(Avx2Pack other) const {
        return {_mm256_blend_ps(x, other.x, 1 << i)};
    }
    static void store_sums(const Avx2Pack (&of)[4], float* to) {
        const __m256 sums =
            _mm256_hadd_ps(_mm256_hadd_ps(of[0].x, of[1].x), _mm256_hadd_ps(of[2].x, of[3].x));
        _mm_storeu_ps(to, _mm_add_ps(_mm256_castps256_ps128(sums), _mm256_extractf128_ps(sums, 1)));
    }
    static void transpose(const float* from, int from_stride, float* to, int to_stride) {
        for (int half = 0; half < 2; ++half, from += 4, to += 4 * to_stride) {
            __m256 pair[4];  // pair[n] contains four elements of each of the rows n and n + 4
            for (int n = 0; n < 4; ++n)
                pair[n] = load(from + n * from_stride, from + (n + 4) * from_stride).x;
            const __m256 a = _mm256_unpacklo_ps(pair[0], pair[1]), b = _mm256_unpackhi_ps(pair[0], pair[1]),
                         c = _mm256_unpacklo_ps(pair[2], pair[3]), d = _mm256_unpackhi_ps(pair[2], pair[3]);
            _mm256_storeu_ps(to, _mm256_shuffle_ps(a, c, 0x44));
            _mm256_storeu_ps(to + to_stride, _mm256_shuffle_ps(a, c, 0xee));
            _mm256_storeu_ps(to + 2 * to_stride, _mm256_shuffle_ps(b, d, 0x44));
            _mm256_storeu_ps(to + 3 * to_stride, _mm256_shuffle_ps(b, d, 0xee));
        }
    }
};
LOCKSTEP_HD Avx2Pack add(Avx2Pack a, Avx2Pack b) { return {_mm256_add_ps(a.x, b.x)}; }
LOCKSTEP_HD Avx2Pack multiply(Avx2Pack a, Avx2Pack b) { return {_mm256_mul_ps(a.x, b.x)}; }
LOCKSTEP_HD Avx2Pack fused_multiply_add(Avx2Pack a, Avx2Pack b, Avx2Pack c) {
    return {_mm256_fmadd_ps(a.x, b.x, c.x)};
}
LOCKSTEP_HD Avx2Pack subtract_product(Avx2Pack a, Avx2Pack b, Avx2Pack c) {
    return {_mm256_fnmadd_ps(a.x, b.x, c.x)};
}
using Pack = Avx2Pack;
#else
using Pack = PortablePack;
#endif

}  // namespace lockstep
