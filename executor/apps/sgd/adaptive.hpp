// Rates that are a vector's own: the operator of SGD (operator.hpp) with, at both ends, a share of the rate.
//
//     e = r - dot(w, h)
//     w <- w + a rate (e h - reg w)        h <- h + b rate (e w - reg h)
//
// for shares a and b, written with the step s = rate e as x <- fma(a s, y, (1 - a rate reg) x). The ends take
// different steps, so that the vectors stay where they are (edge/off_chip.hpp) and stars run edge by edge; as
// there, factors in half precision are rounded when they are stored.
#pragma once

#include "apps/sgd/operator.hpp"
#include "lockstep/executor/edge/off_chip.hpp"

namespace lockstep::sgd {

template <class LaneGroup, int ChunksPerLane, class StoredAs>
struct AdaptiveOperator : SgdOperator<LaneGroup, ChunksPerLane, true, false, StoredAs> {
    using Base = SgdOperator<LaneGroup, ChunksPerLane, true, false, StoredAs>;
    using Vector = typename Base::Vector;
    struct End : Vector {
        float share;
    };
    using Row = End;
    using Col = End;

    const float *row_share, *col_share;  ///< of the rate, by vertex

    AdaptiveOperator(const Base& op, const float* row_shares, const float* col_shares)
        : Base(op), row_share(row_shares), col_share(col_shares) {}

    LOCKSTEP_HD Row load_row(VertexId u) const { return {Base::load_row(u), row_share[u]}; }
    LOCKSTEP_HD Col load_col(VertexId v) const { return {Base::load_col(v), col_share[v]}; }
#if defined(__CUDACC__)
    __device__ __forceinline__ Row near_row(VertexId u) const { return {Base::near_row(u), row_share[u]}; }
    __device__ __forceinline__ Col near_col(VertexId v) const { return {Base::near_col(v), col_share[v]}; }
    void on_chip() const = delete;
#endif
    LOCKSTEP_HD static End as_stored(const End& end) { return {Base::as_stored(end), end.share}; }

    LOCKSTEP_HD void apply(Row& w, Col& h, float rating, const Place&) const {
        const float step = multiply(this->rate, add(rating, -Base::dot(w, h))), loss = add(1, -this->keep);
        const float step_w = multiply(w.share, step), keep_w = fused_multiply_add(-w.share, loss, 1);
        const float step_h = multiply(h.share, step), keep_h = fused_multiply_add(-h.share, loss, 1);
        for (int c = 0; c < ChunksPerLane; ++c) {
            for (int i = 0; i < Base::Lanes::held; ++i) {
                for (int j = 0; j < 4; ++j) {
                    const float old_w = w.x[c][i][j], old_h = h.x[c][i][j];
                    w.x[c][i][j] = this->at_least(fused_multiply_add(step_w, old_h, multiply(keep_w, old_w)));
                    h.x[c][i][j] = this->at_least(fused_multiply_add(step_h, old_w, multiply(keep_h, old_h)));
                }
            }
        }
    }
};

}  // namespace lockstep::sgd
