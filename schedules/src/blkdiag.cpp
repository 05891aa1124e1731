// Block-diagonal schedule (Kaleem et al., III-B.2): blocks of R rows x C columns; the blocks on one
// block-diagonal share no row and no column and run in parallel, one worker a block.
#include <algorithm>
#include <cmath>

#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

namespace {

/// Block side for `vertices` such that the matrix is cut into about `parts` parts a side.
VertexId block_side(VertexId asked, VertexId vertices, double parts) {
    if (asked) return asked;
    return std::max<VertexId>(1, static_cast<VertexId>(std::ceil(vertices / parts)));
}

}  // namespace

Schedule build_blkdiag(const Graph& graph, const BuildOptions& options) {
    // Without a wish: up to 512 blocks a side, while a block of an even matrix has 32 edges.
    const double parts = std::clamp(std::sqrt(static_cast<double>(graph.edges()) / 32), 1.0, 512.0);
    const VertexId block_rows = block_side(options.block_rows, graph.rows, parts);
    const VertexId block_cols = block_side(options.block_cols, graph.cols, parts);

    Schedule schedule;
    schedule.name = "blkdiag";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["block_rows"] = std::to_string(block_rows);
    schedule.parameters["block_cols"] = std::to_string(block_cols);

    const std::vector<VertexId> row = edge_rows(graph);
    const EdgeId row_blocks = (EdgeId{graph.rows} + block_rows - 1) / block_rows;
    const EdgeId col_blocks = (EdgeId{graph.cols} + block_cols - 1) / block_cols;
    const auto row_block = [&](EdgeId e) { return EdgeId{row[e] / block_rows}; };
    const auto diagonal = [&](EdgeId e) { return row_block(e) + col_blocks - 1 - graph.col[e] / block_cols; };
    schedule.order = identity_order(graph.edges());
    // Least significant key first; inside a block column-major, so that an item stays in registers.
    group_stable(schedule.order, graph.cols, [&](EdgeId e) { return graph.col[e]; });
    group_stable(schedule.order, row_blocks, row_block);
    group_stable(schedule.order, row_blocks + col_blocks, diagonal);

    std::vector<EdgeId>& tasks = schedule.level(Level::task);
    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    tasks.assign(1, 0);
    phases.assign(1, 0);
    const auto& order = schedule.order;
    for (EdgeId i = 0; i < order.size(); ++i) {
        const bool last = i + 1 == order.size();
        const bool ends_phase = last || diagonal(order[i]) != diagonal(order[i + 1]);
        if (ends_phase || row_block(order[i]) != row_block(order[i + 1])) tasks.push_back(i + 1);
        if (ends_phase) phases.push_back(tasks.size() - 1);
    }
    return schedule;
}

}  // namespace lockstep
