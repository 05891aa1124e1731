// Conversion of edges in memory to a dataset. The numbers in the arrays are either indices of vertices, or
// IDs like those of a file.
#include "lockstep/formats/edge_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "named_edges.hpp"
#include "parallel.hpp"
#include "readers.hpp"

namespace lockstep {

namespace {

using namespace readers;

/// Converts edges whose numbers are indices of vertices: number I is vertex I.
ParsedFile numbered(const EdgeArrays& edges, GraphShape shape) {
    const EdgeId most = max_vertices - 1;
    std::int64_t last_row = -1, last_col = -1, least = 0;
#pragma omp parallel for schedule(static) reduction(max : last_row, last_col) reduction(min : least)
    for (EdgeId i = 0; i < edges.rows.size(); ++i) {
        last_row = std::max(last_row, edges.rows[i]), last_col = std::max(last_col, edges.cols[i]);
        least = std::min({least, edges.rows[i], edges.cols[i]});
    }
    // A vertex takes about 20 bytes, so one wrong number could exhaust the memory.
    constexpr EdgeId always_accepted = EdgeId{1} << 24, vertices_per_edge = 64;
    const EdgeId accepted = std::max(always_accepted, vertices_per_edge * edges.rows.size());
    const auto size = [&](std::int64_t last, VertexId wanted, const char* side) {
        if (wanted > 0 ? last >= std::int64_t{wanted} : last > static_cast<std::int64_t>(most))
            throw Error(Failure::bad_input, fmt::format("{} has the number {}; expected numbers from 0 to {}",
                                                        side, last, wanted > 0 ? wanted - 1 : most));
        if (wanted == 0 && last >= static_cast<std::int64_t>(accepted))
            throw Error(Failure::bad_input,
                        fmt::format("{} has the number {}, which would make {} vertices for {} edges; "
                                    "ids=given makes vertices only for the numbers that occur, rows={} or "
                                    "cols={} accepts this number of vertices",
                                    side, last, last + 1, edges.rows.size(), last + 1, last + 1));
        return wanted > 0 ? wanted : static_cast<VertexId>(last + 1);
    };
    if (least < 0)
        throw Error(Failure::bad_input,
                    fmt::format("an edge has the endpoint {}; expected numbers of at least 0", least));
    VertexId rows = 0, cols = 0;
    if (shape == GraphShape::square) {
        rows = cols =
            size(std::max(last_row, last_col), std::max(edges.row_count, edges.col_count), "an edge");
    } else {
        rows = size(last_row, edges.row_count, "rows"), cols = size(last_col, edges.col_count, "cols");
    }
    ParsedFile parsed;
    parsed.row_ids = RangeIds{0, rows}, parsed.col_ids = RangeIds{0, cols};
    parsed.edges.resize(edges.rows.size());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < edges.rows.size(); ++i)
        parsed.edges[i] = {static_cast<VertexId>(edges.rows[i]), static_cast<VertexId>(edges.cols[i]),
                           edges.weights.empty() ? 1.0F : edges.weights[i]};
    return parsed;
}

/// Converts edges whose numbers are IDs: each distinct number becomes a vertex. Threads convert blocks of a
/// fixed size in parallel, and the blocks are appended in order.
ParsedFile named(const EdgeArrays& edges, GraphShape shape, const ReadOptions& options) {
    constexpr EdgeId block = EdgeId{1} << 14;
    constexpr std::size_t blocks_at_once = 256;
    MemoryBudget budget("the arrays", options.memory_limit);
    NamedEdges all(budget, shape, options.undirected);
    const EdgeId count = edges.rows.size();
    all.expect(static_cast<double>(count));
    std::vector<EdgeBlock> made(blocks_at_once);
    for (EdgeId first = 0; first < count; first += blocks_at_once * block) {
        const std::size_t blocks = std::min<EdgeId>(blocks_at_once, (count - first + block - 1) / block);
        parallel_for(blocks, [&](std::size_t b) {
            EdgeBlockBuilder builder = all.builder();
            for (EdgeId i = first + b * block; i < std::min(count, first + (b + 1) * block); ++i)
                builder.add(edges.rows[i], edges.cols[i], edges.weights.empty() ? 1.0F : edges.weights[i]);
            made[b] = builder.finish();
        });
        for (std::size_t b = 0; b < blocks; ++b) all.append(made[b]);
    }
    return all.finish();
}

}  // namespace

Dataset dataset_of(const EdgeArrays& edges, const ReadOptions& given) {
    const auto start = std::chrono::steady_clock::now();
    ReadOptions options = given;
    if (!edges.times.empty()) options.time_column = "times";
    options = with_limit(std::move(options));
    const GraphShape shape = options.shape.value_or(GraphShape::bipartite);
    if (edges.rows.size() != edges.cols.size() ||
        (!edges.weights.empty() && edges.weights.size() != edges.rows.size()) ||
        (!edges.times.empty() && edges.times.size() != edges.rows.size()))
        throw Error(
            Failure::bad_input,
            fmt::format(
                "there are {} rows, {} columns, {} weights and {} times; expected arrays of equal length",
                edges.rows.size(), edges.cols.size(), edges.weights.size(), edges.times.size()));
    ParsedFile parsed = edges.given_ids ? named(edges, shape, options) : numbered(edges, shape);
    parsed.shape = shape, parsed.weighted = edges.weighted, parsed.lines = edges.rows.size();
    parsed.times.assign(edges.times.begin(), edges.times.end());
    Dataset data = make_checked_dataset(std::move(parsed), options, "the arrays",
                                        {.path = "memory", .format = "arrays", .compression = "none"});
    data.source.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return data;
}

}  // namespace lockstep
