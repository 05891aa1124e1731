// Breadth-first search as an application (Moore, "The shortest path through a maze", 1959). The result is the
// level of each vertex and, with --parents, its smallest parent in a tree of shortest paths. The serial
// reference, the check and the search for parents share no code with the operator and the walks that run it.
#include "apps/bfs.hpp"

#include <atomic>

#include "apps/frame/distances.hpp"
#include "apps/frame/traversal.hpp"

namespace lockstep {

namespace bfs {

namespace {

std::uint32_t next_level(std::uint32_t level, EdgeId) { return level + 1; }

const std::vector<std::uint32_t>& levels_of(const frontier::Values& values) {
    return std::get<std::vector<std::uint32_t>>(values);
}

}  // namespace

std::vector<std::uint32_t> compute_reference(const Graph& graph, VertexId source) {
    std::vector<std::uint32_t> levels(graph.rows, unreached);
    std::vector<VertexId> queue{source};
    levels[source] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        const VertexId u = queue[i];
        for (const EdgeId e : graph.edges_of(u)) {
            const VertexId v = graph.col[e];
            if (levels[v] != unreached) continue;
            levels[v] = levels[u] + 1;
            queue.push_back(v);
        }
    }
    return levels;
}

std::string find_problem(const Graph& graph, VertexId source, const std::vector<std::uint32_t>& levels) {
    return find_sum_problem(graph, source, levels, std::uint32_t{0}, unreached, next_level);
}

std::vector<VertexId> find_smallest_parents(const Graph& graph, VertexId source,
                                            const std::vector<std::uint32_t>& levels) {
    std::vector<VertexId> parents(graph.rows, unreached);
    parents[source] = source;
#pragma omp parallel for schedule(dynamic, 1024) if (graph.edges() > 1 << 16)
    for (VertexId u = 0; u < graph.rows; ++u) {
        if (levels[u] == unreached) continue;
        for (const EdgeId e : graph.edges_of(u)) {
            if (levels[graph.col[e]] != levels[u] + 1) continue;
            std::atomic_ref parent(parents[graph.col[e]]);
            VertexId found = parent.load(std::memory_order_relaxed);
            while (u < found && !parent.compare_exchange_weak(found, u, std::memory_order_relaxed)) {
            }
        }
    }
    return parents;
}

namespace {

std::unique_ptr<Application> make_bfs(const Spec& spec) {
    const auto has_parents = std::make_shared<bool>(false);  // whether --parents is given
    TraversalParts parts;
    parts.make_runner = make_runner<Levels>;
    parts.compute_reference = compute_reference;
    parts.find_problem = [](const Graph& graph, VertexId source, const auto& values) {
        return find_problem(graph, source, levels_of(values));
    };
    parts.find_path = [](const Graph& graph, VertexId source, VertexId target, const auto& values) {
        return find_tight_path(graph, source, target, levels_of(values), next_level);
    };
    parts.list_options = [has_parents](Fields& basic) {
        basic.flag(
            "parents", *has_parents,
            "also output the smallest parent of each vertex; found in a separate pass, which is not timed");
    };
    parts.compute_columns = [has_parents](const Graph& graph, VertexId source,
                                          const auto& values) -> std::vector<ResultColumn> {
        if (!*has_parents) return {};
        return {{"parents", find_smallest_parents(graph, source, levels_of(values)), "-", true}};
    };
    return make_traversal(spec, std::move(parts));
}

}  // namespace

}  // namespace bfs

const Spec& bfs_spec() {
    static const Spec spec{.name = "bfs",
                           .summary = "breadth-first search: levels and parents (square graphs)",
                           .example = "road.txt --app bfs --source 17 --path-to 42",
                           .strategies = "frontier",
                           .round = "source",
                           .result = "levels",
                           .value = "level",
                           .prepared = "hubs",
                           .make = bfs::make_bfs};
    return spec;
}

}  // namespace lockstep
