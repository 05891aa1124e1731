// The unsynchronized walk (Hogwild, racing.hpp) on the GPU: each edge is updated once, without locks.
#pragma once

#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/racing.hpp"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

struct RacingView {
    EdgesView edges;
    EdgeId workers;  ///< maximum number of edges in flight
    EdgeId* counters;
};

/// True if an operator can add its change to an endpoint atomically, so that no update is lost.
template <class Op>
concept AddingOperator = requires(const Op op, VertexId v, typename Op::Row row, typename Op::Col& col) {
    op.add_row(v, row, row);
    op.add_col(v, col, col);
    op.add_to(col, col, col);
    { op.adds() } -> std::convertible_to<bool>;
};

/// Calls run() with std::true_type if the operator adds its changes atomically, otherwise with
/// std::false_type.
template <class Op, class Run>
void with_adding(const Op& op, Run run) {
    if constexpr (AddingOperator<Op>) {
        if (op.adds()) return run(std::true_type{});
    }
    run(std::false_type{});
}

/// Processes at most `workers` edges concurrently, one per lane group. Neighbouring lane groups run
/// neighbouring edges.
template <EdgeOperator Op, bool Adds>
__global__ void __launch_bounds__(tuning::racing.threads) racing_kernel(RacingView plan, Op op) {
    const EdgeId groups = 32 / Op::Lanes::lanes, warp = threadIdx.x / 32 * gridDim.x + blockIdx.x;
    const EdgeId worker = warp * groups + threadIdx.x % 32 / Op::Lanes::lanes;
    const EdgeId stride = min(plan.workers, worker_count<Op>());
    const EdgeId end = worker < stride ? plan.edges.edges : 0;
    EdgeId done = 0;
    EdgeRecord next{}, after{};  // records of the next two edges, which are loaded in advance
    const auto fetch = [&](EdgeRecord& edge, EdgeId e) {
        edge.e = e;
        if (e < end) edge.read(plan.edges);
    };
    fetch(next, worker), fetch(after, worker + stride);
    while (next.e < end) {
        const EdgeRecord edge = next;
        next = after;
        fetch(after, next.e + stride);
        auto row = op.load_row(edge.u);
        auto col = op.load_col(edge.v);
        if constexpr (Adds) {
            const auto old_row = row;
            const auto old_col = col;
            op.apply(row, col, edge.value, EdgePosition{edge.e, 0, edge.e});
            op.add_row(edge.u, old_row, row);
            op.add_col(edge.v, old_col, col);
        } else {
            op.apply(row, col, edge.value, EdgePosition{edge.e, 0, edge.e});
            op.store_row(edge.u, row);
            op.store_col(edge.v, col);
        }
        ++done;
    }
    __syncwarp();
    add_once<Op>(plan.counters + updates, done);
}

template <>
class DeviceWalk<RacingPlan> : public Counting {
public:
    DeviceWalk(const EdgeList&, const EdgesView& edges, const RacingPlan& plan)
        : view_{edges, plan.workers, counters_.data()} {}
    static EdgeId bytes(const EdgeList&, const RacingPlan&) { return 0; }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        with_adding(op, [&](auto adds) { launch(racing_kernel<Op, adds()>, tuning::racing, 0, view_, op); });
    }

private:
    RacingView view_;
};

}  // namespace lockstep::gpu
