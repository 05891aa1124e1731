// Processes a long star on the CPU: one segment after another, each by its affine map (StarMap in
// arithmetic.hpp). Packs contain eight components of a vector, or one component of eight edges.
#pragma once

#include <algorithm>
#include <utility>

#include "lockstep/executor/edge/star/arithmetic.hpp"
#include "lockstep/executor/edge/update.hpp"
#include "lockstep/executor/pack.hpp"

namespace lockstep::cpu {

template <class Op, class P = Pack>
class SegmentMap {
    using Map = StarMap<Op>;
    static constexpr int K = Map::K, B = Map::segment, packs = K / 8;
    static_assert(K % 16 == 0 && B == 16 && Map::parts == 2);

public:
    explicit SegmentMap(const Op& op) : op_(op) {
        Map::find_powers(op.keep, power_);
        for (int j = 0; j < B; ++j) {
            own_power_[j] = multiply(op.rate, power_[j]);
            behind_[B + j] = power_[j];
            before_[j] = power_[B - 1 - j];
            before_[B + j] = 1;
        }
    }

    /// Updates the first `edges` leaves w and the centre h of a segment. Missing leaves and their ratings
    /// must be 0.
    void run(float (&w)[B][K], const float (&rating)[B], int edges, float (&h)[K]) {
        find_couplings(w);
        find_sources(rating);
        for (int i = 0; i < K; i += 16) find_rows(w, i);
        find_steps(h);
        P next[packs];
        find_centre(w, edges, h, next);
        update_leaves(w, edges, h);
        for (int n = 0; n < packs; ++n) next[n].store(h + 8 * n);
    }

private:
    template <int rows, int columns>
    struct Block {
        P x[rows][columns];
        LOCKSTEP_HD friend Block add(const Block& a, const Block& b) {
            Block sum;
            for (int r = 0; r < rows; ++r) {
                for (int v = 0; v < columns; ++v) sum.x[r][v] = add(a.x[r][v], b.x[r][v]);
            }
            return sum;
        }
    };
    /// Computes a block of the matrix of couplings: how much the update of edge m of the segment changes the
    /// error of a later edge j. The block has `rows` edges from m on and 8 x `columns` edges from j on.
    /// Entries with m ≥ j are also written, but not used.
    template <int rows, int columns>
    void find_couplings(const float (&w)[B][K], int m, int j) {
        // Inlining is forced, because in a large program the compiler would call the function.
        const auto product = Map::sum_chunks([&](int chunk) __attribute__((always_inline)) {
            Block<rows, columns> sum;
            for (int r = 0; r < rows; ++r) {
                for (int v = 0; v < columns; ++v) {
                    sum.x[r][v] = Map::chunk_product(
                        [&](int i) { return P::all(w[m + r][4 * chunk + i]); },
                        [&](int i) { return P::load(across_[4 * chunk + i] + j + 8 * v); });
                }
            }
            return sum;
        });
        for (int r = 0; r < rows; ++r) {
            for (int v = 0; v < columns; ++v) {
                const int at = j + 8 * v;
                const P power = P::load(behind_ + B + at - 1 - (m + r));
                Map::coupling(P::all(op_.rate), power, product.x[r][v]).store(coupling_[m + r] + at);
            }
        }
    }
    void find_couplings(const float (&w)[B][K]) {
        for (int j = 0; j < B; j += 8) {
            for (int i = 0; i < K; i += 8) P::transpose(&w[j][i], K, &across_[i][j], B);
        }
        for (int m = 0; m < 8; m += 2) find_couplings<2, 2>(w, m, 0);
        for (int m = 8; m < B; m += 4) find_couplings<4, 1>(w, m, 8);
    }

    /// Computes c for all edges in parallel: when c_m is known, its contribution is subtracted from all later
    /// elements.
    void find_sources(const float (&rating)[B]) {
        const P rate = P::all(op_.rate);
        P c[2] = {Map::source(rate, P::load(rating)), Map::source(rate, P::load(rating + 8))};
        P known[2] = {c[0], c[1]};
        const auto take = [&]<int m>(std::integral_constant<int, m>) {
            const P found = c[m / 8].template spread<m % 8>();
            for (int v = (m + 1) / 8; v < 2; ++v)
                c[v] = subtract_product(P::load(coupling_[m] + 8 * v), found, c[v]);
            constexpr int next = m + 1;
            known[next / 8] = known[next / 8].template with<next % 8>(c[next / 8]);
        };
        [&]<int... m>(std::integer_sequence<int, m...>) { (take(std::integral_constant<int, m>{}), ...); }
        (std::make_integer_sequence<int, B - 1>{});
        for (int v = 0; v < 2; ++v) known[v].store(source_ + 8 * v);
    }

    /// Computes the components i … i + 15 of V, four rows at a time.
    void find_rows(const float (&w)[B][K], int i) {
        const auto subtract = [](float factor, const P(&x)[2], P(&from)[2]) {
            for (int n = 0; n < 2; ++n) from[n] = subtract_product(P::all(factor), x[n], from[n]);
        };
        for (int j = 0; j < B; j += 4) {
            P v[4][2];
            for (int r = 0; r < 4; ++r) {
                for (int n = 0; n < 2; ++n)
                    v[r][n] = Map::source(P::all(own_power_[j + r]), P::load(&w[j + r][i + 8 * n]));
            }
            for (int m = 0; m < j; ++m) {
                const P x[2] = {P::load(&v_[m][i]), P::load(&v_[m][i + 8])};
                for (int r = 0; r < 4; ++r) subtract(coupling_[m][j + r], x, v[r]);
            }
            for (int m = 0; m < 4; ++m) {
                for (int r = m + 1; r < 4; ++r) subtract(coupling_[j + m][j + r], v[m], v[r]);
                for (int n = 0; n < 2; ++n) v[m][n].store(&v_[j + m][i + 8 * n]);
            }
        }
    }

    /// Computes step = c - V h for four edges at a time. The two parts of each dot product are in the two
    /// halves of a pack.
    void find_steps(const float (&h)[K]) {
        const auto both = [](const float* x, int chunk) {
            return P::load(x + 4 * chunk, x + 4 * chunk + Map::part);
        };
        P centre[packs];
        for (int n = 0; n < packs; ++n) centre[n] = both(h, n);
        for (int j = 0; j < B; j += 4) {
            P sum[4];
            for (int r = 0; r < 4; ++r) {
                sum[r] = multiply(both(v_[j + r], 0), centre[0]);
                for (int n = 1; n < packs; ++n)
                    sum[r] = fused_multiply_add(both(v_[j + r], n), centre[n], sum[r]);
            }
            P::store_sums(sum, step_ + j);
        }
        for (int j = 0; j < B; ++j) step_[j] = add(source_[j], -step_[j]);
    }

    /// Computes the centre after the segment, in `next`.
    void find_centre(const float (&w)[B][K], int edges, const float (&h)[K], P (&next)[packs]) {
        for (int j = 0; j < B; ++j) scaled_[j] = multiply(before_[B - edges + j], step_[j]);
        for (int n = 0; n < packs; ++n) {
            P sum[4];
            for (int j = 0; j < B; ++j) Map::add_step(j, sum, P::all(scaled_[j]), P::load(w[j] + 8 * n));
            next[n] = Map::next_centre(P::all(power_[edges]), P::load(h + 8 * n), sum);
        }
    }

    void update_leaves(float (&w)[B][K], int edges, const float (&h)[K]) const {
        const P keep = P::all(op_.keep);
        for (int first = 0; first < K; first += 16) {
            P centre[2] = {P::load(h + first), P::load(h + first + 8)};
            for (int j = 0; j < edges; ++j) {
                const P step = P::all(step_[j]);
                for (int n = 0; n < 2; ++n) {
                    P leaf = P::load(w[j] + first + 8 * n);
                    update_ends(step, keep, leaf, centre[n]);
                    leaf.store(w[j] + first + 8 * n);
                }
            }
        }
    }

    const Op op_;
    alignas(32) float power_[B + 1], own_power_[B], step_[B], scaled_[B], source_[B];
    alignas(32) float behind_[2 * B] = {};  ///< element i is keep^(i - B), or 0 for i < B
    alignas(32) float before_[2 * B];       ///< element i is keep^(B - 1 - i), or 1 for i ≥ B
    alignas(32) float across_[K][B], coupling_[B][B], v_[B][K];
};

/// Processes a long star. Copies the vectors of each segment into arrays. All leaves of the star must be
/// different.
template <class Op, class Star>
void run_mapped(const Star& star) {
    using Map = StarMap<Op>;
    constexpr int K = Map::K, B = Map::segment;
    alignas(32) float h[K], w[B][K], rating[B];
    const Op& op = star.op;
    SegmentMap<Op> map(op);
    op.widen(star.centre, h);
    for (EdgeId first = star.begin; first < star.end; first += B) {
        const int edges = static_cast<int>(std::min<EdgeId>(B, star.end - first));
        for (int j = 0; j < edges; ++j) {
            const EdgeId e = first + static_cast<EdgeId>(j);
            fetch_ahead(star.edges, op, e);
            op.widen(star.leaf(e), w[j]);
            rating[j] = star.edges.value[e];
        }
        for (int j = edges; j < B; ++j) {
            std::fill_n(w[j], K, 0.0F);
            rating[j] = 0;
        }
        map.run(w, rating, edges, h);
        for (int j = 0; j < edges; ++j) op.narrow(w[j], star.leaf(first + static_cast<EdgeId>(j)));
    }
    op.narrow(h, star.centre);
}

}  // namespace lockstep::cpu
