// k-cores as an application. The result is the core number of each vertex or, with a given k, whether the
// vertex is in the k-core. The algorithms and their papers are in executor/structure/cores.hpp.
#include "apps/kcore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "apps/frame/neighbours.hpp"
#include "apps/frame/structure.hpp"
#include "lockstep/executor/structure/cores.hpp"

namespace lockstep {

namespace kcore {

std::vector<std::uint32_t> compute_reference(const Graph& graph, std::optional<std::uint32_t> k) {
    const auto neighbours = list_neighbours(graph);
    std::vector<std::uint32_t> cores(graph.rows);
    std::vector<std::vector<VertexId>> buckets;
    const auto file = [&](VertexId v) {
        if (cores[v] >= buckets.size()) buckets.resize(cores[v] + std::size_t{1});
        buckets[cores[v]].push_back(v);
    };
    for (VertexId v = 0; v < graph.rows; ++v) {
        cores[v] = static_cast<std::uint32_t>(neighbours[v].size());
        file(v);
    }
    std::vector<bool> gone(graph.rows, false);
    for (std::uint32_t level = 0; level < buckets.size(); ++level) {
        for (std::size_t i = 0; i < buckets[level].size(); ++i) {
            const VertexId v = buckets[level][i];
            if (gone[v] || cores[v] != level) continue;
            gone[v] = true;
            for (const VertexId u : neighbours[v]) {
                if (gone[u] || cores[u] <= level) continue;
                --cores[u];
                file(u);
            }
        }
    }
    if (k) std::transform(cores.begin(), cores.end(), cores.begin(), [&](auto c) { return c >= *k; });
    return cores;
}

std::string find_problem(const Graph& graph, std::optional<std::uint32_t> k,
                         const std::vector<std::uint32_t>& cores) {
    if (cores.size() != graph.rows)
        return fmt::format("there are {} values for {} vertices", cores.size(), graph.rows);
    const auto neighbours = list_neighbours(graph);
    /// `least(v)` is the minimum number of neighbours with the same or a higher value that v must have.
    /// `most(v)` is the maximum number of neighbours that v may have left when it is removed.
    const auto least = [&](VertexId v) { return !k ? cores[v] : cores[v] ? *k : 0; };
    const auto most = [&](VertexId v) { return !k ? cores[v] : *k - 1; };
    std::vector<std::size_t> left(graph.rows);
    std::vector<VertexId> order(graph.rows);
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (k && cores[v] > 1) return fmt::format("vertex {} has the value {}, neither 0 nor 1", v, cores[v]);
        left[v] = neighbours[v].size();
        const auto fellows = static_cast<std::uint64_t>(std::count_if(
            neighbours[v].begin(), neighbours[v].end(), [&](VertexId u) { return cores[u] >= cores[v]; }));
        if (fellows < least(v))
            return fmt::format("vertex {} has the value {}, but {} neighbours with a value at least as large",
                               v, cores[v], fellows);
    }
    std::iota(order.begin(), order.end(), VertexId{0});
    std::stable_sort(order.begin(), order.end(), [&](VertexId a, VertexId b) { return cores[a] < cores[b]; });
    std::vector<bool> gone(graph.rows, false);
    std::vector<VertexId> queue;
    for (auto first = order.begin(), last = first; first != order.end(); first = last) {
        const std::uint32_t value = cores[*first];
        if (k && value) break;  // vertices inside the k-core are not removed
        last = std::find_if(first, order.end(), [&](VertexId v) { return cores[v] != value; });
        queue.clear();
        const auto may_go = [&](VertexId v) { return !gone[v] && cores[v] == value && left[v] <= most(v); };
        const auto take = [&](VertexId v) {
            if (!may_go(v)) return;
            gone[v] = true;
            queue.push_back(v);
        };
        std::for_each(first, last, take);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            for (const VertexId u : neighbours[queue[i]]) {
                --left[u];
                take(u);
            }
        }
        const auto stuck = std::find_if(first, last, [&](VertexId v) { return !gone[v]; });
        if (stuck != last)
            return fmt::format(
                "vertex {} has the value {}, but {} neighbours remain when no more vertices can be removed",
                *stuck, value, left[*stuck]);
    }
    return {};
}

namespace {

/// The k of the core to compute; nullopt: the core numbers of all vertices.
using Core = std::optional<std::uint32_t>;

StructureParts::Summary summarize(const Core& k, const std::vector<std::uint32_t>& cores) {
    if (k) {
        const auto inside = std::count(cores.begin(), cores.end(), 1U);
        return {
            {{"k", *k}, {"vertices", inside}},
            fmt::format("{} vertices in the {}-core", text::group_digits(static_cast<EdgeId>(inside)), *k)};
    }
    const std::uint32_t largest = cores.empty() ? 0 : *std::max_element(cores.begin(), cores.end());
    return {{{"largest_core", largest}, {"vertices", std::count(cores.begin(), cores.end(), largest)}},
            fmt::format("the largest core number is {}", largest)};
}

std::unique_ptr<Application> make(const Spec& spec) {
    const auto k = std::make_shared<Core>();
    StructureParts parts;
    parts.list_options = [k](Fields& basic, Fields&) {
        basic.number(
            "k", *k, 0, max_vertices,
            "find only the N-core: 1 for vertices in it, 0 for others; without --k: all core numbers");
    };
    parts.describe_run = [k](RunHeader& header) {
        header.parameters["k"] = *k ? std::to_string(**k) : "all";
    };
    parts.pulls_on_cpu = false;
    parts.choose_strategy = [](const ScheduleFileSummary&, bool gpu) -> StructureParts::Rule {
        return {"best", gpu ? "one kernel launch: a thread block continues with the vertices that it finds"
                            : "a thread continues with the vertices that it finds"};
    };
    parts.make_runner = [k](const StructureRun& run) {
        const auto peeling = std::get<structure::CoreMethod>(run.strategy.variant);
        return on_device(
            run.device, [&] { return structure::cores_on_cpu(run.graph, *k, run.threads); },
            [&] { return structure::cores_on_cuda(run.graph, peeling, *k); });
    };
    parts.make_rounds = [k](const StructureRun& run, const frontier::Expand& plan) {
        if (!*k) throw UsageError("strategies with rounds over active vertices find a single core: give --k");
        return make_round_runner(run, plan, Degrees{**k});
    };
    parts.convert_value = [k](std::uint32_t degree) { return degree >= **k; };
    parts.compute_reference = [k](const Graph& graph) { return compute_reference(graph, *k); };
    parts.make_columns = [](const Graph&, std::vector<std::uint32_t> values) -> StructureParts::Columns {
        return {{"cores", std::move(values)}};
    };
    parts.find_problem = [k](const Graph& graph, const StructureParts::Columns& columns) {
        return find_problem(graph, *k, values_of_column<std::uint32_t>(columns));
    };
    parts.verified_property =
        "every vertex has enough neighbours in its core, and removing the vertices in the order of their "
        "core numbers gives these numbers";
    parts.summarize = [k](const StructureParts::Columns& columns) {
        return summarize(*k, values_of_column<std::uint32_t>(columns));
    };
    return make_structure(spec, std::move(parts));
}

}  // namespace

}  // namespace kcore

const Spec& kcore_spec() {
    static const Spec spec{.name = "kcore",
                           .summary = "k-cores: the core number of each vertex, or one core (square graphs)",
                           .example = "web.txt.gz --app kcore --top 10",
                           .strategies = "kcore",
                           .round = "run",
                           .result = "cores",
                           .value = "core",
                           .make = kcore::make};
    return spec;
}

}  // namespace lockstep
