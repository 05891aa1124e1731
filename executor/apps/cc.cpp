// Connected components as an application. The label of a vertex is the smallest vertex in its component,
// where arcs connect vertices in both directions. The algorithms and their papers are in
// executor/structure/components.hpp.
#include "apps/cc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "apps/frame/structure.hpp"
#include "lockstep/executor/structure/components.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace cc {

std::vector<std::uint32_t> compute_reference(const Graph& graph) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<EdgeId> back_offsets;
    Array<EdgeId> back;
    Array<VertexId> row;
    if (graph.directed) {
        row = edge_rows(graph);
        back_offsets = group_edges(back, graph.edges(), graph.cols, [&](EdgeId e) { return graph.col[e]; });
    }
    std::vector<std::uint32_t> labels(graph.rows, none);
    std::vector<VertexId> queue;
    const auto take = [&](VertexId v, VertexId root) {
        if (labels[v] != none) return;
        labels[v] = root;
        queue.push_back(v);
    };
    for (VertexId root = 0; root < graph.rows; ++root) {
        queue.clear();
        take(root, root);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const VertexId u = queue[i];
            for (const EdgeId e : graph.edges_of(u)) take(graph.col[e], root);
            if (!graph.directed) continue;
            for (EdgeId b = back_offsets[u]; b < back_offsets[u + EdgeId{1}]; ++b) take(row[back[b]], root);
        }
    }
    return labels;
}

std::string find_problem(const Graph& graph, const std::vector<std::uint32_t>& labels) {
    if (labels.size() != graph.rows)
        return fmt::format("there are {} labels for {} vertices", labels.size(), graph.rows);
    std::vector<VertexId> above(graph.rows);
    std::iota(above.begin(), above.end(), VertexId{0});
    const auto root = [&](VertexId v) {
        while (above[v] != v) v = above[v] = above[above[v]];
        return v;
    };
    VertexId components = graph.rows, named = 0;
    for (VertexId u = 0; u < graph.rows; ++u) {
        const std::uint32_t label = labels[u];
        if (label > u || labels[label] != label)
            return fmt::format(
                "vertex {} has the label {}, which is not the smallest vertex of its component", u, label);
        named += label == u;
        for (const EdgeId e : graph.edges_of(u)) {
            const VertexId v = graph.col[e];
            if (labels[v] != label)
                return fmt::format(
                    "vertices {} and {} are connected by an edge, but have the labels {} and {}", u, v, label,
                    labels[v]);
            const VertexId a = root(u), b = root(v);
            if (a != b) above[a] = b, --components;
        }
    }
    if (named != components) return fmt::format("there are {} labels, but {} components", named, components);
    return {};
}

namespace {

structure::Runner make_runner(const StructureRun& run) {
    const auto joining = std::get<structure::ComponentMethod>(run.strategy.variant);
    const bool has_rounds = joining == structure::ComponentMethod::soman;
    const structure::RoundAxes axes = has_rounds ? run.round_axes() : structure::RoundAxes{};
    return on_device(
        run.device, [&] { return structure::components_on_cpu(run.graph, run.threads); },
        [&] { return structure::components_on_cuda(run.graph, joining, axes); });
}

StructureParts::Summary summarize(const StructureParts::Columns& columns) {
    const auto& labels = values_of_column<std::uint32_t>(columns);
    std::vector<VertexId> sizes(labels.size(), 0);
    for (const VertexId label : labels) ++sizes[label];
    const auto components =
        static_cast<EdgeId>(sizes.size()) - static_cast<EdgeId>(std::count(sizes.begin(), sizes.end(), 0U));
    const VertexId largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    return {{{"components", components}, {"largest", largest}},
            fmt::format("{} components, the largest of {} vertices", text::group_digits(components),
                        text::group_digits(largest))};
}

StructureParts::Rule choose_strategy(const ScheduleFileSummary& file, bool gpu) {
    if (gpu && schedule_in(file, "hubs"))
        return {"hubs",
                "the file has the schedule hubs, in which the first vertices are nearly always connected"};
    return {"best", "a few arcs per vertex connect nearly all vertices"};
}

std::unique_ptr<Application> make(const Spec& spec) {
    StructureParts parts;
    // Soman's algorithm visits all arcs in every round, without a worklist, so it has no axes for worklists.
    parts.own_axes = {"balance", "small", "large", "loop"};
    parts.choose_strategy = choose_strategy;
    parts.make_runner = make_runner;
    parts.make_rounds = [](const StructureRun& run, const frontier::Expand& plan) {
        return make_round_runner(run, plan, Labels());
    };
    parts.compute_reference = compute_reference;
    parts.make_columns = [](const Graph&, std::vector<std::uint32_t> values) -> StructureParts::Columns {
        return {{"labels", std::move(values), "", true}};
    };
    parts.find_problem = [](const Graph& graph, const StructureParts::Columns& columns) {
        return find_problem(graph, values_of_column<std::uint32_t>(columns));
    };
    parts.verified_property =
        "both endpoints of every arc have the same label, each label is the smallest vertex with this label, "
        "and there is one label per component";
    parts.summarize = summarize;
    return make_structure(spec, std::move(parts));
}

}  // namespace

}  // namespace cc

const Spec& cc_spec() {
    static const Spec spec{
        .name = "cc",
        .summary = "connected components, each labelled with its smallest ID (square graphs)",
        .example = "web.txt.gz --app cc --output labels.txt",
        .strategies = "cc",
        .round = "run",
        .result = "labels",
        .value = "label",
        .prepared = "hubs",
        .make = cc::make};
    return spec;
}

}  // namespace lockstep
