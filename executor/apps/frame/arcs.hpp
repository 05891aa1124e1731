// Runs an application along arcs, such as PageRank: from a graph and a schedule in memory to one value per
// vertex, on a CPU, a GPU or several GPUs. This code uses neither files nor the command line.
#pragma once

#include "apps/frame/repeats.hpp"
#include "lockstep/executor/arc/run.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// Options of all applications along arcs.
struct ArcOptions : RunOptions {
    std::uint64_t rounds = 1;  ///< maximum number of rounds
    int warp_size = 0;         ///< number of threads in a virtual warp; 0: chosen by the mean degree
    int chunk = 1;             ///< number of consecutive vertices that a virtual warp fetches at a time
    int gpus = 1;              ///< number of GPUs that process the schedule's edge tiles together
    /// Maximum number of rounds per kernel launch; 0: as many rounds as take about half a second.
    unsigned launch_rounds = 0;
};
/// Throws Error (usage) if an option is out of range.
inline void check_options(const ArcOptions& options) {
    arc::VirtualWarps{options.warp_size ? options.warp_size : 1, options.chunk}.check();
    if (options.rounds < 1) throw Error(Failure::usage, "at least one iteration is needed");
    if (options.repeats < 1) throw Error(Failure::usage, "at least one run is needed: --repeat 1");
    if (options.gpus < 1) throw Error(Failure::usage, "the number of GPUs must be at least 1");
    if (options.threads < 0) throw Error(Failure::usage, "the number of threads must not be negative");
}

/// Verifies that the GPUs or processes of a run can share its work. Throws Error (usage) if they cannot, and
/// Error (no_device) if there are fewer than `gpus` GPUs.
inline void check_devices(const ArcPlan& plan, Device device, int gpus) {
    if (ranks().count() > 1 && (gpus > 1 || device == Device::reference))
        throw Error(Failure::usage,
                    "--gpus and --device reference require a single process; mpirun -n N uses N GPUs");
    if (gpus == 1) return;
    if (!std::holds_alternative<arc::Tiles>(plan))
        throw Error(Failure::usage,
                    "--gpus applies only to strategy edge-tiled, which divides its tiles among GPUs");
    if (device != Device::cuda) throw Error(Failure::usage, "--gpus needs --device cuda");
    require_gpus(gpus);
}

/// The outcome of a run along arcs, with one value per vertex. `execute_seconds` is the median over the
/// repeats of the computation.
struct ArcRun : RunOutcome {
    arc::VirtualWarps warps;          ///< shape of the virtual warps, if the strategy uses virtual warps
    std::vector<double> run_seconds;  ///< execution time of each repeat, in seconds
    /// Value of each vertex, indexed by the graph's vertices. The result hash is computed from these values,
    /// so it does not depend on the strategy or its vertex order.
    std::vector<float> values;
};
/// The outcome of a run with one record per round, whose type `Round` depends on the application.
template <class Round>
struct ArcOutcome : ArcRun {
    std::vector<Round> rounds;
};

/// Returns the function that runs an operator on CUDA or on the CPU. The templates `on_cpu` and `on_cuda`
/// that it calls are instantiated in the application's own source files (arc/run.hpp).
template <ArcOperator Op>
arc::RunnerOf<Op> arc_runner(Device device, const ArcPlan& plan, const Op& op, int threads, int gpus = 1) {
    return on_device(
        device, [&] { return arc::on_cpu(plan, op, threads); }, [&] { return arc::on_cuda(plan, op, gpus); });
}

/// Returns a Runner that computes the values with a serial reference: the function `values(on_round)`, which
/// calls `on_round` after each round.
template <class Round, class Reference>
arc::Runner<float, Round> reference_runner(const Graph& graph, Reference values) {
    // bytes of the offsets and of two vectors of doubles
    const EdgeId bytes = 4 * graph.edges() + 24 * EdgeId{graph.rows};
    return {bytes, 0, [values](const auto& on_round, double* seconds) {
                *seconds = 0;
                const auto found = values([&](const Round& round) {
                    *seconds += round.seconds;
                    return on_round(round);
                });
                return std::vector<float>(found.begin(), found.end());
            }};
}

/// Returns the shape of virtual warps that the options request. Throws Error (usage) if the options request a
/// shape, but the strategy has no virtual warps.
inline arc::VirtualWarps warps_of(const Graph& graph, const Strategy& strategy, const ArcOptions& options) {
    if (!strategy.walk.virtual_warps && (options.warp_size || options.chunk != 1))
        throw Error(Failure::usage, std::string("--warp-size and --chunk apply only to strategies with "
                                                "virtual warps, such as push-warp; not to ") +
                                        strategy.name);
    return {options.warp_size ? options.warp_size : arc::VirtualWarps::fitting_width(graph), options.chunk};
}

/// Makes the plan of a strategy and runs it `options.repeats` times.
/// - `schedule`: the schedule of the strategy, or a vertex order; nullptr: the vertices have the order of the
/// graph.
/// - `reference(on_round)` computes the values on the device `reference`.
/// - `make(plan, run)` constructs the operator for the plan and returns run(operator).
/// - `metrics(round)` returns the metrics of a round in addition to its `seconds`.
/// - `weighted`: whether the operator uses the weights of arcs (has a function `along`).
/// Throws the errors of check_options, warps_of, make_arc_plan, check_devices and repeat.
template <class Round, class Reference, class Make, class RoundMetrics>
ArcOutcome<Round> run_arcs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                           const ArcOptions& options, const RunCallbacks& callbacks, Reference reference,
                           Make make, RoundMetrics metrics, bool weighted = false) {
    check_options(options);
    ArcOutcome<Round> o;
    const double start = omp_get_wtime();
    o.warps = warps_of(graph, strategy, options);
    ArcPlan plan = make_arc_plan(graph, strategy, schedule, o.warps, weighted);
    std::visit([&](auto& walk) { walk.launch_rounds = options.launch_rounds; }, plan);
    const double plan_seconds = omp_get_wtime() - start;
    const Device device = common_device(options.device, &o.device_note);
    check_devices(plan, device, options.gpus);
    const auto run = [&](const auto& op) {
        return arc_runner(device, plan, op, options.all_threads(), options.gpus);
    };
    const arc::Runner<float, Round> runner =
        device == Device::reference ? reference_runner<Round>(graph, reference) : make(plan, run);
    DeviceInfo info = device_info(device, options.threads, options.gpus * ranks().count());
    if (device == Device::reference) info.name += ", double precision";
    o.same_bits = runner.same_bits;
    begin_runs(o, std::move(info), plan_seconds, runner.bytes, runner.transfer_seconds, callbacks);

    o.run_seconds = repeat(
        o, options.repeats, callbacks,
        [&](bool first) {
            o.rounds.clear();
            o.sweeps.clear();
            double seconds = 0;
            const auto on_round = [&](const Round& round) {
                o.rounds.push_back(round);
                o.sweeps.push_back({o.rounds.size(), round.seconds, metrics(round), graph.edges(), 1});
                if (first && callbacks.on_round) callbacks.on_round(o.sweeps.back());
                if (callbacks.interrupted && callbacks.interrupted()) o.status = "interrupted";
                return o.status == "ok";
            };
            o.values = runner.run(on_round, &seconds);
            o.result_hash = hash_of(o.values);
            return seconds;
        },
        !runner.same_bits);
    o.execute_seconds = median(o.run_seconds);
    return o;
}

}  // namespace lockstep
