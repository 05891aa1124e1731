// The update of a layout: a step on one term of the drawing's stress.
//
// The stress of the positions p is the sum of ((|p_i - p_j| - d_ij) / d_ij)^2 over pairs of vertices, where
// d_ij is the length of a shortest path between them. A step on one term moves both vertices along their line
// towards the distance d_ij (Zheng, Pawar, Goodman, "Graph drawing by stochastic gradient descent", TVCG
// 2018):
//
//     r = min(eta / d^2, 1) (|p_i - p_j| - d) / (2 |p_i - p_j|)
//     p_i -= r (p_i - p_j),    p_j += r (p_i - p_j)
//
// For each pair, q = 1 / d is stored, or 0 if the pair is not a term. The same code processes one pair (T =
// float, on CPU or GPU) or eight pairs (T = Pack). The results are bitwise identical, even if the two
// vertices are exchanged.
#pragma once

#include "lockstep/executor/layout/arithmetic.hpp"

namespace lockstep::layout {

inline constexpr int max_dimensions = 3;

/// The position of one vertex (T = float), or the positions of eight vertices (T = Pack), in D dimensions.
template <class T, int D>
struct Point {
    T x[D];
};

template <class T, int D>
LOCKSTEP_HD Point<T, D> difference(const Point<T, D>& a, const Point<T, D>& b) {
    Point<T, D> c;
    for (int k = 0; k < D; ++k) c.x[k] = subtract_product(constant<T>(1), b.x[k], a.x[k]);
    return c;
}
template <class T, int D>
LOCKSTEP_HD T length(const Point<T, D>& of) {
    T sum = multiply(of.x[0], of.x[0]);
    for (int k = 1; k < D; ++k) sum = fused_multiply_add(of.x[k], of.x[k], sum);
    return square_root(sum);
}

/// Returns the step r = h (1 - 1 / (q |between|)) with h = min(weight eta / 2, 1 / 2). It is 0 for vertices
/// at the same position, and for pairs that are not a term.
template <class T, int D>
LOCKSTEP_HD T step(const Point<T, D>& between, T q, T weight, T half_eta) {
    const T share = minimum(multiply(half_eta, weight), constant<T>(0.5F));
    const T ratio = maximum(multiply(q, length(between)), constant<T>(1e-18F));
    return subtract_product(share, reciprocal(ratio), share);
}

/// Applies one term of weight q^2, which moves both vertices.
template <class T, int D>
LOCKSTEP_HD void move_pair(Point<T, D>& a, Point<T, D>& b, T q, T half_eta) {
    const Point<T, D> between = difference(a, b);
    const T r = step(between, q, multiply(q, q), half_eta);
    for (int k = 0; k < D; ++k) {
        a.x[k] = subtract_product(r, between.x[k], a.x[k]);
        b.x[k] = fused_multiply_add(r, between.x[k], b.x[k]);
    }
}

/// Applies one term that moves only vertex a.
template <class T, int D>
LOCKSTEP_HD void approach(Point<T, D>& a, const Point<T, D>& b, T q, T weight, T half_eta) {
    const Point<T, D> between = difference(a, b);
    const T r = step(between, q, weight, half_eta);
    for (int k = 0; k < D; ++k) a.x[k] = subtract_product(r, between.x[k], a.x[k]);
}

}  // namespace lockstep::layout
