// Applications along arcs, from a schedule file's contents to a value a vertex, on the devices that every
// application can run on. Knows nothing of files or of the command line.
#pragma once

#include "apps/frame/repeats.hpp"
#include "lockstep/executor/arc/run.hpp"
#include "lockstep/executor/ranks.hpp"

namespace lockstep {

/// The options that all applications along arcs have.
struct ArcOptions : RunOptions {
    int warp_size = 0;  ///< size of a virtual warp in threads; 0 = chosen by the mean degree
    int chunk = 1;
    int gpus = 1;  ///< number of GPUs that share the edge tiles
    /// The maximum number of rounds per kernel launch; 0: as many as take half a second.
    unsigned launch_rounds = 0;
};
/// Throws Error (usage) on options that cannot be.
inline void check_options(const ArcOptions& options) {
    arc::VirtualWarps{options.warp_size ? options.warp_size : 1, options.chunk}.check();
    if (options.repeats < 1) throw Error(Failure::usage, "at least one run is needed: --repeat 1");
    if (options.gpus < 1) throw Error(Failure::usage, "the number of GPUs must be at least 1");
    if (options.threads < 0) throw Error(Failure::usage, "the number of threads must not be negative");
}

/// Refuses several GPUs or processes that could not share the work. Throws Error (usage, or no_device where
/// there are fewer GPUs).
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

/// What a run comes to: a value a vertex, after rounds that are told by a `Round` each.
struct ArcRun : RunOutcome {          // its execute_seconds: median over the repeats
    arc::VirtualWarps warps;          ///< as used, where the strategy has them
    std::vector<double> run_seconds;  ///< of each repeat
    bool same_bits = true;            ///< in every run
    std::vector<float> values;  ///< by vertex of the graph; the hash is theirs, for every strategy and order
};
template <class Round>
struct ArcOutcome : ArcRun {
    std::vector<Round> rounds;
};

/// On CUDA or the CPU. Source files of the application instantiate what is called here (arc/run.hpp).
template <ArcOperator Op>
arc::RunnerOf<Op> arc_runner(Device device, const ArcPlan& plan, const Op& op, int threads, int gpus = 1) {
    return on_device(
        device, [&] { return arc::on_cpu(plan, op, threads); }, [&] { return arc::on_cuda(plan, op, gpus); });
}

/// A serial reference as a Runner: `values(on_round)` are what it comes to.
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

/// The shape of virtual warps that the options ask for. Throws Error (usage) where the strategy has none.
inline arc::VirtualWarps warps_of(const Graph& graph, const Strategy& strategy, const ArcOptions& options) {
    if (!strategy.walk.virtual_warps && (options.warp_size || options.chunk != 1))
        throw Error(Failure::usage,
                    std::string("--warp-size and --chunk are for strategies with virtual warps, such as "
                                "push-warp; not for ") +
                        strategy.name);
    return {options.warp_size ? options.warp_size : arc::VirtualWarps::fitting_width(graph), options.chunk};
}

/// Plans, asks `make(device, plan, threads)` for a Runner, and runs it as often as the options say. A Round
/// has `seconds`, and `metrics(round)` says what else is told of it. Throws as warps_of, make_arc_plan,
/// check_devices and repeat. `schedule` is the strategy's own or a vertex order, nullptr for the given one.
/// `weighted`: the operator has `along`.
template <class Round, class Make, class RoundMetrics>
ArcOutcome<Round> run_arcs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                           const ArcOptions& options, const RunCallbacks& callbacks, Make make,
                           RoundMetrics metrics, bool weighted = false) {
    ArcOutcome<Round> o;
    const double start = omp_get_wtime();
    o.warps = warps_of(graph, strategy, options);
    ArcPlan plan = make_arc_plan(graph, strategy, schedule, o.warps, weighted);
    std::visit([&](auto& walk) { walk.launch_rounds = options.launch_rounds; }, plan);
    const double plan_seconds = omp_get_wtime() - start;
    const Device device = common_device(options.device, &o.device_note);
    check_devices(plan, device, options.gpus);
    const arc::Runner<float, Round> runner = make(device, plan, options.all_threads());
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
