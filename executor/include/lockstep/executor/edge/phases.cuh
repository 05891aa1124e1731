// The walk phase ⊃ edge (phases.hpp) on the GPU: one cooperative launch runs all phases.
//
// A worker is a lane group (lanes.hpp): L neighbouring threads of a warp that process an edge together. After
// each large phase, all thread blocks synchronize at a device-wide barrier. The launch has as many thread
// blocks as the device can run concurrently.
#pragma once

#include "lockstep/executor/device/barrier.cuh"
#include "lockstep/executor/device/launch.cuh"
#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/edge/small_phases.cuh"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

/// Runs AGM-E (Kaleem et al., III-A.1), and the F x E grid of Diag (III-B.1), where F is the number of lanes
/// per edge and E the number of workers. Runs of small phases are left to one thread block
/// (small_phases.cuh).
template <EdgeOperator Op>
__global__ void __launch_bounds__(tuning::phases.threads, 1) phase_kernel(PhasesView plan, Op op) {
    constexpr int window = 64;
    extern __shared__ __align__(16) unsigned char shared[];
    auto& small = *reinterpret_cast<SmallPhases<Op>*>(shared);
    __shared__ PhaseRun runs[window];
    const EdgesView& edges = plan.edges;
    DeviceBarrier barrier(plan.counters + arrivals);
    const EdgeId worker = worker_index<Op>(), workers = worker_count<Op>();
    // The worker's first edge of the next large phase is loaded while the thread blocks wait at the barrier.
    EdgeId e = 0, end = 0;
    VertexId u = 0, v = 0;
    float value = 0;
    unsigned done = 0;
    const auto look_ahead = [&](EdgeId r) {
        if (r % window == 0) {
            __syncthreads();
            for (EdgeId i = threadIdx.x; i < window && r + i < plan.runs; i += blockDim.x)
                runs[i] = plan.run[r + i];
            __syncthreads();
        }
        if (r >= plan.runs || !runs[r % window].shared) return;
        e = runs[r % window].begin + worker, end = runs[r % window].end;
        if (e < end) u = edges.row[e], v = edges.col[e], value = edges.value[e];
    };
    look_ahead(0);
    for (EdgeId r = 0; r < plan.runs;) {
        const PhaseRun& run = runs[r % window];
        if (run.shared) {
            for (; e < end; e += workers) {
                auto row = op.load_row(u);
                auto col = op.load_col(v);
                op.apply(row, col, value, EdgePosition{e, run.first, e});
                op.store_row(u, row);
                op.store_col(v, col);
                ++done;
                if (e + workers < end)
                    u = edges.row[e + workers], v = edges.col[e + workers], value = edges.value[e + workers];
            }
            // These loads come after the arrival at the barrier, because the fence of the arrival would wait
            // for them.
            barrier.arrive();
            look_ahead(++r);
            barrier.wait();
        } else {
            const EdgeId first = r;
            do look_ahead(++r);
            while (r < plan.runs && !runs[r % window].shared);
            if (blockIdx.x == 0) done += small.run(plan, op, first, r);
            barrier.sync();
        }
    }
    add_of_block<Op>(plan.counters + updates, done, shared);
}

template <>
class DeviceWalk<PhasesPlan> : public Counting {
public:
    DeviceWalk(const EdgeList&, const EdgesView& edges, const PhasesPlan& plan)
        : plan_(plan), view_{edges, nullptr, nullptr, 0, counters_.data()} {
        put(view_.phase_offsets, phase_offsets_, plan.phase_offsets);
    }
    static EdgeId bytes(const EdgeList&, const PhasesPlan& plan) {
        return plan.bytes() + sizeof(PhaseRun) * plan.phases();
    }
    template <EdgeOperator Op>
    void prepare() {
        int lanes = Op::Lanes::lanes;
        if constexpr (requires(const Op& op) { op.by_component(); })
            if (plan_.by_component) lanes = decltype(std::declval<Op>().by_component())::Lanes::lanes;
        if (lanes_ == lanes) return;
        lanes_ = lanes;
        const std::vector<PhaseRun> runs = device_runs(plan_.phase_offsets, {}, lanes_);
        put(view_.run, run_, runs);
        view_.runs = runs.size();
    }
    template <EdgeOperator Op>
    void sweep(const Op& op) {
        if constexpr (requires { op.by_component(); })
            if (plan_.by_component) return run(op.by_component());
        run(op);
    }

    EdgeId phases() const { return plan_.phases(); }

private:
    template <EdgeOperator Op>
    void run(const Op& op) {
        launch(phase_kernel<Op>, tuning::phases, sizeof(SmallPhases<Op>), view_, op);
    }

    PhasesPlan plan_;
    int lanes_ = 0;  // number of lanes per edge for which the division into runs was made
    Buffer<EdgeId> phase_offsets_;
    Buffer<PhaseRun> run_;
    PhasesView view_;
};

}  // namespace lockstep::gpu
