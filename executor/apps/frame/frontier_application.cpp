#include "apps/frame/frontier_application.hpp"

#include <fmt/format.h>

#include "apps/frame/rounds.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

const FrontierOutcome& outcome_of(const RunOutcome& run) { return static_cast<const FrontierOutcome&>(run); }

}  // namespace

void FrontierApplication::list(Fields& basic, Fields& more) {
    basic.text("source", source_, "ID", "start at the vertex with this original ID");
    basic.number("sources", sources_, 1, 1'000'000,
                 "without --source: number of random source vertices; chosen by --seed among the vertices "
                 "with out-edges, and run one after another");
    basic.text(
        "path-to", path_to_, "ID",
        "print a shortest path to the vertex with this original ID; the path starts at the (first) source");
    list_seed(basic, seed_);
    list_results(basic);
    GraphApplication::list(basic, more);
}

void FrontierApplication::settle(const Fields& given, Request& request, int threads) {
    GraphApplication::settle(given, request, threads);
    if (source_ && given.is_given("sources"))
        throw UsageError("--source is one vertex, --sources draws several: give one of them");
}

RunText FrontierApplication::describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const {
    RunText words = GraphApplication::describe(input, header, so_far);
    header.sweeps = sources_;
    return words;
}

GraphApplication::Rule FrontierApplication::rule(const ScheduleFileSummary& file, bool gpu) const {
    const char* const hubs = spec().prepared;
    if (!gpu) return {"best", "both directions, and the order of the values where there are weights"};
    if (file.max_degree.both() <= 64 && file.edges <= 8 * EdgeId{file.rows}) {  // no vertex has many arcs
        if (schedule_in(file, "regions"))
            return {"regions", "few arcs at every vertex, and the file has the schedule regions"};
        return {"irgl-all", "few arcs at every vertex, so many small rounds: a push in one launch"};
    }
    if (schedule_in(file, hubs))
        return {hubs, std::string("some vertices have many arcs, and the file has the schedule ") + hubs};
    return {"best", "some vertices have many arcs, so few large rounds: both directions"};
}

bool FrontierApplication::suits(const Strategy& s) const {
    return s.walk != frontier::Hubs::facts || s.schedule == std::string_view(spec().prepared);
}

Json FrontierApplication::trial_json(const RunOutcome& outcome) const {
    const FrontierOutcome& o = outcome_of(outcome);
    return {{"rounds", o.rounds.size()},
            {"launches", o.totals.launches},
            {"worklist_atomics", o.totals.worklist_atomics},
            {"registers", o.totals.registers}};
}

std::map<std::string, std::string> FrontierApplication::parameters() const {
    if (!source_) return {};
    return {{"source", *source_}};
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

namespace {

/// Returns the metrics of all sources as JSON. `*harmonic` is the harmonic mean of the rates (edges per
/// second). It excludes sources that reach less than 1/100 of the maximum number of edges, since most of
/// their time is start-up time. `*middle` is the median time.
Json metrics_of(const FrontierOutcome& o, const IdMap& ids, double* harmonic, double* middle) {
    Json sources = Json::array();
    std::vector<double> seconds, rates;
    double inverse = 0;
    EdgeId most = 0, counted = 0;
    for (const FromSource& s : o.sources) most = std::max(most, s.edges);
    for (const FromSource& s : o.sources) {
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

void tell_path(const FrontierOutcome& o, const IdMap& ids, const std::string& to, Told& told) {
    Json path = Json::array();
    std::string text;
    for (const VertexId v : o.path) {
        path.push_back(ids.name(v));
        text += ' ' + ids.name(v);
    }
    told.rounds["path"] = o.path.empty() ? Json(nullptr) : path;
    told.lines += o.path.empty()
                      ? fmt::format("{} is not reached from {}\n", to, ids.name(o.sources.front().source))
                      : "path:" + text + '\n';
}

}  // namespace

Told FrontierApplication::tell(const Input& input, const RunHeader& header, const RunOutcome& outcome) const {
    const FrontierOutcome& o = outcome_of(outcome);
    const IdMap& ids = input.file.dataset.row_ids;
    double harmonic = 0, middle = 0;
    Told told;
    told.metrics = metrics_of(o, ids, &harmonic, &middle);
    told.metrics.update({{"edges", header.edges}, {"repeats", options().repeats}});
    told.rounds = totals_json(o.totals);
    told.rounds.update({{"parameters", header.parameters}, {"rounds", rounds_json(o.rounds)}});
    const FromSource& first = o.sources.front();
    told.text = fmt::format("from {}: {} of {} vertices reached in {} rounds", ids.name(first.source),
                            text::grouped(first.reached), text::grouped(header.rows), first.rounds);
    if (o.sources.size() > 1)
        told.lines = fmt::format("median {} a source, {:.3g} edges/s (harmonic mean)\n",
                                 text::duration(middle), harmonic);
    if (path_to_) tell_path(o, ids, *path_to_, told);
    return told;
}

}  // namespace lockstep
