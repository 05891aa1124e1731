#include "apps/pagerank/driver.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "apps/arc.hpp"
#include "apps/pagerank/reference.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep::pagerank {

namespace {

using OnRound = std::function<bool(const Round&)>;

/// A device that is ready to run: what it takes, and a run, which returns the ranks.
struct Ready {
    DeviceInfo device;
    EdgeId bytes;
    double transfer_seconds;
    std::function<std::vector<float>(const OnRound&, double* seconds)> run;
};

template <bool Prepared>
Ready ready(const ArcPlan& plan, Device device, const PageRankOptions& options) {
    using Op = PageRankOperator<Prepared>;
    const int threads = options.threads ? options.threads : omp_get_max_threads();
    const Op op(options, arcs_of(plan));
    const arc::Runner<Op> runner = arc_runner(device, plan, op, threads);
    return {device == Device::cuda ? cuda_device() : cpu_device(threads), runner.bytes,
            runner.transfer_seconds, [=](const OnRound& on_round, double* seconds) {
                const auto in_ranks = [&](const typename Op::Tally& tally, double of_round) {
                    return on_round({of_round, static_cast<double>(tally.change) * Op::unit,
                                     static_cast<double>(tally.dangling) * Op::unit});
                };
                return runner.run(op, in_ranks, seconds);
            }};
}

Ready reference(const Graph& graph, const PageRankOptions& options) {
    return {{"reference", "serial, double precision", 1, ""},
            4 * graph.edges() + 24 * EdgeId{graph.rows},
            0,
            [&](const OnRound& on_round, double* seconds) {
                double start = omp_get_wtime();
                *seconds = 0;
                const std::vector<double> ranks = reference_ranks(graph, options, [&](double change) {
                    const double of_round = omp_get_wtime() - start;
                    *seconds += of_round;
                    const bool more = on_round({of_round, change, 0});
                    start = omp_get_wtime();
                    return more;
                });
                return std::vector<float>(ranks.begin(), ranks.end());
            }};
}

}  // namespace

void check_options(const PageRankOptions& o) {
    const auto refuse = [](const std::string& message) { throw Error(Failure::usage, message); };
    if (!(o.damping >= 0 && o.damping < 1))
        refuse(fmt::format("the damping must be from 0 to below 1, not {:g}", o.damping));
    if (o.rounds < 1) refuse("at least one iteration is needed");
    if (!(o.tolerance >= 0) || !std::isfinite(o.tolerance)) refuse("the tolerance must not be negative");
    arc::VirtualWarps{o.warp_size ? o.warp_size : 1, o.chunk}.check();
    if (o.repeats < 1) refuse("at least one run is needed: --repeat 1");
    if (o.threads < 0) refuse("the number of threads must not be negative");
}

Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const Callbacks& callbacks) {
    check_options(options);
    Outcome outcome;
    const double start = omp_get_wtime();
    outcome.warps = {options.warp_size ? options.warp_size : arc::VirtualWarps::fitting_width(graph),
                     options.chunk};
    const ArcPlan plan = make_arc_plan(graph, strategy, schedule, outcome.warps);
    outcome.plan_seconds = omp_get_wtime() - start;
    outcome.measured = options.tolerance > 0;
    const Device device = usable_device(options.device, &outcome.device_note);
    const Ready on = device == Device::reference ? reference(graph, options)
                     : strategy.prepared         ? ready<true>(plan, device, options)
                                                 : ready<false>(plan, device, options);
    outcome.device = on.device;
    outcome.device_bytes = on.bytes;
    outcome.transfer_seconds = on.transfer_seconds;
    if (callbacks.on_start) callbacks.on_start(outcome);

    outcome.status = "ok";
    std::vector<double> seconds;
    for (std::uint64_t repeat = 0; repeat < options.repeats && outcome.status == "ok"; ++repeat) {
        outcome.rounds.clear();
        outcome.ranks = on.run(
            [&](const Round& r) {
                outcome.rounds.push_back(r);
                if (repeat == 0 && callbacks.on_round) callbacks.on_round(outcome.rounds.size(), r);
                if (!callbacks.interrupted || !callbacks.interrupted()) return true;
                outcome.status = "interrupted";
                return false;
            },
            &seconds.emplace_back());
        ContentHash hash;
        hash.add(std::span(std::as_const(outcome.ranks)));
        const std::string hex = hash.hex();
        if (repeat > 0 && hex != outcome.result_hash && outcome.status == "ok")
            throw Error(Failure::verification, fmt::format("run {} gave other ranks ({}) than the first ({})",
                                                           repeat + 1, hex, outcome.result_hash));
        outcome.result_hash = hex;
    }
    std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
    outcome.execute_seconds = seconds[seconds.size() / 2];
    return outcome;
}

}  // namespace lockstep::pagerank
