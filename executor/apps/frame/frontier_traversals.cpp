// The traversals of a run: where they begin, how often each is run, and what is measured of it.
#include <fmt/format.h>
#include <omp.h>

#include <random>

#include "apps/frame/frontier_application.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep {

namespace {

VertexId vertex_of(const Input& input, const std::string& option, const std::string& id) {
    if (const auto vertex = input.file.dataset.row_ids.find(id)) return *vertex;
    throw cli::UsageError(fmt::format("--{}: there is no vertex \"{}\" in {}; its ids are {}", option, id,
                                      input.file.summary.source.path, input.file.dataset.row_ids.describe()));
}

/// The one that is named, or so many with out-arcs, drawn by seed without repetition.
std::vector<VertexId> sources_of(const Input& input, const FrontierOptions& options) {
    if (options.source) return {vertex_of(input, "source", *options.source)};
    const Graph& graph = input.graph();
    std::vector<VertexId> drawn;
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (graph.row_offsets[v] != graph.row_offsets[v + EdgeId{1}]) drawn.push_back(v);
    }
    if (drawn.empty() && graph.rows) drawn.push_back(0);
    std::mt19937_64 random(options.seed);
    const std::size_t count = std::min<std::uint64_t>(options.sources, drawn.size());
    for (std::size_t i = 0; i < count; ++i)  // by the high bits of a product: the same with every library
        std::swap(drawn[i],
                  drawn[i + static_cast<std::size_t>(
                                static_cast<unsigned __int128>(random()) * (drawn.size() - i) >> 64)]);
    drawn.resize(count);
    return drawn;
}

/// Of a vertex that nothing reaches, as ResultColumn::unreached has it.
template <class Value>
constexpr Value unreached = std::numeric_limits<Value>::has_infinity ? std::numeric_limits<Value>::infinity()
                                                                     : std::numeric_limits<Value>::max();

/// What of the graph a traversal saw.
template <class Value>
void measure(const Graph& graph, const std::vector<Value>& values, Value none, FromSource& run) {
    EdgeId arcs = 0;
    VertexId reached = 0;
#pragma omp parallel for reduction(+ : arcs, reached)
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (values[v] == none) continue;
        ++reached;
        arcs += graph.row_offsets[v + EdgeId{1}] - graph.row_offsets[v];
    }
    run.reached = reached;
    run.edges = graph.directed ? arcs : arcs / 2;
}

/// Of a GPU; a CPU has no kernels.
void add_metrics(Metrics& metrics, const frontier::Totals& totals) {
    if (totals.launches == 0) return;
    metrics.push_back({"launches", static_cast<double>(totals.launches)});
    metrics.push_back({"worklist_atomics", static_cast<double>(totals.worklist_atomics)});
    metrics.push_back({"registers", static_cast<double>(totals.registers)});
}

/// Arrays: a number a round; the numbers of the rounds that pulled, and of those after which a filter listed.
void add_metrics(Metrics& metrics, const std::vector<frontier::Round>& rounds) {
    for (const frontier::Round& r : rounds) metrics.push_back({"round_seconds", r.seconds});
    for (const frontier::Round& r : rounds)
        metrics.push_back({"round_active", static_cast<double>(r.active)});
    for (const frontier::Round& r : rounds) metrics.push_back({"round_arcs", static_cast<double>(r.arcs)});
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const auto number = static_cast<double>(i + 1);
        if (rounds[i].pull) metrics.push_back({"pull_rounds", number});
        if (rounds[i].filter != frontier::Filter::none)
            metrics.push_back({frontier::name_of(rounds[i].filter) + std::string("_rounds"), number});
    }
}

}  // namespace

std::unique_ptr<FrontierOutcome> FrontierApplication::traverse(const Input& input, const Strategy& strategy,
                                                               const FrontierOptions& options,
                                                               const RunCallbacks& callbacks) const {
    const Graph& graph = input.graph();
    auto outcome = std::make_unique<FrontierOutcome>();
    FrontierOutcome& o = *outcome;
    o.axes = axes_of(strategy, options.axes, by_priority());
    const cli::Stopwatch planning;
    const frontier::FrontierPlan plan =
        frontier::make_frontier_plan(graph, strategy, input.schedule(), {weighted(), o.axes.pulls()});
    o.plan_seconds = planning.seconds();
    if (graph.rows == 0) throw FormatError(input.file.summary.source.path, "has no vertex to start from");
    const std::vector<VertexId> sources = sources_of(input, options);
    const VertexId target = options.path_to ? vertex_of(input, "path-to", *options.path_to) : 0;

    const Device device = usable_device(options.device, &o.device_note);
    const int threads = options.threads ? options.threads : omp_get_max_threads();
    const frontier::Runner runner = this->runner(input, device, plan, o.axes, threads);
    o.device = device_info(device, threads);
    o.device_bytes = runner.bytes;
    o.transfer_seconds = runner.transfer_seconds;
    if (callbacks.on_start) callbacks.on_start(o);

    ContentHash hash;
    for (const VertexId source : sources) {
        FromSource from{source};
        std::vector<double> seconds;
        std::string first_hash;
        frontier::Traversal t;
        while (seconds.size() < options.repeats && o.status == "ok") {
            t = device == Device::reference ? timed_reference(graph, source)
                                            : runner.run(source, callbacks.interrupted);
            if (callbacks.interrupted && callbacks.interrupted()) o.status = "interrupted";
            seconds.push_back(t.seconds);
            ContentHash of_run;
            std::visit([&]<class V>(const V& v) { of_run.add(std::span(v)); }, t.values);
            if (!first_hash.empty() && first_hash != of_run.hex() && o.status == "ok")
                throw Error(Failure::verification,
                            fmt::format("run {} from vertex {} gave another result than those before it",
                                        seconds.size(), source));
            first_hash = of_run.hex();
        }
        from.seconds = median(std::move(seconds));
        from.rounds = t.rounds.size();
        std::visit([&]<class V>(const std::vector<V>& v) { measure(graph, v, unreached<V>, from); },
                   t.values);
        if (options.verify && o.problem.empty() && o.status == "ok") {
            const cli::Stopwatch checking;
            o.problem = problem(graph, source, t.values);
            o.evaluate_seconds += checking.seconds();
        }
        std::visit([&]<class V>(const V& v) { hash.add(std::span(v)); }, t.values);
        if (o.sources.empty()) {
            if (options.path_to) o.path = path(graph, t.values, source, target);
            std::visit([&](const auto& v) { o.columns.push_back({column(), v, "inf"}); }, t.values);
            for (ResultColumn& more : more_columns(graph, source, t.values)) {
                std::visit([&](const auto& v) { hash.add(std::span(v)); }, more.values);
                o.columns.push_back(std::move(more));
            }
            o.rounds = t.rounds, o.totals = t.totals;
        }
        o.sources.push_back(from);
        o.execute_seconds += from.seconds;
        o.sweeps.push_back({o.sources.size(),
                            from.seconds,
                            {{"reached", static_cast<double>(from.reached)},
                             {"rounds", static_cast<double>(from.rounds)},
                             {"teps", static_cast<double>(from.edges) / from.seconds}},
                            from.edges,
                            1});
        add_metrics(o.sweeps.back().metrics, t.totals);
        if (o.sources.size() == 1) add_metrics(o.sweeps.back().metrics, t.rounds);
        if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
        if (o.status != "ok") break;
    }
    o.result_hash = hash.hex();
    return outcome;
}

frontier::Traversal FrontierApplication::timed_reference(const Graph& graph, VertexId source) const {
    const cli::Stopwatch watch;
    frontier::Traversal traversal;
    traversal.values = reference(graph, source);
    traversal.seconds = watch.seconds();
    return traversal;
}

}  // namespace lockstep
