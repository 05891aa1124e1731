// Runs operators over active vertices on a CPU: the generic walk, which runs in rounds or, for operators with
// priorities, in buckets.
#pragma once

#include <omp.h>

#include <memory>

#include "lockstep/executor/frontier/buckets.hpp"
#include "lockstep/executor/frontier/cpu_rounds.hpp"

namespace lockstep::frontier {

/// Returns a runner that calls work->run() and returns its values in the order of the graph's vertices.
template <class Work>
Runner cpu_runner(EdgeId bytes, const Vertices& vertices, std::shared_ptr<Work> work) {
    return {bytes, 0, [&vertices, work](VertexId source, const std::function<bool()>& interrupted) {
                Traversal traversal;
                const double start = omp_get_wtime();
                const auto* const values =
                    work->run(vertices.position(source), interrupted, traversal.rounds);
                const double found = omp_get_wtime();
                traversal.values = by_vertex(vertices, values);
                traversal.seconds = (vertices.order.empty() ? found : omp_get_wtime()) - start;
                return traversal;
            }};
}

/// Returns a runner of the generic walk. A walk with CPU code of its own has an overload of this function for
/// its plan type.
template <FrontierOperator Op>
Runner cpu_runner_of(const Expand& plan, const Axes& axes, const Op& op, int threads) {
    const EdgeId bytes = plan.bytes() + 16 * EdgeId{plan.vertices};
    if constexpr (Op::by_priority) {
        if (axes.priority != Priority::none)
            return cpu_runner(
                bytes, plan,
                std::make_shared<CpuBuckets<Op>>(plan, op, bucket_width(plan, axes.delta, 4), threads));
    }
    Axes ways = axes;
    if (adds_up<Op>) ways.direction = Direction::push;  // CPU code for pulls keeps only the best offer
    return cpu_runner(bytes, plan, std::make_shared<CpuRounds<Op>>(plan, ways, op, threads));
}

template <FrontierOperator Op>
Runner on_cpu(const FrontierPlan& plan, const Axes& axes, const Op& op, int threads) {
    require_weights<Op>(plan);
    return std::visit([&](const auto& walk) { return cpu_runner_of(walk, axes, op, threads); }, plan);
}

}  // namespace lockstep::frontier
