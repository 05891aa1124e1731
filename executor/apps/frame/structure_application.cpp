#include "apps/frame/structure_application.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <tuple>

#include "apps/frame/trials.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

const StructureOutcome& outcome_of(const RunOutcome& run) {
    return static_cast<const StructureOutcome&>(run);
}

}  // namespace

void StructureApplication::declare(cli::Options& basic, cli::Options& tuning) const {
    declare_results(basic);
    declare_tune(tuning);
    declare_repeat(tuning);
}

void StructureApplication::read(const cli::Values& values, Device device, int threads) {
    options_ = {device, threads, values["repeat"].as<std::uint64_t>(), values["tune-seconds"].as<double>()};
}

std::vector<std::string> StructureApplication::candidates(const ScheduleFileSummary& file, bool any_order,
                                                          bool gpu) const {
    std::vector<std::string> names{rule(file, gpu).first};
    const auto all = strategies(facts().strategies);
    for (auto s = all.rbegin(); s != all.rend(); ++s) {  // the table has the older ones first
        if (s->schedule && (any_order || !has_schedule(file, s->schedule))) continue;
        if (s->name != names[0]) names.emplace_back(s->name);
    }
    return distinct(std::move(names), gpu);
}

Choice StructureApplication::choose(const Request& request, const cli::Common&) const {
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    std::string note;
    const Device device = usable_device(options_.device, &note);
    const bool gpu = device == Device::cuda;
    return kept_or(rule(file, gpu), candidates(file, request.order.has_value(), gpu), facts().name,
                   device_info(device, options_.threads), graph_class(file));
}

Choice StructureApplication::tune(const Request& request, const cli::Common& common) const {
    const ScheduleFileSummary file = read_schedule_file_summary(request.file);
    std::string note;
    const bool gpu = usable_device(options_.device, &note) == Device::cuda;
    Trials trials(common, options_.tune_seconds);
    Request trial = request;
    for (const std::string& name : candidates(file, request.order.has_value(), gpu)) {
        trials.attempt(name, [&](Json& told) {
            const Strategy& strategy = find_strategy(name, facts().strategies);
            trial.strategy = name;
            auto outcome = solve(Input(trial, common, strategy), strategy, 3,
                                 {{}, {}, [] { return cli::pending_signal() != 0; }});
            told = {{"rounds", outcome->rounds}};
            return outcome;
        });
    }
    return trials.choice(facts().name, graph_class(file), true);
}

std::unique_ptr<RunOutcome> StructureApplication::run(const Input& input,
                                                      const RunCallbacks& callbacks) const {
    return solve(input, input.strategy, options_.repeats, callbacks);
}

std::unique_ptr<StructureOutcome> StructureApplication::solve(const Input& input, const Strategy& strategy,
                                                              std::uint64_t repeats,
                                                              const RunCallbacks& callbacks) const {
    const Graph& graph = input.graph();
    auto outcome = std::make_unique<StructureOutcome>();
    StructureOutcome& o = *outcome;
    const Device device = usable_device(options_.device, &o.device_note);
    const int threads = options_.threads ? options_.threads : omp_get_max_threads();
    const cli::Stopwatch planning;
    const structure::Runner runner = this->runner(input, strategy, device, threads);
    o.device = device_info(device, threads);
    o.device_bytes = runner.bytes;
    o.transfer_seconds = runner.transfer_seconds;
    o.plan_seconds = planning.seconds() - runner.transfer_seconds;
    if (callbacks.on_start) callbacks.on_start(o);

    std::vector<std::pair<double, double>> seconds;  // and those of the preparation
    structure::Solution first;
    while (seconds.size() < repeats && o.status == "ok") {
        structure::Solution solution;
        if (device == Device::reference) {
            const cli::Stopwatch watch;
            solution.values = reference(graph);
            solution.seconds = watch.seconds();
        } else {
            solution = runner.run();
        }
        if (callbacks.interrupted && callbacks.interrupted()) o.status = "interrupted";
        seconds.emplace_back(solution.seconds, solution.preparation);
        if (seconds.size() == 1)
            first = std::move(solution);
        else if (first.values != solution.values)
            throw Error(Failure::verification,
                        fmt::format("run {} gave another result than those before it", seconds.size()));
    }
    std::tie(o.execute_seconds, o.preparation_seconds) = median(std::move(seconds));
    o.rounds = first.rounds;
    o.columns = by_vertex(graph, std::move(first.values));
    ContentHash hash;
    for (const ResultColumn& column : o.columns)
        std::visit([&](const auto& v) { hash.add(std::span(v)); }, column.values);
    o.result_hash = hash.hex();
    o.sweeps.push_back({1, o.execute_seconds, {{"rounds", static_cast<double>(o.rounds)}}, graph.edges(), 1});
    if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
    return outcome;
}

std::shared_ptr<const structure::Undirected> StructureApplication::plan_of(const Input& input, bool weights) {
    const Schedule* const schedule = input.schedule();
    if (schedule && schedule->row_order.size() != input.graph().rows)
        throw ScheduleError("schedule \"" + schedule->name + "\" has no order of the vertices");
    const std::span<const VertexId> order = schedule ? schedule->row_order : std::span<const VertexId>();
    return std::make_shared<structure::Undirected>(structure::make_undirected(input.graph(), weights, order));
}

structure::Runner StructureApplication::by_rounds(
    const structure::Undirected& undirected,
    const std::function<frontier::Runner(const frontier::Expand&)>& of,
    const std::function<std::uint32_t(std::uint32_t)>& told) {
    if (!undirected.order.empty())
        throw cli::UsageError("--order does not apply to rounds over active vertices of this application");
    const auto plan = std::make_shared<frontier::Expand>();
    plan->vertices = undirected.vertices, plan->arcs = undirected.arcs(), plan->symmetric = true;
    plan->out = {undirected.offsets, undirected.ends, {}};
    const frontier::Runner runner = of(*plan);
    return {runner.bytes, runner.transfer_seconds, [plan, told, run = runner.run] {
                structure::Solution solution;
                if (plan->vertices == 0) return solution;
                frontier::Traversal t = run(0, {});
                solution.values = std::move(std::get<std::vector<std::uint32_t>>(t.values));
                solution.seconds = t.seconds, solution.rounds = t.rounds.size();
                for (std::uint32_t& value : solution.values) value = told ? told(value) : value;
                return solution;
            }};
}

structure::Runner StructureApplication::keeping(std::shared_ptr<const structure::Undirected> plan,
                                                structure::Runner runner) {
    return {runner.bytes, runner.transfer_seconds,
            [plan = std::move(plan), run = std::move(runner.run)] { return run(); }};
}

void StructureApplication::describe(const Input& input, RunHeader& header, const RunOutcome&) const {
    header.seed = seed();
    header.train_edges = input.graph().edges();
    for (const auto& [key, value] : parameters(input.strategy)) header.parameters[key] = value;
}

std::string StructureApplication::workload(const RunHeader& header, const RunOutcome&) const {
    return fmt::format("{} vertices, {} edges", cli::grouped(header.rows), cli::grouped(header.edges));
}

Checked StructureApplication::check(const Input& input, const RunOutcome& outcome) const {
    return {problem(input.graph(), outcome_of(outcome).columns), proof(), Json::object()};
}

std::vector<ResultColumn> StructureApplication::columns(const RunOutcome& outcome) const {
    return outcome_of(outcome).columns;
}

Told StructureApplication::tell(const Input& input, const RunHeader& header,
                                const RunOutcome& outcome) const {
    const StructureOutcome& o = outcome_of(outcome);
    auto [json, text] = summary(input.graph(), o.columns);
    Told told;
    told.metrics = json;
    told.metrics.update({{"median_seconds", o.execute_seconds},
                         {"rounds", o.rounds},
                         {"edges", header.edges},
                         {"repeats", options_.repeats}});
    told.rounds = {{"parameters", header.parameters}};
    told.text = text;
    if (o.preparation_seconds > 0) {
        told.metrics["preparation_seconds"] = o.preparation_seconds;
        told.text += fmt::format(", {} of it preparation", cli::duration(o.preparation_seconds));
    }
    return told;
}

}  // namespace lockstep
