// A hub's edges by maps (hub_map.hpp) on the CPU.
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/hub_map.hpp"
#include "lockstep/executor/edge/tiled/cpu.hpp"
#include "lockstep/executor/pack.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep::cpu {

/// A row by a vector of K numbers, and the constant behind it.
template <int K>
void multiply_rows(const float* const (&row)[4], const float* h, float (&to)[4]) {
    Pack sum[4];
    for (int r = 0; r < 4; ++r) {
        sum[r] = multiply(Pack::load(row[r]), Pack::load(h));
        for (int c = 8; c < K; c += 8)
            sum[r] = fused_multiply_add(Pack::load(row[r] + c), Pack::load(h + c), sum[r]);
    }
    Pack::store_sums(sum, to);
    for (int r = 0; r < 4; ++r) to[r] = add(to[r], row[r][K]);
}

/// A map: rows of K columns, then the constant and zeros.
template <class Op>
struct HubMatrix {
    using Map = HubMap<Op>;
    static constexpr int K = Map::K, width = K + 8;
    alignas(32) float at[K][width];

    /// Of edges [first, last) of a star; `rows`: of each edge of the star the products, by all columns.
    void find(const Star<Op>& star, const typename Map::Scales& scales, EdgeId first, EdgeId last,
              float* rows) {
        for (int i = 0; i < K; ++i) {
            for (int c = 0; c < width; ++c) at[i][c] = i == c ? 1 : 0;
        }
        alignas(32) float w[Map::batch][K], value[Map::batch];
        for (; first < last; first += Map::batch) {
            const int n = static_cast<int>(std::min<EdgeId>(Map::batch, last - first));
            for (int j = 0; j < n; ++j) {
                const EdgeId e = star.begin + first + static_cast<EdgeId>(j);
                fetch_ahead(star.edges, star.op, e);
                star.op.widen(star.leaf(e), w[j]);
                value[j] = multiply(star.edges.value[e], scales.inverse[j]);
            }
            for (int c = 0; c < width; c += 8) find_columns(scales, w, value, n, c, rows + first * width);
        }
    }
    /// `second` after `first`.
    void compose(const HubMatrix& second, const HubMatrix& first) {
        for (int i = 0; i < K; ++i) {
            for (int c = 0; c < width; c += 8) {
                Pack sum = multiply(Pack::all(second.at[i][0]), Pack::load(first.at[0] + c));
                for (int k = 1; k < K; ++k)
                    sum = fused_multiply_add(Pack::all(second.at[i][k]), Pack::load(first.at[k] + c), sum);
                if (c == K) sum = add(sum, Pack::load(second.at[i] + K));
                sum.store(at[i] + c);
            }
        }
    }
    void apply(const float (&h)[K], float (&to)[K]) const {
        for (int i = 0; i < K; i += 4) {
            float four[4];
            multiply_rows<K>({at[i], at[i + 1], at[i + 2], at[i + 3]}, h, four);
            std::copy_n(four, 4, to + i);
        }
    }

private:
    void find_columns(const typename Map::Scales& scales, const float (&w)[Map::batch][K],
                      const float (&value)[Map::batch], int edges, int c, float* rows) {
        Pack a[K];
        for (int i = 0; i < K; ++i) a[i] = Pack::load(at[i] + c);
        for (int j = 0; j < edges; ++j) {
            Pack sum[4];
            for (int i = 0; i < K; ++i) Map::add_product(i, sum, Pack::all(w[j][i]), a[i]);
            Pack product = Map::total(sum);
            if (c == K) {
                alignas(32) const float minus[8] = {-value[j]};
                product = add(product, Pack::load(minus));
            }
            product.store(rows + j * width + c);
            const Pack by = multiply(Pack::all(scales.factor), product);
            for (int i = 0; i < K; ++i) a[i] = fused_multiply_add(by, Pack::all(w[j][i]), a[i]);
        }
        for (int i = 0; i < K; ++i) multiply(Pack::all(scales.power[edges]), a[i]).store(at[i] + c);
    }
};

/// A tree of maps in place: node 2 d i + 2 d - 1 becomes itself after node 2 d i + d - 1, which stays.
template <class Matrix>
void compose_up(Matrix* node, int size, int used) {
    Matrix both;
    for (int d = 1; d < size; d *= 2) {
        for (int first = 0; first < used; first += 2 * d) {
            const Matrix& left = node[first + d - 1];
            Matrix& right = node[first + 2 * d - 1];
            if (first + d < used) {
                both.compose(right, left);
                right = both;
            } else {
                right = left;
            }
        }
    }
}

/// What passes work in.
template <class Op>
struct HubWork {
    using Map = HubMap<Op>;
    struct Vector {
        alignas(32) float x[Map::K];
    };
    Array<HubMatrix<Op>> of_segments = Array<HubMatrix<Op>>(EdgeId{hub_parts} * Map::tree);
    Array<Vector> before_segments = Array<Vector>(EdgeId{hub_parts} * Map::tree),
                  before_parts = Array<Vector>(hub_parts + 1);
    Array<float> rows;

    /// For stars of `edges` at most.
    explicit HubWork(EdgeId edges) : rows(edges * HubMatrix<Op>::width) {}
};

/// The vectors before each of the first `used` leaves of a tree; that before the first is there.
template <class Matrix, class Vector>
void apply_down(const Matrix* node, int size, int used, Vector* h) {
    for (int d = size / 2; d > 0; d /= 2) {
        for (int first = 0; first + d < used; first += 2 * d)
            node[first + d - 1].apply(h[first].x, h[first + d].x);
    }
}

/// The edges [first, last) of a star, from the centre's vector before them on.
template <class Op>
void run_segment(const Star<Op>& star, const typename HubMap<Op>::Scales& scales, EdgeId first, EdgeId last,
                 const float* rows, const float (&h)[HubMap<Op>::K]) {
    using Matrix = HubMatrix<Op>;
    constexpr int batch = HubMap<Op>::batch;
    auto centre = star.op.take(static_cast<const float*>(h), star.share());
    for (; first < last; first += batch) {
        const int n = static_cast<int>(std::min<EdgeId>(batch, last - first));
        float step[batch];
        for (int j = 0; j < n; j += 4) {
            const auto row = [&](int r) {
                return rows + (first + static_cast<EdgeId>(std::min(j + r, n - 1))) * Matrix::width;
            };
            float four[4];
            multiply_rows<Matrix::K>({row(0), row(1), row(2), row(3)}, h, four);
            for (int r = 0; r < 4; ++r) step[j + r] = multiply(scales.step[j + r], four[r]);
        }
        for (int j = 0; j < n; ++j) {
            auto* const leaf = star.leaf(star.begin + first + static_cast<EdgeId>(j));
            auto vector =
                star.op.take(static_cast<const typename Op::Element*>(leaf), star.op.share_at(leaf));
            star.op.update(vector, centre, step[j]);
            star.op.put(leaf, vector);
        }
    }
}

/// All edges of a star.
template <class Op>
void run_hub(const Star<Op>& star, HubWork<Op>& work, int threads) {
    using Map = HubMap<Op>;
    constexpr int S = Map::segments, T = Map::tree;
    const HubSegments<Map> cut(star.end - star.begin);
    const int parts = cut.parts();
    const typename Map::Scales scales(star.op.keep_of(star.share()), star.op.rate,
                                      multiply(star.share(), star.op.rate));
    const auto for_each_segment = [&](int part, auto visit) {
        for (int s = 0; s < cut.of_part(part); ++s) {
            const auto segment = static_cast<EdgeId>(part * S + s);
            visit(s, cut.begin(segment), cut.begin(segment + 1));
        }
    };
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int p = 0; p < parts; ++p) {
        auto* const node = work.of_segments.data() + p * T;
        for_each_segment(p, [&](int s, EdgeId begin, EdgeId end) {
            node[s].find(star, scales, begin, end, work.rows.data());
        });
        compose_up(node, T, cut.of_part(p));
    }
    auto* const before = work.before_parts.data();
    star.op.widen(star.centre, before[0].x);
    for (int p = 0; p < parts; ++p)
        work.of_segments[static_cast<std::size_t>(p * T + T - 1)].apply(before[p].x, before[p + 1].x);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int p = 0; p < parts; ++p) {
        auto* const h = work.before_segments.data() + p * T;
        h[0] = before[p];
        apply_down(work.of_segments.data() + p * T, T, cut.of_part(p), h);
        for_each_segment(p, [&](int s, EdgeId begin, EdgeId end) {
            run_segment(star, scales, begin, end, work.rows.data(), h[s].x);
        });
    }
    star.op.narrow(before[parts].x, star.centre);
}

}  // namespace lockstep::cpu
