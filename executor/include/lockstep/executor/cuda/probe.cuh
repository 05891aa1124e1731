// What a device can do, as far as it bounds the strategies: barriers, dependent updates, locks, racing.
//
// Micro-kernels for any edge operator, run on the spot: a bound is worth something only beside figures of
// the same device and the same minute. The dependent updates all share column 0, as a hub's edges do.
#pragma once

#include <algorithm>

#include "lockstep/executor/cuda/execute.cuh"

namespace lockstep::gpu {

/// Seconds, as measured; rates a second.
struct DeviceLimits {
    double barrier;        ///< of the device, one block a multiprocessor
    double block_barrier;  ///< of a thread block of 1,024 threads
    double update_l2;      ///< one update after another through the L2 cache
    double update_near;    ///< the same through the L1 cache of one multiprocessor
    double update_locked;  ///< the same as in update_l2 under the locks of both ends
    double racing_rate;    ///< edges, all workers, random rows and columns that fit in the L2 cache
    double locked_rate;    ///< the same under locks that are always free
};

namespace probe {

inline __global__ void __launch_bounds__(1024, 1) barriers(int count) {
    for (int i = 0; i < count; ++i) cooperative_groups::this_grid().sync();
}
inline __global__ void block_barriers(int count) {
    for (int i = 0; i < count; ++i) __syncthreads();
}

enum class Memory { l2, near, locked };

/// `count` edges of column 0 and the rows 0 … rows - 1 in turn, a power of two, by the first group of one
/// block.
template <EdgeOperator Op, Memory M>
__global__ void dependent_updates(Op op, PlanView locks, EdgeId count, VertexId rows) {
    const Near<Op> near{op};
    if (threadIdx.x >= Op::Lanes::lanes) return;
    for (EdgeId e = 0; e < count; ++e) {
        const VertexId u = static_cast<VertexId>(e) & (rows - 1);
        if constexpr (M == Memory::near) {
            auto row = near.load_row(u);
            auto col = near.load_col(0);
            op.apply(row, col, 1.0F, Place{e, 0, e});
            near.store_row(u, row);
            near.store_col(0, col);
        } else {
            EdgeClaim<Op> claim(locks.row_locks + u, locks.col_locks);
            if constexpr (M == Memory::locked) {
                while (claim.ask(1, 1) != EdgeClaim<Op>::granted) {
                }
            }
            auto row = op.load_row(u);
            auto col = op.load_col(0);
            op.apply(row, col, 1.0F, Place{e, 0, e});
            op.store_row(u, row);
            op.store_col(0, col);
            if constexpr (M == Memory::locked) claim.release();
        }
    }
}

/// Median seconds of five launches.
template <class Launch>
double seconds_of(Launch launch) {
    launch();
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
        Timer timer;
        launch();
        times.push_back(timer.seconds());
    }
    std::sort(times.begin(), times.end());
    return times[2];
}

}  // namespace probe

/// `op` works on `rows` x `cols` endpoints, at least 2^16 each, that fit in the L2 cache, and overwrites
/// them.
template <EdgeOperator Op>
DeviceLimits measure_limits(const Op& op, VertexId rows, VertexId cols) {
    DeviceLimits limits{};
    constexpr int barriers = 10000;
    limits.barrier =
        probe::seconds_of([&] { launch_cooperative(probe::barriers, 1024, 1, 0, barriers); }) / barriers;
    limits.block_barrier =
        probe::seconds_of([&] { launch_cooperative(probe::block_barriers, 1024, 1, 0, barriers); }) /
        barriers;

    Buffer<unsigned> row_locks(rows), col_locks(cols);
    row_locks.zero(), col_locks.zero();
    PlanView view{};
    view.row_locks = row_locks.data(), view.col_locks = col_locks.data();
    constexpr EdgeId updates = 10000;
    const auto chain = [&](auto kernel) {
        return probe::seconds_of([&] {
                   kernel<<<1, 32>>>(op, view, updates, VertexId{64});
                   LOCKSTEP_CUDA(cudaGetLastError());
               }) /
               updates;
    };
    limits.update_l2 = chain(probe::dependent_updates<Op, probe::Memory::l2>);
    limits.update_near = chain(probe::dependent_updates<Op, probe::Memory::near>);
    limits.update_locked = chain(probe::dependent_updates<Op, probe::Memory::locked>);

    const auto rate = [&](Traversal traversal, auto col_of) {
        Plan plan;
        plan.traversal = traversal;
        plan.rows = rows, plan.cols = cols;
        for (EdgeId e = 0; e < EdgeId{1} << 23; ++e) {
            plan.row.push_back(static_cast<VertexId>(e * 48271 % rows));
            plan.col.push_back(static_cast<VertexId>(col_of(e)));
            plan.value.push_back(1.0F);
        }
        if (traversal == Traversal::edge_locked) plan.locked = plan.edges();
        DevicePlan device_plan(plan, 0);
        double seconds = 0;
        return static_cast<double>(plan.edges()) /
               probe::seconds_of([&] { execute(device_plan, op, &seconds); });
    };
    limits.racing_rate =
        rate(Traversal::racing, [&](EdgeId e) { return (e * 6364136223846793005U >> 33) % cols; });
    // Edges less than `cols` apart share no end.
    limits.locked_rate = rate(Traversal::edge_locked, [&](EdgeId e) { return e % cols; });
    return limits;
}

}  // namespace lockstep::gpu
