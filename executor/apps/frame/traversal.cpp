// The common part of applications over active vertices, such as breadth-first search: selects the source
// vertices of a run, traverses the graph from each source, repeats and measures the traversals, verifies
// them, and reports the result.
#include "apps/frame/traversal.hpp"

#include <fmt/format.h>

#include <random>

#include "apps/frame/graph_application.hpp"
#include "apps/frame/results.hpp"
#include "apps/frame/rounds.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

/// Measurements of the traversals from one source.
struct SourceMeasurements {
    VertexId source = 0;
    double seconds = 0;    ///< median time of the traversals from this source, in seconds
    VertexId reached = 0;  ///< number of reached vertices, including the source
    /// Number of edges with a reached tail (TEPS convention: an undirected edge counts once).
    EdgeId edges = 0;
    std::uint64_t rounds = 0;
};

/// The outcome of a run with one or more sources.
struct TraversalOutcome : RunOutcome {
    std::vector<SourceMeasurements> sources;
    // The columns of the result and the next three members are those of the first source.
    std::vector<frontier::Round> rounds;
    frontier::Totals totals;
    /// Vertices of the path to the vertex of --path-to; empty if there is no path.
    std::vector<VertexId> path;

    /// Description of the first error that --verify found for any source; empty if there is none.
    std::string problem;
};

const TraversalOutcome& outcome_of(const RunOutcome& run) {
    return static_cast<const TraversalOutcome&>(run);
}

/// Returns the vertex whose original ID is the value of an option. Throws UsageError if there is no such
/// vertex.
VertexId find_vertex(const Input& input, const std::string& option, const std::string& id) {
    if (const auto vertex = input.file.dataset.row_ids.find(id)) return *vertex;
    throw UsageError(fmt::format("--{}: there is no vertex \"{}\" in {}; its ids are {}", option, id,
                                 input.file.summary.source.path, input.file.dataset.row_ids.describe()));
}

/// Returns `count` distinct random vertices with at least one out-arc, which depend only on the graph and the
/// seed; all such vertices if there are fewer.
std::vector<VertexId> sample_sources(const Graph& graph, std::uint64_t count, std::uint64_t seed) {
    std::vector<VertexId> drawn;
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (graph.row_offsets[v] != graph.row_offsets[v + EdgeId{1}]) drawn.push_back(v);
    }
    if (drawn.empty() && graph.rows) drawn.push_back(0);
    std::mt19937_64 random(seed);
    count = std::min<std::uint64_t>(count, drawn.size());
    // A random index is the high 64 bits of a 128-bit product. Distributions of the standard library would
    // give different vertices with different libraries.
    for (std::size_t i = 0; i < count; ++i)
        std::swap(drawn[i],
                  drawn[i + static_cast<std::size_t>(
                                static_cast<unsigned __int128>(random()) * (drawn.size() - i) >> 64)]);
    drawn.resize(count);
    return drawn;
}

/// Stores in `run` the number of vertices that a traversal reached, and the number of their edges.
template <class Value>
void measure_reach(const Graph& graph, const std::vector<Value>& values, SourceMeasurements& run) {
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

/// Returns the measurements of all sources as JSON. `*harmonic` receives the harmonic mean of the rates in
/// edges per second. Sources that reach fewer than 1/100 of the largest number of edges are excluded from the
/// mean, because most of their time is overhead. `*middle` receives the median time.
Json summarize_sources(const TraversalOutcome& o, const IdMap& ids, double* harmonic, double* middle) {
    Json sources = Json::array();
    std::vector<double> seconds, rates;
    double inverse = 0;
    EdgeId most = 0, counted = 0;
    for (const SourceMeasurements& s : o.sources) most = std::max(most, s.edges);
    for (const SourceMeasurements& s : o.sources) {
        seconds.push_back(s.seconds);
        rates.push_back(static_cast<double>(s.edges) / s.seconds);
        if (s.edges > 0 && s.edges >= most / 100) inverse += 1 / rates.back(), ++counted;
        sources.push_back({{"id", ids.name(s.source)},
                           {"seconds", s.seconds},
                           {"reached", s.reached},
                           {"edges", s.edges},
                           {"rounds", s.rounds},
                           {"teps", number_or_null(rates.back())}});
    }
    *harmonic = counted ? static_cast<double>(counted) / inverse : 0, *middle = median(seconds);
    return {{"sources", sources},
            {"median_seconds", *middle},
            {"teps",
             {{"harmonic_mean", number_or_null(*harmonic)},
              {"counted", counted},
              {"median", number_or_null(median(rates))}}}};
}

/// Adds the path to the vertex `to` (--path-to) to the JSON, and prints it after the closing line.
void report_path(const TraversalOutcome& o, const IdMap& ids, const std::string& to, RunReport& report) {
    Json path = Json::array();
    std::string text;
    for (const VertexId v : o.path) {
        path.push_back(ids.name(v));
        text += ' ' + ids.name(v);
    }
    report.rounds["path"] = o.path.empty() ? Json(nullptr) : path;
    report.lines += o.path.empty()
                        ? fmt::format("{} is not reached from {}\n", to, ids.name(o.sources.front().source))
                        : "path:" + text + '\n';
}

/// An application over active vertices, with the options of one run.
class TraversalApplication final : public GraphApplication {
public:
    TraversalApplication(const Spec& spec, TraversalParts parts)
        : GraphApplication(spec), parts_(std::move(parts)) {}

    void list(Fields& basic, Fields& more) override {
        basic.text("source", source_, "ID", "start at the vertex with this original ID");
        basic.number(
            "sources", sources_, 1, 1'000'000,
            "without --source: number of random source vertices; chosen by --seed among the vertices "
            "with out-edges, and run one after another");
        basic.text("path-to", path_to_, "ID",
                   "print a shortest path to the vertex with this original ID; the path starts at the "
                   "(first) source");
        list_seed(basic, seed_);
        list_results(basic);
        GraphApplication::list(basic, more);
        if (parts_.list_options) parts_.list_options(basic);
    }

    void settle(const Fields& given, Request& request, int threads) override {
        GraphApplication::settle(given, request, threads);
        if (source_ && given.is_given("sources"))
            throw UsageError(
                "--source (one vertex) and --sources (several random vertices) exclude each other; give one "
                "of them");
    }

    RunReport report_run(const Input& input, const RunHeader& header,
                         const RunOutcome& outcome) const override {
        const TraversalOutcome& o = outcome_of(outcome);
        const IdMap& ids = input.file.dataset.row_ids;
        double harmonic = 0, middle = 0;
        RunReport report;
        report.metrics = summarize_sources(o, ids, &harmonic, &middle);
        report.metrics.update({{"edges", header.edges}, {"repeats", options().repeats}});
        report.rounds = totals_json(o.totals);
        report.rounds.update({{"parameters", header.parameters}, {"rounds", rounds_json(o.rounds)}});
        const SourceMeasurements& first = o.sources.front();
        report.text =
            fmt::format("from {}: {} of {} vertices reached in {} rounds", ids.name(first.source),
                        text::group_digits(first.reached), text::group_digits(header.rows), first.rounds);
        if (o.sources.size() > 1)
            report.lines = fmt::format("median {} per source, {:.3g} edges/s (harmonic mean)\n",
                                       text::duration(middle), harmonic);
        if (path_to_) report_path(o, ids, *path_to_, report);
        return report;
    }

private:
    /// The source vertices and the target vertex of one run.
    struct Query {
        std::vector<VertexId> sources;
        std::optional<VertexId> target;
        bool verify = false;
    };

    /// Returns the sources and the target that the options select. A trial of --strategy tune uses only one
    /// source, no target and no check.
    Query make_query(const Input& input, bool trial) const {
        const Graph& graph = input.graph();
        if (graph.rows == 0) throw FormatError(input.file.summary.source.path, "has no vertex to start from");
        Query query{{}, {}, results().verify && !trial};
        if (source_)
            query.sources = {find_vertex(input, "source", *source_)};
        else
            query.sources = sample_sources(graph, trial ? 1 : sources_, seed_);
        if (path_to_ && !trial) query.target = find_vertex(input, "path-to", *path_to_);
        return query;
    }

    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) override {
        const Graph& graph = input.graph();
        auto outcome = std::make_unique<TraversalOutcome>();
        TraversalOutcome& o = *outcome;
        const frontier::Axes axes = axes_of(strategy);
        const Stopwatch planning;
        const frontier::FrontierPlan plan =
            frontier::make_frontier_plan(graph, strategy, input.schedule(), {parts_.weighted, axes.pulls()});
        const double plan_seconds = planning.seconds();
        const Query query = make_query(input, trial);

        const Device device = usable_device(options().device, &o.device_note);
        frontier::Runner runner = parts_.make_runner(input, device, plan, axes, options().all_threads());
        if (device == Device::reference) {
            runner.run = [&](VertexId source, const auto&) {
                const Stopwatch watch;
                frontier::Traversal traversal{parts_.compute_reference(graph, source), {}, {}, 0};
                traversal.seconds = watch.seconds();
                return traversal;
            };
        }
        begin_runs(o, device_info(device, options().threads), plan_seconds, runner.bytes,
                   runner.transfer_seconds, callbacks);

        ContentHash hash;
        for (std::size_t i = 0; i < query.sources.size() && o.status == "ok"; ++i) {
            SourceMeasurements from{query.sources[i]};
            frontier::Traversal t;
            from.seconds = median(repeat(o, repeats(trial), callbacks, [&](bool) {
                t = runner.run(from.source, callbacks.interrupted);
                o.result_hash = hash_of(t.values);
                return t.seconds;
            }));
            add_to(hash, t.values);
            add_traversal(graph, std::move(t), from, query, o);
            for (std::size_t c = 1; i == 0 && c < o.columns.size(); ++c) add_to(hash, o.columns[c].values);
            if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
        }
        o.result_hash = hash.hex();
        return outcome;
    }

    /// Adds the traversal from one source to the outcome: its measurements and the result of its check. The
    /// traversal from the first source also gives the result columns and the path.
    void add_traversal(const Graph& graph, frontier::Traversal t, SourceMeasurements from, const Query& query,
                       TraversalOutcome& o) const {
        from.rounds = t.rounds.size();
        std::visit([&](const auto& values) { measure_reach(graph, values, from); }, t.values);
        if (query.verify && o.problem.empty() && o.status == "ok") {
            const Stopwatch checking;
            o.problem = parts_.find_problem(graph, from.source, t.values);
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
            if (query.target) o.path = parts_.find_path(graph, from.source, *query.target, t.values);
            if (parts_.compute_columns) o.columns = parts_.compute_columns(graph, from.source, t.values);
            const auto first = [&](auto& v) { return ResultColumn{spec().result, std::move(v), "inf"}; };
            o.columns.insert(o.columns.begin(), std::visit(first, t.values));
            o.rounds = std::move(t.rounds), o.totals = t.totals;
        }
        o.sweeps.push_back({o.sources.size(), from.seconds, std::move(metrics), from.edges, 1});
    }

    CheckResult check(const Input&, const RunOutcome& outcome) const override {
        const TraversalOutcome& o = outcome_of(outcome);
        return {o.problem,
                fmt::format("no arc gives its target a smaller value, and each reached vertex has a path "
                            "with its value, from {} source{}",
                            o.sources.size(), o.sources.size() == 1 ? "" : "s"),
                {{"sources", o.sources.size()}}};
    }

    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const override {
        RunText text = GraphApplication::describe(input, header, so_far);
        header.seed = seed_, header.sweeps = sources_;
        if (source_) header.parameters["source"] = *source_;
        return text;
    }

    /// Chooses a strategy by the degrees of the graph. If all degrees are small (as in road networks), a
    /// traversal has many short rounds; if some degrees are large, it has few long rounds. On a CPU, always
    /// chooses the generic strategy, which both pushes and pulls.
    Rule choose_rule(const ScheduleFileSummary& file, bool gpu) const override {
        const char* const hubs = spec().prepared;
        if (!gpu) return {"best", "push and pull; with weights, smaller values first"};
        // no vertex has many arcs, and the mean degree is small
        if (file.max_degree.both() <= 64 && file.edges <= 8 * EdgeId{file.rows}) {
            if (schedule_in(file, "regions"))
                return {"regions", "all degrees are small, and the file has the schedule regions"};
            return {"irgl-all",
                    "all degrees are small, so there are many small rounds: push in one kernel launch"};
        }
        if (schedule_in(file, hubs))
            return {hubs, std::string("some degrees are large, and the file has the schedule ") + hubs};
        return {"best", "some degrees are large, so there are few large rounds: push and pull"};
    }
    bool is_applicable(const Strategy& s) const override {
        return s.walk != frontier::Hubs::facts || s.schedule == std::string_view(spec().prepared);
    }
    Json trial_json(const RunOutcome& outcome) const override {
        const TraversalOutcome& o = outcome_of(outcome);
        return {{"rounds", o.rounds.size()},
                {"launches", o.totals.launches},
                {"worklist_atomics", o.totals.worklist_atomics},
                {"registers", o.totals.registers}};
    }
    std::vector<std::string> axes() const override { return all_axes(); }
    bool by_priority() const override { return parts_.by_priority; }

    TraversalParts parts_;
    /// Original IDs of the source and of the target of the path, if they are given.
    std::optional<std::string> source_, path_to_;
    /// Number of sources that are drawn at random if --source is not given, and the seed of the draw.
    std::uint64_t sources_ = 1, seed_ = 1;
};

}  // namespace

std::unique_ptr<Application> make_traversal(const Spec& spec, TraversalParts parts) {
    return std::make_unique<TraversalApplication>(spec, std::move(parts));
}

}  // namespace lockstep
