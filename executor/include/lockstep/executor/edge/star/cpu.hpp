// A star on the CPU, by the very arithmetic of the GPU (arithmetic.hpp), so the bits are the same: what
// tiles, stars and block-diagonals are made of.
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/on_chip.hpp"
#include "lockstep/executor/edge/star/segment.hpp"
#include "lockstep/executor/edge/update.hpp"

namespace lockstep::cpu {

/// Edges that share an end, the centre: their row or their column; and where its vectors are.
template <AffineOperator Op>
struct Star {
    const EdgeView& edges;
    const Op& op;
    EdgeId begin, end;
    bool of_row;
    const VertexId* place = of_row ? edges.col.data() : edges.row.data();
    typename Op::Element* leaves = of_row ? op.col_at(0) : op.row_at(0);
    typename Op::Element* centre = of_row ? op.row_at(edges.row[begin]) : op.col_at(edges.col[begin]);

    typename Op::Element* leaf(EdgeId e) const { return leaves + op.offset_of(place[e]); }
    /// All edges in order, from the centre `h` on, single precision, which becomes what it is after them:
    /// some at a time.
    template <int batch>
    void run(float* h) const {
        const auto leaf_ahead = [&](EdgeId i) {
            fetch_ahead(edges, op, begin + i);
            return leaf(begin + i);
        };
        const auto value = [&](EdgeId i) { return edges.value[begin + i]; };
        if constexpr (requires { op.template run_star<batch>(h, EdgeId{}, leaf_ahead, value); }) {
            op.template run_star<batch>(h, end - begin, leaf_ahead, value);
        } else {
            auto vector = op.take(h);
            for (EdgeId e = begin; e < end; e += batch) {
                const int count = static_cast<int>(std::min<EdgeId>(batch, end - e));
                typename Op::Row some[batch];
                float values[batch];
                for (int j = 0; j < batch; ++j) {
                    const EdgeId edge = e + static_cast<EdgeId>(std::min(j, count - 1));
                    some[j] = op.take(leaf(edge)), values[j] = edges.value[edge];
                }
                StarEdges<batch>::run(op, vector, some, values, count);
                for (int j = 0; j < count; ++j) op.put(leaf(e + static_cast<EdgeId>(j)), some[j]);
            }
            op.put(h, vector);
        }
    }
};

/// All edges of a star in order, `batch` at a time, the centre in single precision meanwhile. More than one
/// at a time are different leaves.
template <int batch, AffineOperator Op>
void run_star(const Star<Op>& star) {
    if constexpr (std::is_same_v<typename Op::Element, float>) {
        star.template run<batch>(star.centre);
    } else {
        float h[Op::components];
        star.op.widen(star.centre, h);
        star.template run<batch>(h);
        star.op.narrow(h, star.centre);
    }
}
/// Edges [begin, end) around a column one by one, the centre loaded and stored once. `place`: of the star.
template <EdgeOperator Op>
void run_column(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end, const Place& place) {
    auto col = op.load_col(edges.col[begin]);
    for (EdgeId e = begin; e < end; ++e) {
        auto row = op.load_row(edges.row[e]);
        op.apply(row, col, edges.value[e], Place{e, place.round, place.task});
        op.store_row(edges.row[e], row);
    }
    op.store_col(edges.col[begin], col);
}
/// The same around either end.
template <EdgeOperator Op>
void run_edges(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end, bool of_row,
               const Place& place) {
    if constexpr (requires { op.run_around(begin, end, of_row); })
        op.run_around(begin, end, of_row);
    else if (of_row)
        run_column(edges.turned(), turned(op), begin, end, place);
    else
        run_column(edges, op, begin, end, place);
}
/// The same of any operator, to the bit.
template <EdgeOperator Op>
void run_in_order(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end, bool of_row,
                  const Place& place) {
    if constexpr (AffineOperator<Op>)
        run_star<1>(Star<Op>{edges, op, begin, end, of_row});
    else
        run_edges(edges, op, begin, end, of_row, place);
}

/// The star that the GPU gives warps of its own. A function apart: inlined, it would make the others slower.
template <AffineOperator Op>
[[gnu::noinline]] void run_long_star(const Star<Op>& star) {
    if constexpr (StarMap<Op>::used) {
        run_mapped<Op>(star);
    } else {
        run_star<4>(star);
    }
}

}  // namespace lockstep::cpu
