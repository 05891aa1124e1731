// SGD on a CPU with AVX2: the operations of operator.hpp and tiled/star.hpp, to the bit, eight components at
// a time and on the vectors where they lie in memory, be they floats or Halfs.
//
// A vector of eight holds two lanes. Products with the components at odd places are added to those at even
// ones, so both sums of a lane come to stand at its even places; horizontal additions then make sums of
// lanes, and halves of lanes are added to each other as HostLanes::sum does.
#pragma once

#include <utility>

#include "lockstep/executor/half.hpp"
#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#define LOCKSTEP_WIDE 1
#include <immintrin.h>
#endif

namespace lockstep::sgd {

#if defined(LOCKSTEP_WIDE)

/// Vectors of at most 4 x Lanes x Chunks components: lane l holds the chunks of four l, l + Lanes, …
/// Full ones have all of them, others `chunks`, more than half of all; what is behind counts as zeros.
template <int Lanes, int Chunks, bool Full>
class Wide {
    static_assert(Lanes >= 2);
    static constexpr int floats = 4 * Lanes * Chunks;

public:
    explicit Wide(std::size_t chunks) : chunks_(static_cast<int>(chunks)) {}

    template <class A, class B>
    float dot(const A* a, const B* b) const {
        const InMemory<const A> x{a, chunks_};
        const InMemory<const B> y{b, chunks_};
        return first(sum_lanes([&](int lane) { return products(x, y, lane); }));
    }

    /// One rating: both vectors after the update.
    template <class W, class H>
    void update(W* w, H* h, float rating, float rate, float keep) const {
        const float step = rate * (rating + -dot(w, h));
        const InMemory<W> row{w, chunks_};
        const InMemory<H> col{h, chunks_};
        const __m256 s = _mm256_set1_ps(step), k = _mm256_set1_ps(keep);
        for (int i = 0; i < floats; i += 8) {
            const __m256 x = row.load(i), y = col.load(i);
            row.store(i, _mm256_fmadd_ps(s, y, _mm256_mul_ps(k, x)));
            col.store(i, _mm256_fmadd_ps(s, x, _mm256_mul_ps(k, y)));
        }
    }

    /// The edges of a star in order, two at a time as run_star_pair or four as StarFours: leaf(i) and
    /// rating(i) are those of edge i.
    template <int batch, class Leaf, class Rating>
    void run_star(float* centre, std::size_t edges, Leaf leaf, Rating rating, float rate, float keep) const {
        std::size_t i = 0;
        const auto run_batches = [&](auto& h) {
            if constexpr (batch == 4) {
                const auto run_next = [&]<std::size_t... next>(std::index_sequence<next...>) {
                    update_some(h, {leaf(i + next)...}, {rating(i + next)...}, rate, keep);
                    i += sizeof...(next);
                };
                while (i + 3 < edges) run_next(std::make_index_sequence<4>());
                // Not as pairs: another call would keep the compiler from inlining those of other stars.
                if (i + 2 < edges) run_next(std::make_index_sequence<3>());
                if (i + 1 < edges) run_next(std::make_index_sequence<2>());
                if (i < edges) run_next(std::make_index_sequence<1>());
            } else {
                for (; i + 1 < edges; i += 2)
                    update_pair(h, leaf(i), leaf(i + 1), rating(i), rating(i + 1), rate, keep);
            }
        };
        if (edges > 1) {
            InMemory<float> memory{centre, chunks_};
            if constexpr (floats <= 32) {  // a centre that fits stays in registers
                Registers h;
                for (int n = 0; n < floats; n += 8) h.store(n, memory.load(n));
                run_batches(h);
                for (int n = 0; n < floats; n += 8) memory.store(n, h.load(n));
            } else {
                run_batches(memory);
            }
        }
        if (i < edges) update(leaf(i), centre, rating(i), rate, keep);
    }

private:
    struct Registers {
        __m256 x[floats / 8];
        __m256 load(int i) const { return x[i / 8]; }
        void store(int i, __m256 y) { x[i / 8] = y; }
    };
    template <class T>
    struct InMemory {
        T* vector;
        int chunks;
        static constexpr bool always(int i) { return Full || i / 4 + 2 <= Lanes * Chunks / 2; }
        __m256 load(int i) const {
            if (always(i) || i / 4 + 2 <= chunks) return Wide::load(vector + i);
            return i / 4 < chunks ? load_half(vector + i) : __m256{};
        }
        void store(int i, __m256 x) const {
            if (always(i) || i / 4 + 2 <= chunks) {
                Wide::store(vector + i, x);
            } else if (i / 4 < chunks) {
                store_half(vector + i, _mm256_castps256_ps128(x));
            }
        }
    };
    template <class Centre, class Leaf>
    void update_pair(Centre& centre, Leaf* first_leaf, Leaf* second_leaf, float first_rating,
                     float second_rating, float rate, float keep) const {
        const InMemory<Leaf> one{first_leaf, chunks_}, two{second_leaf, chunks_};
        const __m128 dots = three_dots(centre, one, two);
        const float own = _mm_cvtss_f32(dots), other = _mm_cvtss_f32(_mm_movehdup_ps(dots)),
                    leaves = _mm_cvtss_f32(_mm_movehl_ps(dots, dots));
        const float step = rate * (first_rating + -own);
        const float error = __builtin_fmaf(-keep, other, second_rating);
        const __m256 s = _mm256_set1_ps(step), k = _mm256_set1_ps(keep);
        const __m256 t = _mm256_set1_ps(rate * __builtin_fmaf(-leaves, step, error));
        for (int i = 0; i < floats; i += 8) {
            const __m256 c = centre.load(i), x = one.load(i), y = two.load(i);
            const __m256 between = _mm256_fmadd_ps(s, x, _mm256_mul_ps(k, c));
            one.store(i, _mm256_fmadd_ps(s, c, _mm256_mul_ps(k, x)));
            two.store(i, _mm256_fmadd_ps(t, between, _mm256_mul_ps(k, y)));
            centre.store(i, _mm256_fmadd_ps(t, y, _mm256_mul_ps(k, between)));
        }
    }
    /// Edges together, as StarFours.
    template <class Centre, class Leaf, int edges>
    void update_some(Centre& centre, Leaf* const (&leaf)[edges], const float (&rating)[edges], float rate,
                     float keep) const {
        const auto dot = [](const auto& a, const auto& b) {
            return first(sum_lanes([&](int lane) { return products(a, b, lane); }));
        };
        InMemory<Leaf> w[edges];
        float power[edges] = {1}, step[edges];
        for (int j = 0; j < edges; ++j) {
            w[j] = {leaf[j], chunks_};
            if (j) power[j] = j == 1 ? keep : power[j - 1] * keep;
        }
        for (int j = 0; j < edges; ++j) {
            float error = __builtin_fmaf(-power[j], dot(w[j], centre), rating[j]);
            for (int m = 0; m < j; ++m)
                error = __builtin_fmaf(-(power[j - 1 - m] * dot(w[j], w[m])), step[m], error);
            step[j] = rate * error;
        }
        const __m256 k = _mm256_set1_ps(keep);
        for (int i = 0; i < floats; i += 8) {
            __m256 h = centre.load(i);
            for (int j = 0; j < edges; ++j) {
                const __m256 s = _mm256_set1_ps(step[j]), x = w[j].load(i);
                w[j].store(i, _mm256_fmadd_ps(s, h, _mm256_mul_ps(k, x)));
                h = _mm256_fmadd_ps(s, x, _mm256_mul_ps(k, h));
            }
            centre.store(i, h);
        }
    }
    /// The products of the centre with both leaves and that of the leaves, each as `dot`.
    template <class Centre, class Leaf>
    static __m128 three_dots(const Centre& centre, const Leaf& one, const Leaf& two) {
        const auto own = [&](int lane) { return products(one, centre, lane); };
        const auto other = [&](int lane) { return products(two, centre, lane); };
        const auto leaves = [&](int lane) { return products(two, one, lane); };
        // [own's pair of numbers, other's], [leaves' pair, the same] in both halves; horizontal sums come
        // next
        __m256 centres, both;
        if constexpr (Lanes >= 8) {
            const __m256 a = all_eights(own), b = all_eights(other), c = all_eights(leaves);
            centres = _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x44), _mm256_shuffle_ps(a, b, 0xee));
            both = _mm256_add_ps(c, _mm256_permute_ps(c, 0x4e));
        } else if constexpr (Lanes == 4) {
            const __m256 c = four_lanes(leaves, 0);
            centres = _mm256_hadd_ps(four_lanes(own, 0), four_lanes(other, 0));
            both = _mm256_hadd_ps(c, c);
        } else {
            const __m256 c = leaves(0);
            centres = _mm256_shuffle_ps(own(0), other(0), 0x88);
            both = _mm256_shuffle_ps(c, c, 0x88);
        }
        return _mm256_castps256_ps128(low_and_high(_mm256_hadd_ps(centres, both)));
    }

    static __m256 load(const float* from) { return _mm256_loadu_ps(from); }
    static __m256 load(const Half* from) {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }
    /// Four, zeros behind.
    static __m256 load_half(const float* from) { return _mm256_zextps128_ps256(_mm_loadu_ps(from)); }
    static __m256 load_half(const Half* from) {
        return _mm256_zextps128_ps256(_mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
    }
    static void store_half(float* to, __m128 x) { _mm_storeu_ps(to, x); }
    static void store_half(Half* to, __m128 x) {
        _mm_storel_epi64(reinterpret_cast<__m128i*>(to), _mm_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
    }
    static void store(float* to, __m256 x) { _mm256_storeu_ps(to, x); }
    static void store(Half* to, __m256 x) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT));
    }
    /// The two sums of lanes `lane` and `lane` + 1, at the even places.
    template <class A, class B>
    static __m256 products(const A& a, const B& b, int lane) {
        __m256 sums{};
        for (int c = 0; c < Chunks; ++c) {
            const int at = 4 * (lane + c * Lanes);
            const __m256 x = a.load(at), y = b.load(at);
            sums = c == 0 ? _mm256_mul_ps(x, y) : _mm256_fmadd_ps(x, y, sums);
            sums = _mm256_fmadd_ps(_mm256_movehdup_ps(x), _mm256_movehdup_ps(y), sums);
        }
        return sums;
    }
    /// Both sums of four lanes, 0 0 2 2 1 1 3 3.
    template <class Products>
    static __m256 four_lanes(Products of, int lane) {
        return _mm256_shuffle_ps(of(lane), of(lane + 2), 0x88);
    }
    /// What eight lanes from `lane` on come to: 0 2 4 6 1 3 5 7.
    template <class Products>
    static __m256 eight_lanes(Products of, int lane) {
        return _mm256_hadd_ps(four_lanes(of, lane), four_lanes(of, lane + 4));
    }
    /// All lanes, added up to eight: lane l and l + Lanes / 2, then l + Lanes / 4, …
    template <class Products>
    static __m256 all_eights(Products of) {
        __m256 sums[Lanes / 8];
        for (int i = 0; i < Lanes / 8; ++i) sums[i] = eight_lanes(of, 8 * i);
        for (int half = Lanes / 16; half > 0; half /= 2) {
            for (int i = 0; i < half; ++i) sums[i] = _mm256_add_ps(sums[i], sums[i + half]);
        }
        return sums[0];
    }
    /// The sum over all lanes, at the first place: lane l and l + Lanes / 2, then l + Lanes / 4, …
    template <class Products>
    static __m256 sum_lanes(Products of) {
        if constexpr (Lanes >= 8) {
            const __m256 eight = all_eights(of);
            const __m256 four = _mm256_add_ps(eight, _mm256_permute_ps(eight, 0x4e));  // 0 2 . . 1 3
            return low_and_high(_mm256_add_ps(four, _mm256_movehdup_ps(four)));
        } else if constexpr (Lanes == 4) {
            const __m256 four = four_lanes(of, 0);
            const __m256 sums = _mm256_hadd_ps(four, four);  // 0 2 . . 1 3
            return low_and_high(_mm256_add_ps(sums, _mm256_movehdup_ps(sums)));
        } else {
            const __m256 two = of(0);  // 0 . 0 . 1 . 1 .
            return low_and_high(_mm256_add_ps(two, _mm256_permute_ps(two, 0x4e)));
        }
    }
    static __m256 low_and_high(__m256 x) {
        return _mm256_add_ps(x, _mm256_castps128_ps256(_mm256_extractf128_ps(x, 1)));
    }
    static float first(__m256 x) { return _mm256_cvtss_f32(x); }

    int chunks_;
};

#endif

}  // namespace lockstep::sgd
