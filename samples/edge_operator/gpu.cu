// The operator on the GPU.
#include "lockstep/executor/cuda/execute.cuh"
#include "strengths.hpp"

bool strengths_on_gpu(const lockstep::Plan& plan, Strengths& result) {
    namespace gpu = lockstep::gpu;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;

    gpu::Buffer<Strength> rows(plan.rows), cols(plan.cols);
    rows.zero();
    cols.zero();
    gpu::DevicePlan device_plan(plan, 0);
    const StrengthOperator<lockstep::DeviceLanes<1>> op{rows.data(), cols.data()};
    double seconds = 0;
    gpu::execute(device_plan, op, &seconds);
    result = {rows.download(), cols.download()};
    return true;
}
