#include "apps/frame/frontier_application.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep {

namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

const FrontierOutcome& outcome_of(const RunOutcome& run) { return static_cast<const FrontierOutcome&>(run); }

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

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

void FrontierApplication::declare(cli::Options& basic, cli::Options& tuning) const {
    // clang-format off
    basic.add_options()
        ("source", po::value<std::string>()->value_name("ID"), "start at the vertex of this original id")
        ("sources", cli::number<std::uint64_t>(1, 1'000'000)->default_value(1), "without --source: start at so many vertices with out-edges, one after another, drawn by seed")
        ("path-to", po::value<std::string>()->value_name("ID"), "show a path from the (first) source to the vertex of this original id");
    declare_seed(basic);
    declare_results(basic);
    // clang-format on
    declare_axes(tuning);
    declare_tune(tuning);
    declare_repeat(tuning);
}

void FrontierApplication::read(const cli::Values& values, Device device, int threads) {
    options_ = {};
    options_.device = device;
    options_.threads = threads;
    options_.axes = given_axes(values);
    const auto optional = [&](const char* name) {
        return values.count(name) ? std::optional(values[name].as<std::string>()) : std::nullopt;
    };
    options_.source = optional("source");
    options_.path_to = optional("path-to");
    options_.sources = values["sources"].as<std::uint64_t>();
    if (options_.source && !values["sources"].defaulted())
        throw cli::UsageError("--source is one vertex, --sources draws several: give one of them");
    options_.seed = values["seed"].as<std::uint64_t>();
    options_.repeats = values["repeat"].as<std::uint64_t>();
    options_.verify = values.count("verify") > 0;
    options_.tune_seconds = values["tune-seconds"].as<double>();
}

std::unique_ptr<RunOutcome> FrontierApplication::run(const Input& input,
                                                     const RunCallbacks& callbacks) const {
    return traverse(input, input.strategy, options_, callbacks);
}

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
    o.device =
        device == Device::reference ? DeviceInfo{"reference", "serial", 1, ""} : device_info(device, threads);
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

void FrontierApplication::describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const {
    header.seed = options_.seed;
    header.train_edges = input.graph().edges();
    header.parameters["axes"] = input.strategy.axes ? frontier::to_string(outcome_of(so_far).axes) : "";
    if (options_.source) header.parameters["source"] = *options_.source;
}

std::string FrontierApplication::workload(const RunHeader& header, const RunOutcome&) const {
    return fmt::format("{} vertices, {} edges", cli::grouped(header.rows), cli::grouped(header.edges));
}

Checked FrontierApplication::check(const Input&, const RunOutcome& outcome) const {
    const FrontierOutcome& o = outcome_of(outcome);
    return {o.problem,
            fmt::format(
                "no arc leads below the value of its head, and a path of its value to every vertex reached"
                ", from {} source{}",
                o.sources.size(), o.sources.size() == 1 ? "" : "s"),
            {{"sources", o.sources.size()}}};
}

std::vector<ResultColumn> FrontierApplication::columns(const RunOutcome& outcome) const {
    return outcome_of(outcome).columns;
}

Told FrontierApplication::tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const {
    const FrontierOutcome& o = outcome_of(outcome);
    const IdMap& ids = input.file.dataset.row_ids;
    Json sources = Json::array(), rounds = Json::array();
    std::vector<double> seconds, rates;
    double inverse = 0;
    for (const FromSource& s : o.sources) {
        seconds.push_back(s.seconds);
        rates.push_back(static_cast<double>(s.edges) / s.seconds);
        inverse += 1 / rates.back();
        sources.push_back({{"id", ids.name(s.source)},
                           {"seconds", s.seconds},
                           {"reached", s.reached},
                           {"edges", s.edges},
                           {"rounds", s.rounds},
                           {"teps", number_or_null(rates.back())}});
    }
    for (const frontier::Round& r : o.rounds)
        rounds.push_back({{"seconds", r.seconds},
                          {"direction", r.pull ? "pull" : "push"},
                          {"filter", frontier::name_of(r.filter)},
                          {"active", r.active},
                          {"arcs", r.arcs}});
    const double harmonic = static_cast<double>(o.sources.size()) / inverse, middle = median(seconds);
    Told told;
    told.metrics = {
        {"sources", sources},
        {"median_seconds", middle},
        {"teps", {{"harmonic_mean", number_or_null(harmonic)}, {"median", number_or_null(median(rates))}}},
        {"edges", header.edges},
        {"repeats", options_.repeats}};
    told.rounds = {{"launches", o.totals.launches},
                   {"worklist_atomics", o.totals.worklist_atomics},
                   {"registers", o.totals.registers},
                   {"parameters", header.parameters},
                   {"rounds", rounds}};
    const FromSource& first = o.sources.front();
    told.text = fmt::format("from {}: {} of {} vertices reached in {} rounds", ids.name(first.source),
                            cli::grouped(first.reached), cli::grouped(header.rows), first.rounds);
    if (o.sources.size() > 1)
        told.lines = fmt::format("median {} a source, {:.3g} edges/s (harmonic mean)\n",
                                 cli::duration(middle), harmonic);
    if (options_.path_to) {
        Json path = Json::array();
        std::string text;
        for (const VertexId v : o.path) {
            path.push_back(ids.name(v));
            text += ' ' + ids.name(v);
        }
        told.rounds["path"] = o.path.empty() ? Json(nullptr) : path;
        told.lines += o.path.empty() ? fmt::format("{} is not reached from {}\n", *options_.path_to,
                                                   ids.name(first.source))
                                     : "path:" + text + '\n';
    }
    return told;
}

}  // namespace lockstep
