#include "apps/pagerank/driver.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "apps/pagerank/reference.hpp"
#include "lockstep/formats/hash.hpp"

namespace lockstep::pagerank {

namespace {

/// Half the mean degree, as a power of two: a target's arcs are then read in about two steps.
int fitting_warp(const Graph& graph) {
    const EdgeId mean = graph.rows ? graph.edges() / graph.rows : 0;
    return static_cast<int>(std::clamp<EdgeId>(std::bit_floor(std::max<EdgeId>(mean / 2, 1)), 1, 32));
}

std::unique_ptr<Backend> make_backend(const Graph& graph, const Problem& problem,
                                      const PageRankOptions& options, std::string* note) {
    switch (usable_device(options.device, note)) {
        case Device::cuda:
            return make_cuda_backend(problem);
        case Device::reference:
            return make_reference_backend(graph, problem);
        default:
            return make_cpu_backend(problem, options.threads ? options.threads : omp_get_max_threads());
    }
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

}  // namespace

void check_options(const PageRankOptions& o) {
    const auto refuse = [](const std::string& message) { throw Error(Failure::usage, message); };
    if (!(o.damping >= 0 && o.damping < 1))
        refuse(fmt::format("the damping must be from 0 to below 1, not {:g}", o.damping));
    if (o.rounds < 1) refuse("at least one iteration is needed");
    if (!(o.tolerance >= 0) || !std::isfinite(o.tolerance)) refuse("the tolerance must not be negative");
    if (o.warp_size != 0 &&
        (o.warp_size < 1 || o.warp_size > 64 || !std::has_single_bit(static_cast<unsigned>(o.warp_size))))
        refuse(fmt::format("the warp size must be 1, 2, 4, … 64, not {}", o.warp_size));
    if (o.chunk < 1 || o.chunk > 10) refuse(fmt::format("the chunk must be 1 to 10, not {}", o.chunk));
    if (o.repeats < 1) refuse("at least one run is needed: --repeat 1");
    if (o.threads < 0) refuse("the number of threads must not be negative");
}

std::string hash_of(const std::vector<float>& ranks) {
    ContentHash hash;
    hash.add(std::span(ranks));
    return hash.hex();
}

Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const PageRankOptions& options, const Callbacks& callbacks) {
    check_options(options);
    Outcome outcome;
    const double start = omp_get_wtime();
    outcome.warps = {options.warp_size ? options.warp_size : fitting_warp(graph), options.chunk};
    const NeighbourPlan plan = make_neighbour_plan(graph, strategy, schedule, outcome.warps);
    outcome.plan_seconds = omp_get_wtime() - start;
    outcome.measured = options.tolerance > 0;
    const Problem problem{plan,           options.damping,   options.dangling,
                          options.rounds, options.tolerance, outcome.measured};
    const std::unique_ptr<Backend> backend = make_backend(graph, problem, options, &outcome.device_note);
    outcome.device = backend->device();
    outcome.device_bytes = backend->device_bytes();
    outcome.transfer_seconds = backend->transfer_seconds();
    if (callbacks.on_start) callbacks.on_start(outcome);

    outcome.status = "ok";
    std::vector<double> seconds;
    for (std::uint64_t repeat = 0; repeat < options.repeats && outcome.status == "ok"; ++repeat) {
        std::uint64_t round = 0;
        outcome.rounds = backend->run(
            [&](const Round& r) {
                if (repeat == 0 && callbacks.on_round) callbacks.on_round(round + 1, r);
                ++round;
                if (!callbacks.interrupted || !callbacks.interrupted()) return true;
                outcome.status = "interrupted";
                return false;
            },
            &seconds.emplace_back());
        const std::vector<float> by_position = backend->ranks();
        outcome.ranks.resize(by_position.size());
        for (VertexId p = 0; p < by_position.size(); ++p)
            outcome.ranks[plan.order.empty() ? p : plan.order[p]] = by_position[p];
        const std::string hash = hash_of(outcome.ranks);
        if (repeat > 0 && hash != outcome.result_hash && outcome.status == "ok")
            throw Error(Failure::verification, fmt::format("run {} gave other ranks ({}) than the first ({})",
                                                           repeat + 1, hash, outcome.result_hash));
        outcome.result_hash = hash;
    }
    outcome.execute_seconds = median(std::move(seconds));
    return outcome;
}

}  // namespace lockstep::pagerank
