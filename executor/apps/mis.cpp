// Maximal independent sets as an application. The result is the set that a greedy algorithm finds which
// visits the vertices in a given order. The parallel algorithms and their papers are in
// executor/structure/independent.hpp.
#include "apps/mis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "apps/frame/neighbours.hpp"
#include "apps/frame/structure.hpp"

namespace lockstep {

namespace mis {

namespace {

/// The neighbours of every vertex, and the key by which vertices are ordered.
struct Neighbours {
    std::vector<std::vector<VertexId>> of;
    std::vector<std::pair<std::uint32_t, VertexId>> keys;

    Neighbours(const Graph& graph, const structure::Priority& priority) : of(list_neighbours(graph)) {
        for (VertexId v = 0; v < graph.rows; ++v) {
            keys.emplace_back(of[v].empty() ? 0 : priority.key(v, of[v].size()), v);
        }
    }
};

}  // namespace

std::vector<std::uint32_t> compute_reference(const Graph& graph, const structure::Priority& priority) {
    const Neighbours neighbours(graph, priority);
    auto order = neighbours.keys;
    std::sort(order.begin(), order.end());
    std::vector<std::uint32_t> members(graph.rows, 1);
    for (const auto& [key, v] : order) {
        if (!members[v]) continue;
        for (const VertexId u : neighbours.of[v]) members[u] = 0;
    }
    return members;
}

std::string find_problem(const Graph& graph, const structure::Priority& priority,
                         const std::vector<std::uint32_t>& members) {
    if (members.size() != graph.rows)
        return fmt::format("there are {} values for {} vertices", members.size(), graph.rows);
    const Neighbours neighbours(graph, priority);
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (members[v] > 1) return fmt::format("vertex {} has the value {}, neither 0 nor 1", v, members[v]);
        VertexId before = v;  // a neighbour in the set that precedes v in the order; v if there is none
        for (const VertexId u : neighbours.of[v]) {
            if (members[u] && neighbours.keys[u] < neighbours.keys[v]) before = u;
        }
        if (members[v] && before != v)
            return fmt::format("vertices {} and {} are neighbours, and both in the set", before, v);
        if (!members[v] && before == v)
            return fmt::format("vertex {} is not in the set, although none of its preceding neighbours is",
                               v);
    }
    return {};
}

namespace {

/// The options of an independent set: whether vertices of small degree come first in the order, and the seed
/// of the order.
struct Options {
    bool by_degree = true;
    std::uint64_t seed = 1;

    structure::Priority priority() const {
        return {by_degree, static_cast<std::uint32_t>(seed ^ seed >> 32)};
    }
};

std::unique_ptr<Application> make(const Spec& spec) {
    const auto options = std::make_shared<Options>();
    StructureParts parts;
    parts.list_options = [options](Fields& basic, Fields&) {
        basic.word("priorities", options->by_degree, {{"degree", true}, {"random", false}},
                   "order in which vertices enter the set; degree: those with few neighbours first, which "
                   "makes the set larger; random: by --seed");
        list_seed(basic, options->seed);
    };
    parts.describe_run = [options](RunHeader& header) {
        header.seed = options->seed;
        header.parameters["priorities"] = options->by_degree ? "degree" : "random";
    };
    parts.axes = {"balance", "small", "large", "append", "loop"};
    parts.choose_strategy = [](const ScheduleFileSummary&, bool gpu) -> StructureParts::Rule {
        return {"best", gpu ? "one kernel launch without rounds"
                            : "without rounds: a thread visits its waiting vertices again"};
    };
    parts.make_runner = [options](const StructureRun& run) {
        const auto deciding = std::get<structure::IndependentSetMethod>(run.strategy.variant);
        const structure::Priority priority = options->priority();
        const structure::RoundAxes axes = run.round_axes();
        return on_device(
            run.device, [&] { return structure::independent_on_cpu(run.graph, priority, run.threads); },
            [&] { return structure::independent_on_cuda(run.graph, priority, deciding, axes); });
    };
    parts.compute_reference = [options](const Graph& graph) {
        return compute_reference(graph, options->priority());
    };
    parts.make_columns = [](const Graph&, std::vector<std::uint32_t> values) -> StructureParts::Columns {
        return {{"members", std::move(values)}};
    };
    parts.find_problem = [options](const Graph& graph, const StructureParts::Columns& columns) {
        return find_problem(graph, options->priority(), values_of_column<std::uint32_t>(columns));
    };
    parts.verified_property = "a vertex is in the set if and only if none of its preceding neighbours is";
    parts.summarize = [](const StructureParts::Columns& columns) -> StructureParts::Summary {
        const auto& members = values_of_column<std::uint32_t>(columns);
        const auto size = static_cast<EdgeId>(std::count(members.begin(), members.end(), 1U));
        return {{{"vertices", size}}, fmt::format("{} vertices in the set", text::group_digits(size))};
    };
    return make_structure(spec, std::move(parts));
}

}  // namespace

}  // namespace mis

const Spec& mis_spec() {
    static const Spec spec{
        .name = "mis",
        .summary = "maximal independent set, the first one in an order of the vertices (square graphs)",
        .example = "web.txt.gz --app mis --priorities random --verify",
        .strategies = "mis",
        .round = "run",
        .result = "set",
        .value = "member",
        .make = mis::make};
    return spec;
}

}  // namespace lockstep
