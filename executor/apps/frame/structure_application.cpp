#include "apps/frame/structure_application.hpp"

#include <fmt/format.h>

#include <tuple>

#include "apps/frame/rounds.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace {

using Json = nlohmann::ordered_json;

const StructureOutcome& structure_of(const RunOutcome& run) {
    return static_cast<const StructureOutcome&>(run);
}

}  // namespace

void StructureApplication::list(Fields& basic, Fields& more) {
    list_results(basic);
    GraphApplication::list(basic, more);
}

std::unique_ptr<RunOutcome> StructureApplication::solve(const Input& input, const Strategy& strategy,
                                                        bool trial, const RunCallbacks& callbacks) {
    const Graph& graph = input.graph();
    auto outcome = std::make_unique<StructureOutcome>();
    StructureOutcome& o = *outcome;
    const Device device = usable_device(options().device, &o.device_note);
    const Stopwatch planning;
    StructureRunner runner = this->runner(input, strategy, device, options().all_threads());
    if (device == Device::reference)
        runner.run = [&] {
            const Stopwatch watch;
            structure::Solution solution{reference(graph)};
            solution.seconds = watch.seconds();
            return solution;
        };
    begin_runs(o, device_info(device, options().threads), planning.seconds() - runner.transfer_seconds,
               runner.bytes, runner.transfer_seconds, callbacks);

    structure::Solution last;
    std::tie(o.execute_seconds, o.preparation_seconds) =
        median(repeat(o, repeats(trial), callbacks, [&](bool) {
            last = runner.run();
            o.result_hash = hash_of(last.values);
            return std::pair(last.seconds, last.preparation);
        }));
    o.rounds = last.rounds;
    if (device != Device::reference) o.each_round = runner.rounds;
    o.columns = by_vertex(graph, std::move(last.values));
    ContentHash hash;
    for (const ResultColumn& column : o.columns) add_to(hash, column.values);
    o.result_hash = hash.hex();
    Metrics metrics{{"rounds", static_cast<double>(o.rounds)}};
    if (o.each_round) add_metrics(metrics, o.each_round->totals), add_metrics(metrics, o.each_round->rounds);
    o.sweeps.push_back({1, o.execute_seconds, std::move(metrics), graph.edges(), 1});
    if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
    return outcome;
}

Json StructureApplication::trial_json(const RunOutcome& outcome) const {
    return {{"rounds", structure_of(outcome).rounds}};
}

std::shared_ptr<const structure::Undirected> StructureApplication::plan_of(const Input& input, bool weights) {
    const Schedule* const schedule = input.schedule();
    if (schedule && schedule->row_order.size() != input.graph().rows)
        throw ScheduleError("schedule \"" + schedule->name + "\" has no order of the vertices");
    const std::span<const VertexId> order = schedule ? schedule->row_order : std::span<const VertexId>();
    return std::make_shared<structure::Undirected>(structure::make_undirected(input.graph(), weights, order));
}

structure::RoundAxes StructureApplication::round_axes(const Strategy& strategy) const {
    const frontier::Axes axes = axes_of(strategy);
    if (axes.loop != frontier::Loop::host && axes.loop != frontier::Loop::outlined)
        throw UsageError(
            fmt::format("{} has one kind of rounds: give --loop host or outlined", strategy.name));
    return {axes, static_cast<worklist::Append>(axes.append),
            axes.loop == frontier::Loop::host ? worklist::Loop::host : worklist::Loop::outlined};
}

StructureRunner StructureApplication::by_rounds(
    const structure::Undirected& undirected,
    const std::function<frontier::Runner(const frontier::Expand&)>& of,
    const std::function<std::uint32_t(std::uint32_t)>& told) {
    if (!undirected.order.empty())
        throw UsageError("--order does not apply to rounds over active vertices of this application");
    const auto plan = std::make_shared<frontier::Expand>();
    plan->vertices = undirected.vertices, plan->arcs = undirected.arcs(), plan->symmetric = true;
    plan->out = {undirected.offsets, undirected.ends, {}};
    const auto last = std::make_shared<frontier::Traversal>();
    const frontier::Runner runner = of(*plan);
    const auto solve = [plan, last, told, run = runner.run] {
        structure::Solution solution;
        if (plan->vertices == 0) return solution;
        *last = run(0, {});
        solution.values = std::move(std::get<std::vector<std::uint32_t>>(last->values));
        solution.seconds = last->seconds, solution.rounds = last->rounds.size();
        for (std::uint32_t& value : solution.values) value = told ? told(value) : value;
        return solution;
    };
    return {{runner.bytes, runner.transfer_seconds, solve}, last};
}

Checked StructureApplication::check(const Input& input, const RunOutcome& outcome) const {
    return {problem(input.graph(), outcome.columns), proof(), Json::object()};
}

Told StructureApplication::tell(const Input&, const RunHeader& header, const RunOutcome& outcome) const {
    const StructureOutcome& o = structure_of(outcome);
    auto [json, text] = summary(o.columns);
    Told told;
    told.metrics = json;
    told.metrics.update({{"median_seconds", o.execute_seconds},
                         {"rounds", o.rounds},
                         {"edges", header.edges},
                         {"repeats", options().repeats}});
    told.rounds = {{"parameters", header.parameters}};
    if (o.each_round) {
        told.rounds.update(totals_json(o.each_round->totals));
        told.rounds["each_round"] = rounds_json(o.each_round->rounds);
    }
    told.text = text;
    if (o.preparation_seconds > 0) {
        told.metrics["preparation_seconds"] = o.preparation_seconds;
        told.text += fmt::format(", {} of it preparation", text::duration(o.preparation_seconds));
    }
    return told;
}

}  // namespace lockstep
