// Runs applications along arcs: from the contents of a schedule file to one value per vertex, on every
// device. Uses neither files nor the command line.
#pragma once

#include "apps/frame/repeats.hpp"
#include "lockstep/executor/arc/run.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// Options of all applications along arcs.
struct ArcOptions : RunOptions {
    std::uint64_t rounds = 1;  ///< maximum number of rounds
    int warp_size = 0;         ///< size of a virtual warp in threads; 0 = chosen by the mean degree
    int chunk = 1;             ///< number of vertices that a virtual warp takes at a time
    int gpus = 1;              ///< number of GPUs that share the edge tiles
    /// Maximum number of rounds per kernel launch; 0: as many as take half a second
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

/// Throws Error (usage) if there are several GPUs or processes that cannot share the work, and Error
/// (no_device) if there are fewer than `gpus` GPUs.
inline void check_devices(const ArcPlan& plan, Device device, int gpus) {
    if (ranks().count() > 1 && (gpus > 1 || device == Device::reference))
        throw Error(Failure::usage,
                    "--gpus and --device reference are of one process: mpirun -n N has N GPUs");
    if (gpus == 1) return;
    if (!std::holds_alternative<arc::Tiles>(plan))
        throw Error(Failure::usage, "--gpus is for strategy edge-tiled, whose tiles GPUs can share");
    if (device != Device::cuda) throw Error(Failure::usage, "--gpus needs --device cuda");
    require_gpus(gpus);
}

/// The outcome of a run along arcs: one value per vertex. `execute_seconds` is the median over the repeats.
struct ArcRun : RunOutcome {
    arc::VirtualWarps warps;          ///< shape of the virtual warps, if the strategy has them
    std::vector<double> run_seconds;  ///< time of each repeat
    /// Values by vertex of the graph. The result hash is computed from them, for every strategy and order.
    std::vector<float> values;
};
/// The outcome with the reports of its rounds.
template <class Round>
struct ArcOutcome : ArcRun {
    std::vector<Round> rounds;
};

/// Returns the runner of an operator on CUDA or on the CPU. The application's source files instantiate the
/// functions that are called here (arc/run.hpp).
template <ArcOperator Op>
arc::RunnerOf<Op> arc_runner(Device device, const ArcPlan& plan, const Op& op, int threads, int gpus = 1) {
    return on_device(
        device, [&] { return arc::on_cpu(plan, op, threads); }, [&] { return arc::on_cuda(plan, op, gpus); });
}

/// Returns a Runner that calls a serial reference: `values(on_round)` returns the values.
template <class Round, class Reference>
arc::Runner<float, Round> reference_runner(const Graph& graph, Reference values) {
    const EdgeId bytes = 4 * graph.edges() + 24 * EdgeId{graph.rows};  // offsets and two vectors of doubles
    return {bytes, 0, [values](const auto& on_round, double* seconds) {
                *seconds = 0;
                const auto found = values([&](const Round& round) {
                    *seconds += round.seconds;
                    return on_round(round);
                });
                return std::vector<float>(found.begin(), found.end());
            }};
}

/// Returns the shape of virtual warps that the options define. Throws Error (usage) if the options define
/// one, but the strategy has no virtual warps.
inline arc::VirtualWarps warps_of(const Graph& graph, const Strategy& strategy, const ArcOptions& options) {
    if (!strategy.walk.virtual_warps && (options.warp_size || options.chunk != 1))
        throw Error(Failure::usage,
                    std::string("--warp-size and --chunk are for strategies with virtual warps, such as "
                                "push-warp; not for ") +
                        strategy.name);
    return {options.warp_size ? options.warp_size : arc::VirtualWarps::fitting_width(graph), options.chunk};
}

/// Makes a plan and runs it options.repeats times. `make(plan, run)` returns run(op) for the operator; on the
/// device `reference`, `reference(on_round)` returns the values instead. A Round has `seconds`;
/// `metrics(round)` returns its other metrics. `schedule` is the schedule of the strategy or a vertex order;
/// nullptr: the order of the graph. `weighted`: whether the operator has `along`. Throws the errors of
/// check_options, warps_of, make_arc_plan, check_devices and repeat.
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
