#include "apps/frame/frontier_application.hpp"

#include <fmt/format.h>

namespace lockstep {

namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

const FrontierOutcome& outcome_of(const RunOutcome& run) { return static_cast<const FrontierOutcome&>(run); }

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
