// The arithmetic of a hub pass: a hub's edges run all at once.
//
// Of a hub h that meets the leaves w_0, w_1, … (tiled/star.hpp) an edge makes
//
//     h <- keep h + share rate (r_j - w_j h) w_j = (keep I - share rate w_j w_j^T) h + share rate r_j w_j,
//
// an affine map that the leaf's vector gives. So is that of any run of edges, and maps of neighbouring runs
// are composed: a prefix scan. The edges are cut into segments, some for each of the parts, which are thread
// blocks. Of every segment the map is found, a column a thread, edge by edge; those of a part are composed by
// pairs up a tree. The hub's vector goes from part to part by their maps, and in each down the tree to before
// every segment. A column a of a segment's map is kept without the powers of keep, for a batch of edges at a
// time:
//
//     p_j = w_j a,        a <- a - (share rate / keep) p_j w_j,        and behind the batch keep^n a
//
// The last column, the constant, has w_j a - r_j / keep^j for p_j. With the products p_j of all columns in a
// row, and h the vector before the segment,
//
//     step_j = rate (r_j - w_j h_j) = - rate keep^j p_j (h, 1),
//
// so that with h known all steps of a segment are, and then its edges. These are the sequential updates up to
// rounding, in one order of operations.
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/tiled/star.hpp"

namespace lockstep {

/// Parts of a hub's edges, at most. More would be found sooner, but the hub's vector goes through all.
inline constexpr int hub_parts = 64;

/// Whether an operator's edges have such maps: where they are too large to be worth it, or steps clip, they
/// have not.
template <class Op>
inline constexpr bool has_hub_map = [] {
    if constexpr (AffineOperator<Op>)
        return StarMap<Op>::used && Op::components <= 64;
    else
        return false;
}();

template <class Op>
struct HubMap {
    static constexpr int K = Op::components;
    /// Of a part, at most: at rank 16, with a thread a column, eight warps.
    static constexpr int segments = K <= 16 ? 15 : 8;
    static constexpr int tree = K <= 16 ? 16 : 8;    ///< places of the tree of their maps
    static constexpr int batch = K <= 16 ? 32 : 16;  ///< edges between two scalings
    static constexpr EdgeId shortest = 16;           ///< edges of a segment but the last, at least

    /// Powers of keep need not be small then.
    static bool runs(const Op& op) {
        typename Op::Share whole{};
        if constexpr (is_own<typename Op::Share>) whole = 1;
        return op.keep_of(whole) >= 0.25F;
    }

    /// What depends on the hub's share of the rate alone.
    struct Scales {
        float factor;            ///< - share rate / keep
        float inverse[batch];    ///< keep^-j
        float power[batch + 1];  ///< keep^j
        float step[batch];       ///< - rate keep^j

        LOCKSTEP_HD Scales() = default;
        LOCKSTEP_HD Scales(float keep, float rate, float centre_rate) {
            const float over = 1 / keep;
            factor = -multiply(centre_rate, over);
            inverse[0] = power[0] = 1;
            for (int j = 1; j < batch; ++j) inverse[j] = multiply(inverse[j - 1], over);
            for (int j = 1; j <= batch; ++j) power[j] = multiply(power[j - 1], keep);
            for (int j = 0; j < batch; ++j) step[j] = -multiply(rate, power[j]);
        }
    };
    /// What component i adds to the product of a leaf and a column, in the sum i modulo 4.
    template <class P>
    LOCKSTEP_HD static void add_product(int i, P (&sum)[4], P w, P a) {
        sum[i % 4] = i < 4 ? multiply(w, a) : fused_multiply_add(w, a, sum[i % 4]);
    }
    template <class P>
    LOCKSTEP_HD static P total(const P (&sum)[4]) {
        return add(add(sum[0], sum[1]), add(sum[2], sum[3]));
    }
};

/// How a hub's edges are cut.
template <class Map>
struct HubSegments {
    EdgeId edges = 0, length = Map::shortest;

    LOCKSTEP_HD explicit HubSegments(EdgeId of) : edges(of) {
        constexpr EdgeId most = EdgeId{Map::segments} * hub_parts;
        if (const EdgeId needed = (edges + most - 1) / most; length < needed) length = needed;
    }
    LOCKSTEP_HD EdgeId count() const { return (edges + length - 1) / length; }
    LOCKSTEP_HD EdgeId begin(EdgeId segment) const {
        return segment * length < edges ? segment * length : edges;
    }
    LOCKSTEP_HD int parts() const { return static_cast<int>((count() + Map::segments - 1) / Map::segments); }
    /// Segments of a part.
    LOCKSTEP_HD int of_part(int part) const {
        const EdgeId before = EdgeId{Map::segments} * static_cast<unsigned>(part), all = count();
        return before >= all ? 0
                             : static_cast<int>(all - before < Map::segments ? all - before : Map::segments);
    }
    LOCKSTEP_HD int batches() const { return static_cast<int>((length + Map::batch - 1) / Map::batch); }
};

}  // namespace lockstep
