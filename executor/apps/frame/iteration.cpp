#include "apps/frame/iteration.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "apps/frame/arc_work.hpp"
#include "apps/frame/graph_application.hpp"

namespace lockstep {

using Json = nlohmann::ordered_json;

ArcCheck check_values(const std::vector<float>& values, const std::vector<double>& expected,
                      const char* value, const std::vector<double>& rounding) {
    constexpr double max_distance = 1e-6, max_error = 1e-5, least = 1e-12;
    ArcCheck check;
    if (values.size() != expected.size()) {
        check.problem =
            fmt::format("there are {} {}s for {} vertices", values.size(), value, expected.size());
        return check;
    }
    const double whole = std::accumulate(expected.begin(), expected.end(), 0.0);
    const double allowed = std::accumulate(rounding.begin(), rounding.end(), 0.0);
    double most = 0;  // maximum relative error of the values that exceed their tolerance
    std::size_t wrong = values.size();
    for (std::size_t v = 0; v < values.size(); ++v) {
        const double given{values[v]}, distance = std::fabs(given - expected[v]);
        check.sum += given;
        check.distance += distance;
        const double error = distance <= least * whole ? 0 : distance / expected[v];
        // written as a negation, so that a NaN counts as the largest error
        if (!(error <= check.worst)) check.worst = error;
        const double rounded = rounding.empty() ? 0 : rounding[v] / expected[v];
        if (!(error <= max_error + rounded) && !(error <= most)) most = error, wrong = v;
    }
    if (whole > 0) check.distance /= whole, check.allowed = allowed / whole;
    if (!(check.distance <= max_distance + check.allowed)) {
        check.problem = fmt::format("the error of the {}s is {:.3g} of their sum; expected at most {:g}",
                                    value, check.distance, max_distance + check.allowed);
    } else if (wrong < values.size()) {
        check.problem = fmt::format("the {} of vertex {} is {:g}; expected {:g}", value, wrong, values[wrong],
                                    expected[wrong]);
    }
    return check;
}

CheckResult report_check(const ArcCheck& c) {
    CheckResult check_result{
        c.problem,
        fmt::format("L1 error {:.2g} of the sum, maximum relative error {:.2g} at one vertex; sum {:.9f}",
                    c.distance, c.worst, c.sum),
        {{"distance", number_or_null(c.distance)}, {"worst", number_or_null(c.worst)}, {"sum", c.sum}}};
    if (c.allowed != 0) {
        check_result.text += fmt::format(", allowed rounding error of float sums {:.2g}", c.allowed);
        check_result.json["rounding"] = number_or_null(c.allowed);
    }
    if (c.residual) {
        check_result.text += fmt::format(", residual {:.2g}", *c.residual);
        check_result.json["residual"] = *c.residual;
    }
    return check_result;
}

namespace {

class IterationApplication final : public GraphApplication {
public:
    IterationApplication(const Spec& spec, IterationParts parts)
        : GraphApplication(spec), parts_(std::move(parts)) {}

    void list(Fields& basic, Fields& more) override {
        parts_.list(basic, more);
        list_iterations(basic, iterations_);
        list_results(basic);
        more.number(
                "warp-size", arc_options_.warp_size, 0, 64,
                "push-warp, pull-warp, pull-nodiv-warp: threads per vertex, 1, 2, 4, … 64; 0 = chosen by the "
                "mean degree")
            .for_gpu();
        more.number(
                "launch-rounds", arc_options_.launch_rounds, 0, 4096,
                "maximum number of iterations per kernel launch: 1 = one launch per iteration; 0 = as many "
                "as take half a second")
            .for_gpu();
        more.number("gpus", arc_options_.gpus, 1, 64, "edge-tiled: number of GPUs, which share the tiles");
        list_chunk(more, arc_options_.chunk);
        GraphApplication::list(basic, more);
    }

    void settle(const Fields& given, Request& request, int threads) override {
        GraphApplication::settle(given, request, threads);
        static_cast<RunOptions&>(arc_options_) = options();
        check_options(arc_options_);
        arc_options_.rounds = iterations_.value_or(parts_.settle());
    }

    /// Runs the candidate strategies and chooses the fastest, for --strategy tune (`by_trial`). On a GPU,
    /// uses the rest of the tuning time to try other shapes of virtual warps: numbers of threads, and numbers
    /// of vertices per fetch.
    Choice choose(const Request& request, const Common& common, bool by_trial) override {
        const Stopwatch watch;
        Choice choice = GraphApplication::choose(request, common, by_trial);
        const double left = options().tune_seconds - watch.seconds();
        std::string note;
        if (by_trial && left > 0 && !has_shape() && arc_options_.gpus == 1 &&
            usable_device(options().device, &note) == Device::cuda)
            tune_shapes(request, common, left, choice);
        return choice;
    }

    RunReport report_run(const Input& input, const RunHeader& header,
                         const RunOutcome& outcome) const override {
        const arc::Work work = arc::work_of(input.strategy, header.rows, header.edges);
        Json rounds = Json::array();
        for (const SweepRecord& round : outcome.sweeps) {
            Json& json = rounds.emplace_back(Json{{"seconds", round.seconds}});
            for (const Metric& m : round.metrics) json[m.name] = number_or_null(m.value);
        }
        const auto& run = static_cast<const ArcRun&>(outcome);
        RunReport report;
        // several repeats indicate a measurement, for which the rate of a copy is reported too
        if (arc_options_.repeats > 1 && header.device.kind == "cuda")
            report.device = {{"copy_bytes_per_second", cuda_copy_rate()}};
        report.metrics = {{"iterations", outcome.sweeps.size()},
                          {"processes", ranks().count()},
                          {"repeats", arc_options_.repeats},
                          {"run_seconds", run.run_seconds},
                          {"edges", header.edges}};
        report.rounds = {{"work",
                          {{"reads", work.reads},
                           {"writes", work.writes},
                           {"atomics", work.atomics},
                           {"bytes", work.bytes}}},
                         {"parameters", header.parameters},
                         {"rounds", rounds}};
        const auto millions = [](EdgeId count) { return static_cast<double>(count) / 1e6; };
        report.lines = fmt::format(
            "work of an iteration, by the model: {:.2f} M reads, {:.2f} M writes, {:.2f} M atomics\n",
            millions(work.reads), millions(work.writes), millions(work.atomics));
        parts_.add_to_report(run, report);
        return report;
    }

private:
    std::unique_ptr<RunOutcome> solve(const Input& input, const Strategy& strategy, bool trial,
                                      const RunCallbacks& callbacks) override {
        ArcOptions own = arc_options_;
        own.repeats = repeats(trial);
        if (tuned_ && strategy.walk.virtual_warps) own.warp_size = tuned_->width, own.chunk = tuned_->chunk;
        auto run = std::make_unique<ArcRun>(parts_.run(input, strategy, own, callbacks));
        run->columns = {{spec().result, std::move(run->values)}};
        return run;
    }

    CheckResult check(const Input& input, const RunOutcome& outcome) const override {
        return parts_.check(input.graph(), std::get<std::vector<float>>(outcome.columns.front().values),
                            static_cast<const ArcRun&>(outcome));
    }

    RunText describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const override {
        RunText text = GraphApplication::describe(input, header, so_far);
        header.sweeps = arc_options_.rounds;
        header.parameters.merge(parts_.parameters());
        if (arc_options_.gpus > 1) header.parameters["gpus"] = std::to_string(arc_options_.gpus);
        if (ranks().count() > 1) header.parameters["processes"] = std::to_string(ranks().count());
        if (input.strategy.walk.virtual_warps) {
            const arc::VirtualWarps& warps = static_cast<const ArcRun&>(so_far).warps;
            header.parameters["warp_size"] = std::to_string(warps.width);
            header.parameters["chunk"] = std::to_string(warps.chunk);
        }
        return text;
    }

    Rule choose_rule(const ScheduleFileSummary& file, bool) const override {
        if (has_shape()) return {"pull-nodiv-warp", "minimum work among the strategies with virtual warps"};
        if (arc_options_.gpus > 1) return {"edge-tiled", "the only strategy that runs on several GPUs"};
        return arc::choose_walk(file.max_degree, file.rows, file.edges,
                                [&](const char* schedule) { return schedule_in(file, schedule) != nullptr; });
    }

    /// Returns true if the strategy supports the options --gpus, --warp-size and --chunk, as far as they are
    /// given.
    bool is_applicable(const Strategy& strategy) const override {
        return (arc_options_.gpus == 1 || strategy.walk == arc::Tiles::facts) &&
               (!has_shape() || strategy.walk.virtual_warps);
    }

    std::string task() const override {
        return spec().name + std::string(has_shape() || arc_options_.gpus > 1 ? "-given" : "") +
               parts_.task_suffix();
    }

    bool has_shape() const { return arc_options_.warp_size || arc_options_.chunk != 1; }

    /// Searches for better shapes of virtual warps after the trials of the strategies: for each strategy in
    /// the trials that uses virtual warps, the fastest strategy first.
    void tune_shapes(const Request& request, const Common& common, double seconds, Choice& choice) {
        const Stopwatch watch;
        Json& tried = choice.json["tried"];
        double least = std::numeric_limits<double>::infinity();
        std::map<double, const Strategy*> starts;
        for (const Json& one : tried) {
            if (one["seconds"].is_null()) continue;
            const Strategy& strategy = find_strategy(one["strategy"].get<std::string>(), spec().strategies);
            least = std::min(least, one["seconds"].get<double>());
            if (strategy.walk.virtual_warps) starts.emplace(one["seconds"].get<double>(), &strategy);
        }
        Trials trials(common, seconds);
        std::optional<Input> input;
        std::optional<arc::VirtualWarps> found;
        bool any = false;
        for (const auto& [start, strategy_of_start] : starts) {
            const Strategy& strategy = *strategy_of_start;
            Request trial = request;
            trial.strategy = strategy.name;
            if (!input) input.emplace(trial, common, strategy);
            const auto measure = [&](arc::VirtualWarps warps) -> std::optional<double> {
                if (watch.seconds() >= seconds) return {};
                std::optional<double> taken;
                const std::string text =
                    fmt::format("{} --warp-size {} --chunk {}", strategy.name, warps.width, warps.chunk);
                trials.attempt(text, [&](Json&) {
                    tuned_ = warps;
                    auto outcome =
                        solve(*input, strategy, true, {{}, {}, [] { return pending_signal() != 0; }});
                    taken = outcome->execute_seconds, any = true;
                    return outcome;
                });
                if (!taken || *taken >= least) return taken;
                least = *taken, found = warps;
                choice.strategies = {strategy.name};
                choice.reason = text;
                return taken;
            };
            arc::find_faster_shape({arc::VirtualWarps::fitting_width(input->graph()), 1}, start, measure);
        }
        tuned_ = found;
        if (!any) return;
        const Choice of_shapes = trials.choice(spec().name, {}, false);
        for (const Json& one : of_shapes.json["tried"]) tried.push_back(one);
        if (!found) return;
        const std::string reason = fmt::format("the fastest of {} tried", tried.size());
        choice.reason += ": " + reason;
        choice.parameter = {"chosen_for", reason};
    }

    IterationParts parts_;
    ArcOptions arc_options_;
    std::optional<std::uint64_t> iterations_;  ///< value of --iterations; nullopt if the option is not given
    /// Shape of virtual warps that choose() has found by trial, for the run that follows.
    std::optional<arc::VirtualWarps> tuned_;
};

}  // namespace

std::unique_ptr<Application> make_iteration(const Spec& spec, IterationParts parts) {
    return std::make_unique<IterationApplication>(spec, std::move(parts));
}

}  // namespace lockstep
