// Applications along arcs, from a schedule file's contents to a value a vertex, on the devices that every
// application can run on. Knows nothing of files or of the command line.
#pragma once

#include <omp.h>

#include <algorithm>

#include "apps/frame/outcome.hpp"
#include "lockstep/executor/arc/run.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep {

/// What every application along arcs can be told.
struct ArcOptions {
    Device device = Device::automatic;
    int threads = 0;    ///< CPU threads; 0 = all
    int warp_size = 0;  ///< of virtual warps; 0 = by the mean degree
    int chunk = 1;
    std::uint64_t repeats = 1;
    int gpus = 1;  ///< that share edge tiles
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

/// What a run comes to: a `Value` a vertex, after rounds that are told by a `Round` each.
struct ArcRun : RunOutcome {          // its execute_seconds: median over the repeats
    arc::VirtualWarps warps;          ///< as used, where the strategy has them
    std::vector<double> run_seconds;  ///< of each repeat
};
template <class Value, class Round>
struct ArcOutcome : ArcRun {
    std::vector<Round> rounds;
    std::vector<Value> values;  ///< by vertex of the graph; the hash is theirs, for every strategy and order
};

/// On CUDA or the CPU. Source files of the application instantiate what is called here (arc/run.hpp).
template <ArcOperator Op>
arc::RunnerOf<Op> arc_runner(Device device, const ArcPlan& plan, const Op& op, int threads, int gpus = 1) {
#if defined(LOCKSTEP_HAS_CUDA)
    if (device == Device::cuda) return arc::on_cuda(plan, op, gpus);
#endif
    static_cast<void>(device), static_cast<void>(gpus);
    return arc::on_cpu(plan, op, threads);
}

/// A serial reference as a Runner: `values(on_round)` are what it comes to.
template <class Value, class Round, class Reference>
arc::Runner<Value, Round> reference_runner(const Graph& graph, Reference values) {
    const EdgeId bytes = 4 * graph.edges() + 24 * EdgeId{graph.rows};  // offsets and two vectors of doubles
    return {bytes, 0, [values](const auto& on_round, double* seconds) {
                *seconds = 0;
                const auto found = values([&](const Round& round) {
                    *seconds += round.seconds;
                    return on_round(round);
                });
                return std::vector<Value>(found.begin(), found.end());
            }};
}

/// Plans, asks `make(device, plan, threads)` for a Runner, and runs it as often as the options say. A Round
/// has `seconds`, and `metrics(round)` says what else is told of it. Throws as make_arc_plan, and Error
/// (verification) where repeats differ. `schedule` is the strategy's own or a vertex order, nullptr for the
/// given one. `weighted`: the operator has `along`.
template <class Value, class Round, class Make, class RoundMetrics>
ArcOutcome<Value, Round> run_arcs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                  const ArcOptions& options, const RunCallbacks& callbacks, Make make,
                                  RoundMetrics metrics, bool weighted = false) {
    ArcOutcome<Value, Round> outcome;
    const double start = omp_get_wtime();
    if (!strategy.walk.virtual_warps && (options.warp_size || options.chunk != 1))
        throw Error(Failure::usage,
                    std::string("--warp-size and --chunk are for strategies with virtual warps, "
                                "such as push-warp; not for ") +
                        strategy.name);
    outcome.warps = {options.warp_size ? options.warp_size : arc::VirtualWarps::fitting_width(graph),
                     options.chunk};
    const ArcPlan plan = make_arc_plan(graph, strategy, schedule, outcome.warps, weighted);
    outcome.plan_seconds = omp_get_wtime() - start;
    const Device device = common_device(options.device, &outcome.device_note);
    check_devices(plan, device, options.gpus);
    const int threads = options.threads ? options.threads : omp_get_max_threads();
    const arc::Runner<Value, Round> runner = make(device, plan, threads);
    outcome.device = device_info(device, threads, options.gpus * ranks().count());
    if (device == Device::reference) outcome.device.name += ", double precision";
    outcome.device_bytes = runner.bytes;
    outcome.transfer_seconds = runner.transfer_seconds;
    if (callbacks.on_start) callbacks.on_start(outcome);

    std::vector<double>& seconds = outcome.run_seconds;
    while (seconds.size() < options.repeats && outcome.status == "ok") {
        const bool repeated = !seconds.empty();
        outcome.rounds.clear();
        outcome.sweeps.clear();
        outcome.values = runner.run(
            [&](const Round& round) {
                outcome.rounds.push_back(round);
                outcome.sweeps.push_back(
                    {outcome.rounds.size(), round.seconds, metrics(round), graph.edges(), 1});
                if (!repeated && callbacks.on_round) callbacks.on_round(outcome.sweeps.back());
                if (callbacks.interrupted && callbacks.interrupted()) outcome.status = "interrupted";
                return outcome.status == "ok";
            },
            &seconds.emplace_back());
        ContentHash hash;
        hash.add(std::span<const Value>(outcome.values));
        const std::string first = std::exchange(outcome.result_hash, hash.hex());
        if (repeated && first != outcome.result_hash && outcome.status == "ok")
            throw Error(Failure::verification, "run " + std::to_string(seconds.size()) +
                                                   " gave another result (" + outcome.result_hash +
                                                   ") than those before (" + first + ")");
    }
    outcome.execute_seconds = median(seconds);
    return outcome;
}

}  // namespace lockstep
