#include "apps/sgd/plan_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lockstep/executor/ranks.hpp"

namespace lockstep::sgd {

namespace {

/// Throws Error if some GPU would have no work, or if the options' limits do not apply to the plan.
void check_devices(const EdgePlan& plan, const Strategy& strategy, const SgdOptions& options) {
    if (ranks().count() > 1) {
        if (options.gpus > 1)
            throw Error(Failure::usage,
                        "--gpus requires a single process; with mpirun -n N, each process has one GPU");
        if (options.device == Device::reference)
            throw Error(Failure::usage, "--device reference requires a single process");
    }
    if (options.gpus == 1 && options.device_memory == 0) return;
    const auto* tiled = std::get_if<TiledPlan>(&plan.walk);
    if (!tiled) {
        throw Error(Failure::usage, fmt::format("strategy {} runs on one GPU and uses all of its memory: "
                                                "--gpus and --device-memory apply only to tiled",
                                                strategy.name));
    }
    if (options.gpus == 1) return;
    if (options.device == Device::cpu || options.device == Device::reference)
        throw Error(Failure::usage, "--gpus needs --device cuda");
    if (tiled->grid.groups < static_cast<EdgeId>(options.gpus)) {
        throw ScheduleError(fmt::format(
            "{} GPUs need at least one group each, but the schedule has {}; preprocess with --gpus {}",
            options.gpus, tiled->grid.groups, options.gpus));
    }
    require_gpus(options.gpus);
}

/// Sets the maximum number of concurrently updated edges of an unsynchronized plan, and returns it; returns 0
/// for other plans. If the updates are added atomically, no update is lost, so more edges may be updated
/// concurrently (racing_when_added). In non-negative factorization, factors are clipped and stored, so
/// updates may be lost.
EdgeId set_racing_workers(EdgePlan& plan, const SgdOptions& options) {
    return std::visit(
        [&](auto& walk) -> EdgeId {
            if constexpr (requires { walk.races; }) {
                if (!options.nonnegative) walk.workers *= racing_when_added;
                if (options.racing_workers) walk.workers = options.racing_workers;
                return walk.workers;
            } else {
                return 0;
            }
        },
        plan.walk);
}

/// Returns the vertex (hub) that is an endpoint of the largest number of the first `count` edges.
EdgeLockedPlan::Hub hub_of(const EdgeList& edges, EdgeId count) {
    EdgeLockedPlan::Hub hub;
    for (const bool is_row : {false, true}) {
        std::vector<EdgeId> degrees(is_row ? edges.rows : edges.cols);
        for (EdgeId e = 0; e < count; ++e) ++degrees[is_row ? edges.row[e] : edges.col[e]];
        const auto most = std::ranges::max_element(degrees);
        if (most != degrees.end() && *most > hub.edges)
            hub = {is_row, static_cast<VertexId>(most - degrees.begin()), *most};
    }
    return hub;
}

/// Sets the number of attempts to lock an edge before it is deferred. Throws Error (usage) if the plan does
/// not lock edges in this way.
void set_attempts(EdgePlan& plan, const Strategy& strategy, const SgdOptions& options) {
    if (options.attempts == 0) return;
    EdgeLockedPlan* locked = std::get_if<EdgeLockedPlan>(&plan.walk);
    if (auto* hybrid = std::get_if<NodeLockedThenEdge>(&plan.walk)) locked = &hybrid->rest;
    if (auto* hybrid = std::get_if<EdgeLockedThenResident>(&plan.walk)) locked = &hybrid->first;
    if (!locked || options.device == Device::reference)
        throw Error(
            Failure::usage,
            fmt::format(
                "--attempts applies only to el, el-shuffled, nl-el and el-sgm on a CPU or a GPU, not to {}",
                locked ? "--device reference" : std::string("for ") + strategy.name));
    locked->attempts = options.attempts;
    locked->hub = hub_of(plan, locked->edges);
}

/// Selects the kernel with one thread per component. Throws Error (usage) if the plan, the rank or the device
/// does not support it.
void set_by_component(EdgePlan& plan, const Strategy& strategy, const SgdOptions& options) {
    if (!options.by_component) return;
    auto* const phases = std::get_if<PhasesPlan>(&plan.walk);
    const bool on_gpu = options.device == Device::cuda && options.storage == Storage::fp32 &&
                        options.rank > 8 && options.rank <= 16;
    if (!phases || !on_gpu)
        throw Error(Failure::usage, fmt::format("--components 1 applies only to agm-e and diag with --device "
                                                "cuda, rank 9 to 16 and fp32, not to {} at rank {}",
                                                strategy.name, options.rank));
    phases->by_component = true;
}

}  // namespace

EdgeId apply_plan_options(EdgePlan& plan, const Strategy& strategy, const SgdOptions& options) {
    check_devices(plan, strategy, options);
    set_attempts(plan, strategy, options);
    set_by_component(plan, strategy, options);
    return set_racing_workers(plan, options);
}

}  // namespace lockstep::sgd
