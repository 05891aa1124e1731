// The block-diagonal schedule (Kaleem et al., III-B.2). The matrix of the graph is divided into blocks of R
// rows x C columns. The blocks on one block-diagonal share no row and no column, so each block-diagonal is a
// phase, and each of its blocks is a task of one worker.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "one_set.hpp"

namespace lockstep {

namespace {

/// Returns the requested number of rows or columns per block. If it is 0, returns the number that divides
/// `vertices` into about `parts` parts.
VertexId block_side(VertexId requested, VertexId vertices, double parts) {
    if (requested) return requested;
    return std::max<VertexId>(1, static_cast<VertexId>(std::ceil(vertices / parts)));
}

VertexId row_of(const Graph& graph, EdgeId edge) {
    const auto next = std::upper_bound(graph.row_offsets.begin(), graph.row_offsets.end(), edge);
    return static_cast<VertexId>(next - graph.row_offsets.begin() - 1);
}

/// Writes the edges first … last - 1 to out[first … last - 1], sorted by (column, edge ID). `next` is a
/// buffer.
void sort_by_column(const Graph& graph, EdgeId first, EdgeId last, std::vector<EdgeId>& next, EdgeId* out) {
    if (last - first < graph.cols / 16) {
        std::iota(out + first, out + last, first);
        std::stable_sort(out + first, out + last,
                         [&](EdgeId a, EdgeId b) { return graph.col[a] < graph.col[b]; });
        return;
    }
    next.assign(std::size_t{graph.cols} + 1, 0);
    for (EdgeId e = first; e < last; ++e) ++next[std::size_t{graph.col[e]} + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (EdgeId e = first; e < last; ++e) out[first + next[graph.col[e]]++] = e;
}

}  // namespace

Schedule build_blkdiag(const Graph& graph, VertexId max_rows, VertexId max_cols) {
    if (graph.ends == Ends::vertices) return one_set::build_blkdiag(graph, std::max(max_rows, max_cols));
    // The default is at most 512 blocks per side, and few enough that a block has at least 32 edges if the
    // edges are evenly distributed.
    const double parts = std::clamp(std::sqrt(static_cast<double>(graph.edges()) / 32), 1.0, 512.0);
    const VertexId block_rows = block_side(max_rows, graph.rows, parts);
    const VertexId block_cols = block_side(max_cols, graph.cols, parts);

    Schedule schedule;
    schedule.name = "blkdiag";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["block_rows"] = std::to_string(block_rows);
    schedule.parameters["block_cols"] = std::to_string(block_cols);

    const EdgeId row_blocks = (EdgeId{graph.rows} + block_rows - 1) / block_rows;
    const EdgeId col_blocks = (EdgeId{graph.cols} + block_cols - 1) / block_cols;
    const auto first_edge = [&](EdgeId row_block) {
        return graph.row_offsets[std::min<EdgeId>(row_block * block_rows, graph.rows)];
    };
    checked_cast<VertexId>(row_blocks + col_blocks, "number of block-diagonals");
    // Edges are sorted by column inside a block, so that the vector of an item stays in registers for several
    // edges. The sort by block-diagonal below is stable, so the sort by column comes first. The rows of a row
    // of blocks are contiguous in the graph, so each such range is sorted separately.
    Array<EdgeId> by_column(graph.edges());
    // Row block - column block + (number of column blocks - 1), so that it is at least 0.
    Array<VertexId> diagonal(graph.edges());
    ParallelErrors errors;
#pragma omp parallel
    {
        std::vector<EdgeId> next;
#pragma omp for schedule(dynamic)
        for (EdgeId b = 0; b < row_blocks; ++b) {
            const EdgeId first = first_edge(b), last = first_edge(b + 1);
            errors.run([&] { sort_by_column(graph, first, last, next, by_column.data()); });
            if (errors.failed()) continue;
            for (EdgeId i = first; i < last; ++i)
                diagonal[i] =
                    static_cast<VertexId>(b + col_blocks - 1 - graph.col[by_column[i]] / block_cols);
        }
    }
    errors.rethrow();
    schedule.order.resize(graph.edges());
    const std::vector<EdgeId> diagonals = group_ids(
        graph.edges(), row_blocks + col_blocks, [&](EdgeId i) { return diagonal[i]; },
        [&](EdgeId i) { return by_column[i]; }, graph.edges(), schedule.order.data());

    std::vector<EdgeId>& tasks = schedule.level(Level::task);
    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    tasks.assign(1, 0);
    phases.assign(1, 0);
    const Array<EdgeId>& order = schedule.order;
    for (EdgeId d = 0; d + 1 < diagonals.size(); ++d) {
        // The edges of a block-diagonal are in ascending order of their row blocks, so a block ends at the
        // first edge whose ID belongs to the next row block.
        for (EdgeId begin = diagonals[d], end; begin < diagonals[d + 1]; begin = end) {
            const EdgeId row_block = row_of(graph, order[begin]) / block_rows;
            end = static_cast<EdgeId>(
                std::partition_point(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                     order.begin() + static_cast<std::ptrdiff_t>(diagonals[d + 1]),
                                     [last = first_edge(row_block + 1)](EdgeId e) { return e < last; }) -
                order.begin());
            tasks.push_back(end);
        }
        if (diagonals[d + 1] > diagonals[d]) phases.push_back(tasks.size() - 1);
    }
    return schedule;
}

}  // namespace lockstep
