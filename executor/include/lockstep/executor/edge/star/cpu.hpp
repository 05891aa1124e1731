// Processes a star on the CPU, with exactly the arithmetic of the GPU (arithmetic.hpp), so that the results
// are bitwise identical. The walks tiled, stars and tasks consist of such stars.
#pragma once

#include <algorithm>

#include "lockstep/executor/edge/on_chip.hpp"
#include "lockstep/executor/edge/star/segment.hpp"
#include "lockstep/executor/edge/update.hpp"

namespace lockstep::cpu {

/// A star: edges that share one endpoint (the centre, a row or a column), and the addresses of the vectors.
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
    /// Updates all edges in order, `batch` edges at a time. `h` is the centre in single precision.
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

/// Updates all edges of a star in order, `batch` edges at a time. The centre stays in single precision
/// meanwhile. If `batch` is greater than 1, all leaves must be different.
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
/// Updates the edges [begin, end), which share their column, one by one. The column is loaded and stored
/// once. `place` is the EdgePosition of the star, of which the round and the task apply to each edge.
template <EdgeOperator Op>
void run_column(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end, const EdgePosition& place) {
    auto col = op.load_col(edges.col[begin]);
    for (EdgeId e = begin; e < end; ++e) {
        auto row = op.load_row(edges.row[e]);
        op.apply(row, col, edges.value[e], EdgePosition{e, place.round, place.task});
        op.store_row(edges.row[e], row);
    }
    op.store_col(edges.col[begin], col);
}
/// Updates the edges [begin, end), which share their row or their column, one by one.
template <EdgeOperator Op>
void run_edges(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end, bool of_row,
               const EdgePosition& place) {
    if constexpr (requires { op.run_around(begin, end, of_row); })
        op.run_around(begin, end, of_row);
    else if (of_row)
        run_column(edges.swap_sides(), swap_sides(op), begin, end, place);
    else
        run_column(edges, op, begin, end, place);
}
/// Updates the edges of a star one by one, for any operator. The result is bitwise identical to that of
/// run_edges().
template <EdgeOperator Op>
void run_in_order(const EdgeView& edges, const Op& op, EdgeId begin, EdgeId end, bool of_row,
                  const EdgePosition& place) {
    if constexpr (AffineOperator<Op>)
        run_star<1>(Star<Op>{edges, op, begin, end, of_row});
    else
        run_edges(edges, op, begin, end, of_row, place);
}

/// Processes a long star, for which the GPU uses several warps. It is a separate function, because inlining
/// it would slow down the other stars.
template <AffineOperator Op>
[[gnu::noinline]] void run_long_star(const Star<Op>& star) {
    if constexpr (StarMap<Op>::used) {
        run_mapped<Op>(star);
    } else {
        run_star<4>(star);
    }
}

}  // namespace lockstep::cpu
