#include "probe.hpp"

#include "apps/sgd/operator.hpp"
#include "lockstep/executor/cuda/probe.cuh"

namespace lockstep {

Probe probe_gpu() {
    constexpr VertexId rows = 150000, cols = 100000;  // 16 MB at rank 16: in the L2 cache
    const gpu::Buffer<float> row(std::vector<float>(rows * 16, 0.5F)),
        col(std::vector<float>(cols * 16, 0.5F));
    const sgd::SgdOperator<DeviceLanes<4>, 1, false, true> op{row.data(), col.data(), 4, 1e-3F, 1, -1};
    const gpu::DeviceLimits limits = gpu::measure_limits(op, rows, cols);
    cudaDeviceProp properties{};
    LOCKSTEP_CUDA(cudaGetDeviceProperties(&properties, 0));
    return {properties.name,      16,
            limits.barrier,       limits.block_barrier,
            limits.update_l2,     limits.update_near,
            limits.update_locked, limits.racing_rate,
            limits.locked_rate};
}

}  // namespace lockstep
