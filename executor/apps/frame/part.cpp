#include "apps/frame/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <parallel/algorithm>

#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/schedule_part.hpp"

namespace lockstep {

namespace {

/// An edge as one process sends it to another.
struct Edge {
    VertexId row, col;
    float value;
};

/// Returns the edges with the given IDs, which must be ascending. Each process has read some rows of the
/// graph file, so the edges are requested from the processes that read their rows. Throws FormatError if any
/// edge of the graph is not requested exactly once by all processes together.
std::vector<Edge> fetch(const std::string& path, const Array<EdgeId>& ids, const SchedulePart& read) {
    const auto processes = static_cast<std::size_t>(ranks().count());
    std::vector<std::vector<EdgeId>> wanted(processes);
    auto begin = ids.begin();
    for (std::size_t r = 0; r < processes; ++r) {
        const auto end = std::lower_bound(begin, ids.end(), read.first_of[r + 1]);
        wanted[r].assign(begin, end);
        begin = end;
    }
    const Graph& rows = read.dataset.graph;
    const Array<VertexId> row_of = edge_rows(rows);
    const EdgeId first = read.first_of[static_cast<std::size_t>(ranks().rank())];
    std::vector<bool> given(rows.edges());
    // again: number of requested IDs that are too large or were requested before
    EdgeId count = 0, again = ids.end() - begin;
    std::vector<std::vector<Edge>> answers;
    for (const auto& requested : ranks().all_to_all(wanted)) {
        for (const EdgeId id : requested) {
            again += given[id - first];
            given[id - first] = true;
        }
        count += requested.size();
        std::vector<Edge>& answer = answers.emplace_back(requested.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < requested.size(); ++i) {
            const EdgeId e = requested[i] - first;
            answer[i] = {row_of[e], rows.col[e], rows.weight(e)};
        }
    }
    if (ranks().sum(again + (rows.edges() - std::min(count, rows.edges()))) != 0)
        throw FormatError(path, "the schedule does not contain every edge of the graph exactly once");
    std::vector<Edge> edges;
    edges.reserve(ids.size());
    for (const auto& some : ranks().all_to_all(answers)) edges.insert(edges.end(), some.begin(), some.end());
    return edges;
}

}  // namespace

ScheduleFile read_part(const std::string& path, const std::string& schedule, GraphPart& part) {
    SchedulePart read = read_schedule_part(path, schedule, static_cast<EdgeId>(ranks().rank()),
                                           static_cast<EdgeId>(ranks().count()));
    ranks().barrier();
    Schedule& s = read.timed.schedule;
    // The edges in the tiles of this process, ordered by ID, become a graph of their own. The schedule then
    // refers to the edge IDs of this graph instead of those of the whole graph. `numbered` contains pairs of
    // an edge's ID in the whole graph and its index in the schedule's order.
    std::vector<std::pair<EdgeId, EdgeId>> numbered(s.order.size());
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < s.order.size(); ++i) numbered[i] = {s.order[i], i};
    __gnu_parallel::sort(numbered.begin(), numbered.end());
    part.ids.resize(numbered.size());
#pragma omp parallel for schedule(static)
    for (EdgeId e = 0; e < numbered.size(); ++e)
        part.ids[e] = numbered[e].first, s.order[numbered[e].second] = e;
    numbered = {};
    const std::vector<Edge> edges = fetch(path, part.ids, read);

    Graph graph;
    graph.rows = read.summary.rows, graph.cols = read.summary.cols;
    graph.shape = read.summary.shape, graph.directed = read.summary.directed;
    graph.row_offsets.assign(EdgeId{graph.rows} + 1, 0);
    graph.col.resize(edges.size());
    graph.value.resize(read.summary.weighted ? edges.size() : 0);
    for (EdgeId e = 0; e < edges.size(); ++e) {
        ++graph.row_offsets[EdgeId{edges[e].row} + 1];
        graph.col[e] = edges[e].col;
        if (!graph.value.empty()) graph.value[e] = edges[e].value;
    }
    for (EdgeId u = 0; u < graph.rows; ++u) graph.row_offsets[u + 1] += graph.row_offsets[u];

    part.first = read.first_of[static_cast<std::size_t>(ranks().rank())];
    part.rows = std::exchange(read.dataset.graph, std::move(graph));
    ScheduleFile file{std::move(read.dataset), {}, std::move(read.summary)};
    file.schedules.push_back(std::move(read.timed));
    return file;
}

}  // namespace lockstep
