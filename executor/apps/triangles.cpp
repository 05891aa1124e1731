// Triangle counting as an application. The result is the number of triangles in the graph, or at each vertex.
// The algorithms and their papers are in executor/structure/triangles.hpp.
#include "apps/triangles.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numeric>

#include "apps/frame/neighbours.hpp"
#include "apps/frame/structure.hpp"
#include "lockstep/executor/structure/triangles.hpp"

namespace lockstep {

namespace triangles {

std::vector<std::uint64_t> compute_reference(const Graph& graph) {
    const auto lists = list_neighbours(graph);
    std::vector<std::uint64_t> counts(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const VertexId v : lists[u]) {
            const auto& [few, many] = std::minmax(
                lists[u], lists[v], [](const auto& a, const auto& b) { return a.size() < b.size(); });
            for (const VertexId w : few) counts[u] += std::binary_search(many.begin(), many.end(), w);
        }
        counts[u] /= 2;  // the loop counts each triangle of u twice, once at each of its two edges of u
    }
    return counts;
}

std::string find_problem(const Graph& graph, const std::vector<std::uint64_t>& counts, bool by_vertex) {
    if (counts.size() != (by_vertex ? graph.rows : 1))
        return fmt::format("there are {} counts for {} vertices", counts.size(), graph.rows);
    const auto lists = list_neighbours(graph);
    const auto threads = static_cast<std::size_t>(omp_get_max_threads());
    std::vector<std::vector<VertexId>> marks(threads, std::vector<VertexId>(graph.rows, graph.rows));
    // Number of triangles at the edges of each vertex. Each triangle of the vertex counts twice, once at each
    // of its two edges.
    std::vector<std::uint64_t> at_edges(graph.rows);
#pragma omp parallel for schedule(dynamic, 64)
    for (VertexId u = 0; u < graph.rows; ++u) {
        auto& mark = marks[static_cast<std::size_t>(omp_get_thread_num())];
        for (const VertexId v : lists[u]) mark[v] = u;
        for (const VertexId v : lists[u]) {
            if (std::pair(lists[v].size(), v) > std::pair(lists[u].size(), u)) continue;
            std::uint64_t met = 0;
            for (const VertexId w : lists[v]) met += mark[w] == u;
            for (const VertexId end : {u, v}) {
#pragma omp atomic
                at_edges[end] += met;
            }
        }
    }
    for (VertexId v = 0; by_vertex && v < graph.rows; ++v) {
        if (counts[v] * 2 != at_edges[v])
            return fmt::format("vertex {} has the count {}, but its edges are in {} triangles", v, counts[v],
                               at_edges[v] / 2);
    }
    const std::uint64_t all = std::accumulate(at_edges.begin(), at_edges.end(), std::uint64_t{0}) / 6;
    if (!by_vertex && counts[0] != all)
        return fmt::format("the result is {} triangles; expected {}", counts[0], all);
    return {};
}

namespace {

/// The options of triangle counting.
struct Options {
    bool per_vertex = false;
    std::optional<VertexId> hubs;
};

void list_options(Options& options, Fields& basic, Fields& more) {
    basic.flag("per-vertex", options.per_vertex,
               "count the triangles of each vertex; --output and --top imply --per-vertex");
    more.number("hub-bits", options.hubs, 0, structure::max_hubs,
                "best, on a GPU: number of vertices of the largest degrees that neighbour lists store as "
                "bits, a multiple of 4,096; default: 4,096, or 8,192 from 2^19 vertices on")
        .for_gpu();
}

void settle_options(Options& options, const Fields& given, const Application::Results& results) {
    options.per_vertex = options.per_vertex || results.output || given.is_given("top");
    if (options.hubs.value_or(0) % structure::hub_step)
        throw UsageError("--hub-bits must be a multiple of 4096");
}

/// Chooses the method by which two lists of neighbours are intersected. A table or bit arrays are not used if
/// all lists are short, since one thread per vertex is then the fastest.
structure::IntersectionOptions choose_intersection(const Options& options, const StructureRun& run) {
    using structure::IntersectionMethod;
    const auto method = std::get<IntersectionMethod>(run.strategy.variant);
    const bool few = run.graph.largest <= structure::few_neighbours;
    return {
        run.axes, method == IntersectionMethod::table || (method == IntersectionMethod::bits && !few),
        method == IntersectionMethod::table ? 0 : options.hubs.value_or(structure::usual_hubs(run.graph))};
}

std::vector<std::uint32_t> compute_values(const Options& options, const Graph& graph) {
    std::vector<std::uint64_t> counts = compute_reference(graph);
    if (!options.per_vertex) counts = {std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) / 3};
    return structure::as_words(counts);
}

StructureParts::Summary summarize(const Options& options, const StructureParts::Columns& columns) {
    const auto& counts = values_of_column<std::uint64_t>(columns);
    const std::uint64_t sum = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
    const std::uint64_t all = options.per_vertex ? sum / 3 : sum;
    return {{{"triangles", all}}, fmt::format("{} triangles", text::group_digits(all))};
}

std::unique_ptr<Application> make(const Spec& spec) {
    const auto options = std::make_shared<Options>();
    StructureParts parts;
    parts.list_options = [options](Fields& basic, Fields& more) { list_options(*options, basic, more); };
    parts.settle_options = [options](const Fields& given, const Application::Results& results) {
        settle_options(*options, given, results);
    };
    parts.describe_run = [options](RunHeader& header) {
        header.parameters["per_vertex"] = options->per_vertex ? "yes" : "no";
    };
    parts.axes = {"balance", "small", "large"};
    parts.choose_strategy = [](const ScheduleFileSummary& file, bool) -> StructureParts::Rule {
        return {
            "best",
            file.max_degree.both() <= structure::few_neighbours
                ? "all degrees are small: one thread per vertex merges neighbour lists"
                : "hubs are stored as bits, other neighbours are looked up in a hash table in shared memory"};
    };
    parts.make_runner = [options](const StructureRun& run) {
        const structure::IntersectionOptions intersection = choose_intersection(*options, run);
        const bool per_vertex = options->per_vertex;
        return on_device(
            run.device, [&] { return structure::triangles_on_cpu(run.graph, per_vertex, run.threads); },
            [&] { return structure::triangles_on_cuda(run.graph, intersection, per_vertex); });
    };
    parts.compute_reference = [options](const Graph& graph) { return compute_values(*options, graph); };
    parts.make_columns = [](const Graph&,
                            const std::vector<std::uint32_t>& words) -> StructureParts::Columns {
        return {{"triangles", structure::from_words(words)}};
    };
    parts.find_problem = [options](const Graph& graph, const StructureParts::Columns& columns) {
        return find_problem(graph, values_of_column<std::uint64_t>(columns), options->per_vertex);
    };
    parts.verified_property =
        "equal to the triangles at every edge, counted from its endpoint with more neighbours";
    parts.summarize = [options](const StructureParts::Columns& columns) {
        return summarize(*options, columns);
    };
    return make_structure(spec, std::move(parts));
}

}  // namespace

}  // namespace triangles

const Spec& triangles_spec() {
    static const Spec spec{.name = "triangles",
                           .summary = "triangle counting in the undirected graph (square graphs)",
                           .example = "web.txt.gz --app triangles --per-vertex --top 10",
                           .strategies = "triangles",
                           .round = "run",
                           .result = "triangles",
                           .value = "triangles",
                           .make = triangles::make};
    return spec;
}

}  // namespace lockstep
