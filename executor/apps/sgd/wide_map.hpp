// The map of a segment of a long star (tiled/star.hpp, StarMap) on a CPU with AVX2: the operations of
// cpu::SegmentMap, to the bit, eight components or eight edges at a time.
#pragma once

#include <utility>

#include "apps/sgd/wide.hpp"
#include "lockstep/executor/edge/tiled/star.hpp"

namespace lockstep::sgd {

#if defined(LOCKSTEP_WIDE)

/// Vectors of K components.
template <class Op>
class WideMap {
    using Map = StarMap<Op>;
    static constexpr int K = Map::K, B = Map::segment, lanes = K / 4, vectors = K / 8;
    static_assert(K >= 16 && B == 16 && Map::parts == 2);

public:
    explicit WideMap(const Op& op) : rate_(op.rate), keep_(op.keep), relaxed_(op.relaxed) {
        Map::find_powers(keep_, power_);
        for (int j = 0; j < B; ++j) {
            own_power_[j] = rate_ * power_[j];
            behind_[B + j] = power_[j];
            before_[j] = power_[B - 1 - j];
            before_[B + j] = 1;
        }
    }

    void run(float (&w)[B][K], const float (&rating)[B], int edges, float (&h)[K]) {
        if (relaxed_) {
            relax(w, rating);
        } else {
            find_couplings(w);
            find_sources(rating);
            for (int i = 0; i < K; i += 16) find_rows(w, i);
        }
        find_steps(h);
        __m256 next[vectors];
        advance(w, edges, h, next);
        update_leaves(w, edges, h);
        for (int n = 0; n < vectors; ++n) _mm256_store_ps(h + 8 * n, next[n]);
    }

private:
    template <int Rows, int Vectors>
    struct Block {
        __m256 x[Rows][Vectors];
    };
    static __m256 all(float x) { return _mm256_set1_ps(x); }

    /// Eight vectors' components i … i + 7, from rows to columns.
    static void transpose(const float (&w)[B][K], int j, int i, float (&across)[K][B]) {
        __m256 pair[4][2];
        for (int n = 0; n < 4; ++n) {  // rows n and n + 4 in the halves of a register
            const auto row = [&](int column) {
                return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&w[j + n][i + column])),
                                            _mm_load_ps(&w[j + n + 4][i + column]), 1);
            };
            pair[n][0] = row(0), pair[n][1] = row(4);
        }
        for (int half = 0; half < 2; ++half) {
            const __m256 a = _mm256_unpacklo_ps(pair[0][half], pair[1][half]),
                         b = _mm256_unpackhi_ps(pair[0][half], pair[1][half]),
                         c = _mm256_unpacklo_ps(pair[2][half], pair[3][half]),
                         d = _mm256_unpackhi_ps(pair[2][half], pair[3][half]);
            float(*const to)[B] = across + i + 4 * half;
            _mm256_store_ps(to[0] + j, _mm256_shuffle_ps(a, c, 0x44));
            _mm256_store_ps(to[1] + j, _mm256_shuffle_ps(a, c, 0xee));
            _mm256_store_ps(to[2] + j, _mm256_shuffle_ps(b, d, 0x44));
            _mm256_store_ps(to[3] + j, _mm256_shuffle_ps(b, d, 0xee));
        }
    }

    /// Of the products of leaves m … with those from j on, lanes l, l + width, … added as Lanes::sum does.
    template <int Rows, int Vectors, int width = 1>
    Block<Rows, Vectors> products(const float (&w)[B][K], int m, int j, int lane = 0) const {
        Block<Rows, Vectors> sum;
        if constexpr (width == lanes) {
            for (int r = 0; r < Rows; ++r) {
                const float* const x = w[m + r] + 4 * lane;
                for (int v = 0; v < Vectors; ++v) {
                    const float(*const y)[B] = across_ + 4 * lane;
                    const auto other = [&](int i) { return _mm256_load_ps(y[i] + j + 8 * v); };
                    sum.x[r][v] = _mm256_add_ps(
                        _mm256_fmadd_ps(all(x[1]), other(1), _mm256_mul_ps(all(x[0]), other(0))),
                        _mm256_fmadd_ps(all(x[3]), other(3), _mm256_mul_ps(all(x[2]), other(2))));
                }
            }
        } else {
            sum = products<Rows, Vectors, 2 * width>(w, m, j, lane);
            const Block<Rows, Vectors> second = products<Rows, Vectors, 2 * width>(w, m, j, lane + width);
            for (int r = 0; r < Rows; ++r) {
                for (int v = 0; v < Vectors; ++v) sum.x[r][v] = _mm256_add_ps(sum.x[r][v], second.x[r][v]);
            }
        }
        return sum;
    }
    /// coupling_[m][j] = t_jm for m < j; what else is written is not used.
    template <int Rows, int Vectors>
    void find_couplings(const float (&w)[B][K], int m, int j) {
        const Block<Rows, Vectors> product = products<Rows, Vectors>(w, m, j);
        for (int r = 0; r < Rows; ++r) {
            for (int v = 0; v < Vectors; ++v) {
                const int at = j + 8 * v;
                const __m256 power = _mm256_loadu_ps(behind_ + B + at - 1 - (m + r));
                _mm256_store_ps(coupling_[m + r] + at,
                                _mm256_mul_ps(power, _mm256_mul_ps(all(rate_), product.x[r][v])));
            }
        }
    }
    void find_couplings(const float (&w)[B][K]) {
        for (int j = 0; j < B; j += 8) {
            for (int i = 0; i < K; i += 8) transpose(w, j, i, across_);
        }
        for (int m = 0; m < 8; m += 2) find_couplings<2, 2>(w, m, 0);
        for (int m = 8; m < B; m += 4) find_couplings<4, 1>(w, m, 8);
    }

    /// c, all edges side by side: as soon as c_m is known its part is taken from those behind it.
    void find_sources(const float (&rating)[B]) {
        __m256 c[2] = {_mm256_mul_ps(all(rate_), _mm256_load_ps(rating)),
                       _mm256_mul_ps(all(rate_), _mm256_load_ps(rating + 8))};
        __m256 known[2] = {c[0], c[1]};
        const auto take = [&]<int m>(std::integral_constant<int, m>) {
            const __m256 found = _mm256_permutevar8x32_ps(c[m / 8], _mm256_set1_epi32(m % 8));
            for (int v = (m + 1) / 8; v < 2; ++v)
                c[v] = _mm256_fnmadd_ps(_mm256_load_ps(coupling_[m] + 8 * v), found, c[v]);
            constexpr int next = m + 1;
            known[next / 8] = _mm256_blend_ps(known[next / 8], c[next / 8], 1 << next % 8);
        };
        [&]<int... m>(std::integer_sequence<int, m...>) { (take(std::integral_constant<int, m>{}), ...); }
        (std::make_integer_sequence<int, B - 1>{});
        for (int v = 0; v < 2; ++v) _mm256_store_ps(source_ + 8 * v, known[v]);
    }

    /// Components i … i + 15 of V, four rows at a time.
    void find_rows(const float (&w)[B][K], int i) {
        for (int j = 0; j < B; j += 4) {
            __m256 v[4][2];
            for (int r = 0; r < 4; ++r) {
                const __m256 power = all(own_power_[j + r]);
                for (int n = 0; n < 2; ++n)
                    v[r][n] = _mm256_mul_ps(power, _mm256_load_ps(&w[j + r][i + 8 * n]));
            }
            for (int m = 0; m < j; ++m) {
                const __m256 x[2] = {_mm256_load_ps(&v_[m][i]), _mm256_load_ps(&v_[m][i + 8])};
                for (int r = 0; r < 4; ++r) subtract(all(coupling_[m][j + r]), x, v[r]);
            }
            for (int m = 0; m < 4; ++m) {
                for (int r = m + 1; r < 4; ++r) subtract(all(coupling_[j + m][j + r]), v[m], v[r]);
                for (int n = 0; n < 2; ++n) _mm256_store_ps(&v_[j + m][i + 8 * n], v[m][n]);
            }
        }
    }
    static void subtract(__m256 factor, const __m256 (&x)[2], __m256 (&from)[2]) {
        for (int n = 0; n < 2; ++n) from[n] = _mm256_fnmadd_ps(factor, x[n], from[n]);
    }

    /// V and c without couplings.
    void relax(const float (&w)[B][K], const float (&rating)[B]) {
        for (int j = 0; j < B; ++j) {
            source_[j] = rate_ * rating[j];
            for (int i = 0; i < K; ++i) v_[j][i] = own_power_[j] * w[j][i];
        }
    }

    /// step = c - V h, four edges at a time, the two parts of a product in the halves of a register.
    void find_steps(const float (&h)[K]) {
        const auto halves = [](const float* x, int chunk) {
            return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(x + 4 * chunk)),
                                        _mm_load_ps(x + 4 * chunk + K / 2), 1);
        };
        __m256 centre[lanes / 2];
        for (int n = 0; n < lanes / 2; ++n) centre[n] = halves(h, n);
        for (int j = 0; j < B; j += 4) {
            __m256 sum[4];
            for (int r = 0; r < 4; ++r) {
                sum[r] = _mm256_mul_ps(halves(v_[j + r], 0), centre[0]);
                for (int n = 1; n < lanes / 2; ++n)
                    sum[r] = _mm256_fmadd_ps(halves(v_[j + r], n), centre[n], sum[r]);
            }
            const __m256 parts =
                _mm256_hadd_ps(_mm256_hadd_ps(sum[0], sum[1]), _mm256_hadd_ps(sum[2], sum[3]));
            const __m128 product = _mm_add_ps(_mm256_castps256_ps128(parts), _mm256_extractf128_ps(parts, 1));
            _mm_store_ps(step_ + j, _mm_sub_ps(_mm_load_ps(source_ + j), product));
        }
    }

    /// The centre behind the segment.
    void advance(const float (&w)[B][K], int edges, const float (&h)[K], __m256 (&next)[vectors]) {
        for (int j = 0; j < B; j += 8) {
            const __m256 power = _mm256_loadu_ps(before_ + B - edges + j);
            _mm256_store_ps(scaled_ + j, _mm256_mul_ps(power, _mm256_load_ps(step_ + j)));
        }
        for (int n = 0; n < vectors; ++n) {
            __m256 sum[4];
            for (int j = 0; j < B; ++j) {
                const __m256 step = all(scaled_[j]), x = _mm256_load_ps(w[j] + 8 * n);
                sum[j % 4] = j < 4 ? _mm256_mul_ps(step, x) : _mm256_fmadd_ps(step, x, sum[j % 4]);
            }
            next[n] =
                _mm256_fmadd_ps(all(power_[edges]), _mm256_load_ps(h + 8 * n),
                                _mm256_add_ps(_mm256_add_ps(sum[0], sum[1]), _mm256_add_ps(sum[2], sum[3])));
        }
    }

    void update_leaves(float (&w)[B][K], int edges, const float (&h)[K]) const {
        const __m256 keep = all(keep_);
        for (int first = 0; first < vectors; first += 2) {
            __m256 centre[2] = {_mm256_load_ps(h + 8 * first), _mm256_load_ps(h + 8 * first + 8)};
            for (int j = 0; j < edges; ++j) {
                const __m256 step = all(step_[j]);
                for (int n = 0; n < 2; ++n) {
                    float* const leaf = w[j] + 8 * (first + n);
                    const __m256 x = _mm256_load_ps(leaf);
                    _mm256_store_ps(leaf, _mm256_fmadd_ps(step, centre[n], _mm256_mul_ps(keep, x)));
                    centre[n] = _mm256_fmadd_ps(step, x, _mm256_mul_ps(keep, centre[n]));
                }
            }
        }
    }

    const float rate_, keep_;
    const bool relaxed_;
    alignas(32) float power_[B + 1], own_power_[B], step_[B], scaled_[B], source_[B];
    alignas(32) float behind_[2 * B] = {};  ///< keep^(i - B), zeros before B
    alignas(32) float before_[2 * B];       ///< keep^(B - 1 - i), ones from B on
    alignas(32) float across_[K][B], coupling_[B][B], v_[B][K];
};

#endif

}  // namespace lockstep::sgd
