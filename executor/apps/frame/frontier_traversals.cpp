// The traversals of a run: chooses their sources, runs and repeats them, and measures them.
#include <fmt/format.h>

#include <random>

#include "apps/frame/frontier_application.hpp"
#include "apps/frame/results.hpp"
#include "apps/frame/rounds.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace {

VertexId vertex_of(const Input& input, const std::string& option, const std::string& id) {
    if (const auto vertex = input.file.dataset.row_ids.find(id)) return *vertex;
    throw UsageError(fmt::format("--{}: there is no vertex \"{}\" in {}; its ids are {}", option, id,
                                 input.file.summary.source.path, input.file.dataset.row_ids.describe()));
}

/// Returns `count` vertices with out-arcs, drawn by seed without repetition; all of them if there are fewer.
std::vector<VertexId> drawn(const Graph& graph, std::uint64_t count, std::uint64_t seed) {
    std::vector<VertexId> drawn;
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (graph.row_offsets[v] != graph.row_offsets[v + EdgeId{1}]) drawn.push_back(v);
    }
    if (drawn.empty() && graph.rows) drawn.push_back(0);
    std::mt19937_64 random(seed);
    count = std::min<std::uint64_t>(count, drawn.size());
    // Uses the high bits of a product instead of a distribution of the standard library, so that the vertices
    // are the same with every standard library.
    for (std::size_t i = 0; i < count; ++i)
        std::swap(drawn[i],
                  drawn[i + static_cast<std::size_t>(
                                static_cast<unsigned __int128>(random()) * (drawn.size() - i) >> 64)]);
    drawn.resize(count);
    return drawn;
}

/// Counts the vertices and the edges that a traversal reached.
template <class Value>
void measure(const Graph& graph, const std::vector<Value>& values, FromSource& run) {
    EdgeId arcs = 0;
    VertexId reached = 0;
#pragma omp parallel for reduction(+ : arcs, reached)
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (values[v] == without_value<Value>) continue;
        ++reached;
        arcs += graph.row_offsets[v + EdgeId{1}] - graph.row_offsets[v];
    }
    run.reached = reached;
    run.edges = graph.directed ? arcs : arcs / 2;
}

}  // namespace

FrontierApplication::Asked FrontierApplication::asked_of(const Input& input, bool trial) const {
    const Graph& graph = input.graph();
    if (graph.rows == 0) throw FormatError(input.file.summary.source.path, "has no vertex to start from");
    Asked asked{{}, {}, results().verify && !trial};
    if (source_)
        asked.sources = {vertex_of(input, "source", *source_)};
    else
        asked.sources = drawn(graph, trial ? 1 : sources_, seed_);
    if (path_to_ && !trial) asked.target = vertex_of(input, "path-to", *path_to_);
    return asked;
}

std::unique_ptr<RunOutcome> FrontierApplication::solve(const Input& input, const Strategy& strategy,
                                                       bool trial, const RunCallbacks& callbacks) {
    const Graph& graph = input.graph();
    auto outcome = std::make_unique<FrontierOutcome>();
    FrontierOutcome& o = *outcome;
    const frontier::Axes axes = axes_of(strategy);
    const Stopwatch planning;
    const frontier::FrontierPlan plan =
        frontier::make_frontier_plan(graph, strategy, input.schedule(), {weighted(), axes.pulls()});
    const double plan_seconds = planning.seconds();
    const Asked asked = asked_of(input, trial);

    const Device device = usable_device(options().device, &o.device_note);
    frontier::Runner runner = this->runner(input, device, plan, axes, options().all_threads());
    if (device == Device::reference) {
        runner.run = [&](VertexId source, const auto&) {
            const Stopwatch watch;
            frontier::Traversal traversal{reference(graph, source), {}, {}, 0};
            traversal.seconds = watch.seconds();
            return traversal;
        };
    }
    begin_runs(o, device_info(device, options().threads), plan_seconds, runner.bytes, runner.transfer_seconds,
               callbacks);

    ContentHash hash;
    for (std::size_t i = 0; i < asked.sources.size() && o.status == "ok"; ++i) {
        FromSource from{asked.sources[i]};
        frontier::Traversal t;
        from.seconds = median(repeat(o, repeats(trial), callbacks, [&](bool) {
            t = runner.run(from.source, callbacks.interrupted);
            o.result_hash = hash_of(t.values);
            return t.seconds;
        }));
        add_to(hash, t.values);
        add(graph, std::move(t), from, asked, o);
        for (std::size_t c = 1; i == 0 && c < o.columns.size(); ++c) add_to(hash, o.columns[c].values);
        if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
    }
    o.result_hash = hash.hex();
    return outcome;
}

void FrontierApplication::add(const Graph& graph, frontier::Traversal t, FromSource from, const Asked& asked,
                              FrontierOutcome& o) const {
    from.rounds = t.rounds.size();
    std::visit([&](const auto& values) { measure(graph, values, from); }, t.values);
    if (asked.verify && o.problem.empty() && o.status == "ok") {
        const Stopwatch checking;
        o.problem = problem(graph, from.source, t.values);
        o.evaluate_seconds += checking.seconds();
    }
    o.sources.push_back(from);
    o.execute_seconds += from.seconds;
    Metrics metrics{{"reached", static_cast<double>(from.reached)},
                    {"rounds", static_cast<double>(from.rounds)},
                    {"teps", static_cast<double>(from.edges) / from.seconds}};
    add_metrics(metrics, t.totals);
    if (o.sources.size() == 1) {
        add_metrics(metrics, t.rounds);
        if (asked.target) o.path = path(graph, t.values, from.source, *asked.target);
        o.columns = more_columns(graph, from.source, t.values);
        const auto first = [&](auto& v) { return ResultColumn{spec().result, std::move(v), "inf"}; };
        o.columns.insert(o.columns.begin(), std::visit(first, t.values));
        o.rounds = std::move(t.rounds), o.totals = t.totals;
    }
    o.sweeps.push_back({o.sources.size(), from.seconds, std::move(metrics), from.edges, 1});
}

}  // namespace lockstep
