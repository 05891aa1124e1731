// The metis schedule: an order of the vertices by the parts of a METIS k-way partition. METIS 5.1 crashes on
// some inputs: one part, more parts than vertices, and numbers that overflow its integers. They are handled
// before METIS is called.
#include <metis.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

/// The graph as METIS requires it: symmetric adjacency lists without self-loops and repeats. The vertices of
/// a bipartite graph are its rows, followed by its columns; the vertices of a square graph are its rows.
struct Adjacency {
    std::vector<idx_t> offsets;
    std::vector<idx_t> neighbours;
};

Adjacency adjacency(const Graph& graph) {
    const bool square = graph.shape == GraphShape::square;
    const EdgeId vertices = square ? graph.rows : EdgeId{graph.rows} + graph.cols;
    constexpr auto limit = static_cast<EdgeId>(std::numeric_limits<idx_t>::max());
    if (vertices >= limit || 2 * graph.edges() >= limit) {
        throw ScheduleError("metis: the graph has " + std::to_string(graph.edges()) +
                            " edges, but this METIS library uses indices of " +
                            std::to_string(8 * sizeof(idx_t)) + " bits");
    }
    const Array<VertexId> row = edge_rows(graph);
    const auto column_vertex = [&](EdgeId e) {
        return square ? EdgeId{graph.col[e]} : EdgeId{graph.rows} + graph.col[e];
    };
    std::vector<EdgeId> first(vertices + 1, 0);
    for (EdgeId e = 0; e < graph.edges(); ++e) ++first[row[e] + 1], ++first[column_vertex(e) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<idx_t> arcs(first.back());
    std::vector<EdgeId> next(first.begin(), first.end() - 1);
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        const EdgeId u = row[e], v = column_vertex(e);
        arcs[next[u]++] = static_cast<idx_t>(v);
        arcs[next[v]++] = static_cast<idx_t>(u);
    }
    Adjacency result;
    result.offsets.push_back(0);
    for (EdgeId v = 0; v < vertices; ++v) {
        const auto begin = arcs.begin() + static_cast<std::ptrdiff_t>(first[v]),
                   end = arcs.begin() + static_cast<std::ptrdiff_t>(first[v + 1]);
        std::sort(begin, end);
        const auto last = std::unique(begin, end);
        std::copy_if(begin, last, std::back_inserter(result.neighbours),
                     [&](idx_t w) { return w != static_cast<idx_t>(v); });
        result.offsets.push_back(static_cast<idx_t>(result.neighbours.size()));
    }
    return result;
}

/// Returns the METIS part of every vertex, as a number in [0, parts).
std::vector<idx_t> partition(const Graph& graph, VertexId parts, std::uint64_t seed) {
    Adjacency a = adjacency(graph);
    idx_t vertices = static_cast<idx_t>(a.offsets.size()) - 1;
    std::vector<idx_t> part(static_cast<std::size_t>(vertices), 0);
    if (parts <= 1 || a.neighbours.empty()) return part;
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = static_cast<idx_t>(seed & 0x7fffffff);
    options[METIS_OPTION_NUMBERING] = 0;
    idx_t constraints = 1, part_count = static_cast<idx_t>(parts), cut = 0;
    const int status =
        METIS_PartGraphKway(&vertices, &constraints, a.offsets.data(), a.neighbours.data(), nullptr, nullptr,
                            nullptr, &part_count, nullptr, nullptr, options, &cut, part.data());
    if (status != METIS_OK) {
        throw ScheduleError("metis: partitioning into " + std::to_string(parts) + " parts failed " +
                                (status == METIS_ERROR_MEMORY ? "because memory is insufficient"
                                                              : "(code " + std::to_string(status) + ")"),
                            Failure::failed);
    }
    const auto in_range = [&](idx_t p) { return p >= 0 && p < part_count; };
    if (!std::all_of(part.begin(), part.end(), in_range))
        throw ScheduleError("metis: part out of range", Failure::failed);
    return part;
}

}  // namespace

Schedule build_metis(const Graph& graph, VertexId most, std::uint64_t seed) {
    const EdgeId vertices = graph.shape == GraphShape::square ? graph.rows : EdgeId{graph.rows} + graph.cols;
    const auto parts = static_cast<VertexId>(std::max<EdgeId>(1, std::min<EdgeId>(most, vertices)));
    const std::vector<idx_t> part = partition(graph, parts, seed);

    Schedule schedule;
    schedule.name = "metis";
    schedule.parameters["parts"] = std::to_string(parts);
    schedule.parameters["seed"] = std::to_string(seed);
    const auto order_side = [&](VertexId size, EdgeId base, std::vector<VertexId>& order,
                                std::vector<EdgeId>& offsets) {
        Array<EdgeId> side = identity_order(size);
        offsets = group_stable(side, parts, [&](EdgeId v) { return static_cast<EdgeId>(part[base + v]); });
        order.assign(side.begin(), side.end());
    };
    order_side(graph.rows, 0, schedule.row_order, schedule.row_parts);
    order_side(graph.cols, graph.shape == GraphShape::square ? 0 : graph.rows, schedule.col_order,
               schedule.col_parts);
    return schedule;
}

}  // namespace lockstep
