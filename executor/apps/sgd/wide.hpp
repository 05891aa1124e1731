// The SGD operator on a CPU with AVX2. It executes the operations of operator.hpp and star/arithmetic.hpp for
// eight components at a time, on vectors of float or Half in memory, with bitwise identical results.
//
// A register of eight floats contains components of two lanes. Products of components at odd positions are
// added to products at even positions, so each lane has two partial sums, at its even positions. Horizontal
// additions then add these two sums; the sums of the lanes are added in the order of HostLanes::sum.
#pragma once

#include <utility>

#include "lockstep/executor/edge/star/arithmetic.hpp"
#include "lockstep/executor/half.hpp"
#include "lockstep/executor/pack.hpp"
#if defined(__AVX2__) && defined(__FMA__) && defined(__F16C__)
#define LOCKSTEP_WIDE 1
#endif

namespace lockstep::sgd {

#if defined(LOCKSTEP_WIDE)

/// Accesses vectors of at most 4 x Lanes x Chunks components, where lane l holds the chunks l, l + Lanes, …
/// of four components. If `Full`, all vectors have this size. Otherwise they have `chunks` chunks, more than
/// half of the maximum, and missing components are read as zeros.
template <int Lanes, int Chunks, bool Full>
class Wide {
    using Pack = Avx2Pack;
    static_assert(Lanes >= 2);
    static constexpr int floats = 4 * Lanes * Chunks;

public:
    explicit Wide(std::size_t chunks) : chunks_(static_cast<int>(chunks)) {}

    template <class A, class B>
    float dot(const A* a, const B* b) const {
        const __m256 lanes = sum_lanes(MemoryVector<const A>{a, chunks_}, MemoryVector<const B>{b, chunks_});
        return sum_each(merge(lanes, lanes), __m256{})[0];
    }

    /// Updates the vectors of both endpoints for one rating.
    template <class Op, class Element>
    void update(const Op& op, Element* w, Element* h, float rating) const {
        MemoryVector<Element> centre{h, chunks_};
        run_edges<Element, 1>(op, centre, {w}, {rating});
    }

    /// Runs the edges of a star in order, `batch` at a time (StarEdges). leaf(i) returns the vector of the
    /// leaf of edge i, and rating(i) its rating.
    template <int batch, class Op, class Leaf, class Rating>
    void run_star(const Op& op, float* centre, std::size_t edges, Leaf leaf, Rating rating) const {
        const auto run_all = [&](auto& h) {
            std::size_t i = 0;
            const auto run_next = [&]<std::size_t... next>(std::index_sequence<next...>) {
                using Element = std::remove_pointer_t<decltype(leaf(i))>;
                run_edges<Element, sizeof...(next)>(op, h, {leaf(i + next)...}, {rating(i + next)...});
                i += sizeof...(next);
            };
            while (i + batch <= edges) run_next(std::make_index_sequence<batch>());
            if (batch > 3 && i + 2 < edges) run_next(std::make_index_sequence<3>());
            if (batch > 2 && i + 1 < edges) run_next(std::make_index_sequence<2>());
            if (i < edges) run_next(std::make_index_sequence<1>());
        };
        MemoryVector<float> memory{centre, chunks_};
        if constexpr (floats <= 32) {  // the vector of a small centre stays in registers
            Registers h;
            for (int n = 0; n < floats; n += 8) h.store(n, memory.load(n));
            run_all(h);
            for (int n = 0; n < floats; n += 8) memory.store(n, h.load(n));
        } else {
            run_all(memory);
        }
    }

private:
    struct Registers {
        Pack x[floats / 8];
        Pack load(int i) const { return x[i / 8]; }
        void store(int i, Pack y) { x[i / 8] = y; }
    };
    template <class T>
    struct MemoryVector {
        T* vector;
        int chunks;
        static constexpr bool always(int i) { return Full || i / 4 + 2 <= Lanes * Chunks / 2; }
        Pack load(int i) const {
            if (always(i) || i / 4 + 2 <= chunks) return {Wide::load(vector + i)};
            return {i / 4 < chunks ? load_half(vector + i) : __m256{}};
        }
        void store(int i, Pack x) const {
            if (always(i) || i / 4 + 2 <= chunks) {
                Wide::store(vector + i, x.x);
            } else if (i / 4 < chunks) {
                store_half(vector + i, _mm256_castps256_ps128(x.x));
            }
        }
    };
    template <class Leaf, int n, class Op, class Centre>
    void run_edges(const Op& op, Centre& centre, Leaf* const (&leaf)[n], const float (&rating)[n]) const {
        using Edges = StarEdges<n>;
        // n products of leaves with the centre, and one product per pair of leaves
        constexpr int products = n + n * (n - 1) / 2;
        constexpr int later[] = {1, 2, 2, 3, 3, 3}, earlier[] = {0, 0, 1, 0, 1, 2};
        MemoryVector<Leaf> w[n];
        for (int j = 0; j < n; ++j) w[j] = {leaf[j], chunks_};
        const auto two_products = [&](int i) {
            const auto lanes = [&](int k) {
                return k < n ? sum_lanes(w[k], centre) : sum_lanes(w[later[k - n]], w[earlier[k - n]]);
            };
            const __m256 one = lanes(i);
            return merge(one, i + 1 < products ? lanes(i + 1) : one);
        };
        float product[n + Edges::products][1], coupling[Edges::products], step[n];
#pragma GCC unroll 3
        for (int i = 0; i < products; i += 4) {
            // the products with high index are computed first, since products of two leaves do not depend on
            // the centre
            __m256 high{};
            if (i + 2 < products) high = two_products(i + 2);
            const __m128 sums = sum_each(two_products(i), high);
            for (int k = 0; k < 4 && i + k < products; ++k) product[i + k][0] = sums[k];
        }
        Edges::find_couplings(op.keep, product + n, coupling);
        Edges::find_steps(op.rate, op.keep, product, coupling, rating, step);
        const Pack keep = Pack::all(op.keep);
        for (int i = 0; i < floats; i += 8) {
            Pack h = centre.load(i);
            for (int j = 0; j < n; ++j) {
                Pack x = w[j].load(i);
                update_ends(Pack::all(step[j]), keep, x, h);
                w[j].store(i, x);
            }
            centre.store(i, h);
        }
    }

    static __m256 load(const float* from) { return _mm256_loadu_ps(from); }
    static __m256 load(const Half* from) {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }
    /// Loads four components into the lower half of a register; the upper half is zero.
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
    /// Returns the two partial sums of each of the lanes `lane` and `lane` + 1 of a product; they are at the
    /// even positions.
    template <class A, class B>
    static __m256 two_lanes(const A& a, const B& b, int lane) {
        __m256 sums{};
        for (int c = 0; c < Chunks; ++c) {
            const int at = 4 * (lane + c * Lanes);
            const __m256 x = a.load(at).x, y = b.load(at).x;
            sums = c == 0 ? _mm256_mul_ps(x, y) : _mm256_fmadd_ps(x, y, sums);
            sums = _mm256_fmadd_ps(_mm256_movehdup_ps(x), _mm256_movehdup_ps(y), sums);
        }
        return sums;
    }
    /// Returns both partial sums of four lanes, which are in the order 0 0 2 2 1 1 3 3 of lanes.
    template <class A, class B>
    static __m256 four_lanes(const A& a, const B& b, int lane) {
        return _mm256_shuffle_ps(two_lanes(a, b, lane), two_lanes(a, b, lane + 2), 0x88);
    }
    /// Returns partial sums of a dot product. With eight lanes, they are the sums of the lanes in the order 0
    /// 2 4 6 1 3 5 7. With more lanes, the sums of the lanes l and l + Lanes / 2 are added first, then l and
    /// l + Lanes / 4, …, until eight sums are left. With four or two lanes, they are the results of
    /// four_lanes() and two_lanes().
    template <class A, class B>
    static __m256 sum_lanes(const A& a, const B& b) {
        if constexpr (Lanes == 2) return two_lanes(a, b, 0);
        if constexpr (Lanes == 4) return four_lanes(a, b, 0);
        __m256 sums[std::max(Lanes / 8, 1)];
        for (int i = 0; i < Lanes / 8; ++i)
            sums[i] = _mm256_hadd_ps(four_lanes(a, b, 8 * i), four_lanes(a, b, 8 * i + 4));
        for (int half = Lanes / 16; half > 0; half /= 2) {
            for (int i = 0; i < half; ++i) sums[i] = _mm256_add_ps(sums[i], sums[i + half]);
        }
        return sums[0];
    }
    /// merge() reduces the partial sums of two products (sum_lanes) to four partial sums per product, in one
    /// register. sum_each() then reduces the partial sums of four products to one sum each.
    static __m256 merge(__m256 one, __m256 other) {
        if constexpr (Lanes == 2) return _mm256_shuffle_ps(one, other, 0x88);
        if constexpr (Lanes == 4) return _mm256_hadd_ps(one, other);
        return _mm256_add_ps(_mm256_shuffle_ps(one, other, 0x44), _mm256_shuffle_ps(one, other, 0xee));
    }
    static __m128 sum_each(__m256 two, __m256 others) {
        const __m256 pairs = _mm256_hadd_ps(two, others);
        return _mm_add_ps(_mm256_castps256_ps128(pairs), _mm256_extractf128_ps(pairs, 1));
    }

    int chunks_;
};

#endif

}  // namespace lockstep::sgd
