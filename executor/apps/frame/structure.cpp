#include "apps/frame/structure.hpp"

#include <fmt/format.h>

#include <tuple>

#include "apps/frame/graph_application.hpp"
#include "apps/frame/rounds.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace {

struct StructureOutcome : RunOutcome {
    std::uint64_t rounds = 0;  ///< number of rounds that the strategy needed to compute the structure
    /// The part of the execution time in which the strategy prepared the graph, such as by sorting edges.
    double preparation_seconds = 0;
    /// Records of the rounds over active vertices in the last repeat, without values; nullopt for strategies
    /// that have no such rounds.
    std::optional<frontier::Traversal> each_round;
};

const StructureOutcome& structure_of(const RunOutcome& run) {
    return static_cast<const StructureOutcome&>(run);
}

class StructureApplication final : public GraphApplication {
public:
    StructureApplication(const Spec& spec, StructureParts parts)
        : GraphApplication(spec), parts_(std::move(parts)) {}

    void list(Fields& basic, Fields& more) override {
        if (parts_.list_options) parts_.list_options(basic, more);
        list_results(basic);
        GraphApplication::list(basic, more);
    }
    void settle(const Fields& given, Request& request, int threads) override {
        GraphApplication::settle(given, request, threads);
        if (parts_.settle_options) parts_.settle_options(given, results());
    }
    RunReport report_run(const Input& input, const RunHeader& header,
                         const RunOutcome& outcome) const override;

private:
    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) override;
    CheckResult check(const Input& input, const RunOutcome& outcome) const override {
        return {parts_.find_problem(input.graph(), outcome.columns), parts_.verified_property,
                nlohmann::ordered_json::object()};
    }
    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const override {
        RunText text = GraphApplication::describe(input, header, so_far);
        if (parts_.describe_run) parts_.describe_run(header);
        return text;
    }
    Rule choose_rule(const ScheduleFileSummary& file, bool gpu) const override {
        return parts_.choose_strategy(file, gpu);
    }
    bool pulls_on_cpu() const override { return parts_.pulls_on_cpu; }
    nlohmann::ordered_json trial_json(const RunOutcome& outcome) const override {
        return {{"rounds", structure_of(outcome).rounds}};
    }
    std::vector<std::string> axes() const override { return parts_.axes.empty() ? all_axes() : parts_.axes; }
    std::vector<std::string> axes_of_way(const Strategy& strategy) const override {
        const bool own = !goes_by_rounds(strategy) && !parts_.own_axes.empty();
        return strategy.axes && own ? parts_.own_axes : GraphApplication::axes_of_way(strategy);
    }
    /// Returns true if a strategy runs an operator in rounds over active vertices, instead of an algorithm
    /// for this structure.
    bool goes_by_rounds(const Strategy& strategy) const {
        return parts_.make_rounds && std::holds_alternative<std::monostate>(strategy.variant);
    }
    /// Returns the undirected graph. If the input has a schedule, the vertices have the schedule's order.
    structure::Undirected make_graph(const Input& input) const;

    const StructureParts parts_;
};

structure::Undirected StructureApplication::make_graph(const Input& input) const {
    const Schedule* const schedule = input.schedule();
    if (schedule && parts_.refusal_of_order) throw UsageError(parts_.refusal_of_order);
    if (schedule && schedule->row_order.size() != input.graph().rows)
        throw ScheduleError("schedule \"" + schedule->name + "\" has no order of the vertices");
    const std::span<const VertexId> order = schedule ? schedule->row_order : std::span<const VertexId>();
    return structure::make_undirected(input.graph(), parts_.weighted, order);
}

/// Makes a plan for rounds over active vertices. The arcs of `graph` are moved into the plan. Throws
/// UsageError if the vertices of `graph` have been reordered (--order).
frontier::Expand take_plan(structure::Undirected& graph) {
    if (!graph.order.empty())
        throw UsageError("--order does not apply to rounds over active vertices of this application");
    frontier::Expand plan;
    plan.vertices = graph.vertices, plan.arcs = graph.arcs(), plan.symmetric = true;
    plan.out = std::move(static_cast<Csr&>(graph));
    return plan;
}

/// Returns a runner that computes a structure by `rounds` over active vertices. Each run stores the records
/// of its rounds in `last`, without the values. If the graph has no vertices, nothing is run.
structure::Runner run_rounds(frontier::Runner rounds, VertexId vertices, const StructureParts& parts,
                             frontier::Traversal& last) {
    const auto solve = [run = std::move(rounds.run), vertices, &parts, &last] {
        structure::Solution solution;
        if (vertices == 0) return solution;
        last = run(0, {});
        solution.values = std::move(std::get<std::vector<std::uint32_t>>(last.values));
        solution.seconds = last.seconds, solution.rounds = last.rounds.size();
        if (parts.convert_value)
            std::ranges::transform(solution.values, solution.values.begin(), parts.convert_value);
        return solution;
    };
    return {rounds.bytes, rounds.transfer_seconds, solve};
}

std::unique_ptr<RunOutcome> StructureApplication::solve(const Input& input, const Strategy& strategy,
                                                        bool trial, const RunCallbacks& callbacks) {
    const Graph& graph = input.graph();
    auto outcome = std::make_unique<StructureOutcome>();
    StructureOutcome& o = *outcome;
    const Device device = usable_device(options().device, &o.device_note);
    const Stopwatch planning;
    const frontier::Axes axes = axes_of(strategy);
    structure::Undirected undirected = make_graph(input);
    const StructureRun run{strategy, undirected, axes, device, options().all_threads()};
    frontier::Expand plan;  // the plan, if the strategy runs in rounds over active vertices; otherwise empty
    frontier::Traversal rounds;  // records of the rounds over active vertices in the last repeat
    structure::Runner runner;
    if (goes_by_rounds(strategy)) {
        plan = take_plan(undirected);
        runner = run_rounds(parts_.make_rounds(run, plan), plan.vertices, parts_, rounds);
    } else {
        runner = parts_.make_runner(run);
    }
    if (device == Device::reference)
        runner.run = [&] {
            const Stopwatch watch;
            structure::Solution solution{parts_.compute_reference(graph)};
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
    if (goes_by_rounds(strategy) && device != Device::reference) o.each_round = std::move(rounds);
    o.columns = parts_.make_columns(graph, std::move(last.values));
    ContentHash hash;
    for (const ResultColumn& column : o.columns) add_to(hash, column.values);
    o.result_hash = hash.hex();
    Metrics metrics{{"rounds", static_cast<double>(o.rounds)}};
    if (o.each_round) add_metrics(metrics, o.each_round->totals), add_metrics(metrics, o.each_round->rounds);
    o.sweeps.push_back({1, o.execute_seconds, std::move(metrics), graph.edges(), 1});
    if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
    return outcome;
}

RunReport StructureApplication::report_run(const Input&, const RunHeader& header,
                                           const RunOutcome& outcome) const {
    const StructureOutcome& o = structure_of(outcome);
    auto [metrics, text] = parts_.summarize(o.columns);
    RunReport report;
    report.metrics = std::move(metrics);
    report.metrics.update({{"median_seconds", o.execute_seconds},
                           {"rounds", o.rounds},
                           {"edges", header.edges},
                           {"repeats", options().repeats}});
    report.rounds = {{"parameters", header.parameters}};
    if (o.each_round) {
        report.rounds.update(totals_json(o.each_round->totals));
        report.rounds["each_round"] = rounds_json(o.each_round->rounds);
    }
    report.text = text;
    if (o.preparation_seconds > 0) {
        report.metrics["preparation_seconds"] = o.preparation_seconds;
        report.text += fmt::format(", of which preparation took {}", text::duration(o.preparation_seconds));
    }
    return report;
}

}  // namespace

structure::RoundAxes StructureRun::round_axes() const {
    if (axes.loop != frontier::Loop::host && axes.loop != frontier::Loop::outlined)
        throw UsageError(fmt::format("{} does not support this --loop; use host or outlined", strategy.name));
    return {axes, static_cast<worklist::Append>(axes.append),
            axes.loop == frontier::Loop::host ? worklist::Loop::host : worklist::Loop::outlined};
}

std::unique_ptr<Application> make_structure(const Spec& spec, StructureParts parts) {
    return std::make_unique<StructureApplication>(spec, std::move(parts));
}

}  // namespace lockstep
