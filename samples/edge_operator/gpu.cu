// Runs the operator of strengths.hpp on a GPU.
#include "lockstep/executor/edge/execute.cuh"
#include "strengths.hpp"

bool strengths_on_gpu(const lockstep::EdgePlan& plan, Strengths& result) {
    namespace gpu = lockstep::gpu;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;

    gpu::Buffer<Strength> rows(plan.rows), cols(plan.cols);
    rows.zero();
    cols.zero();
    const StrengthOperator<lockstep::DeviceLanes<1>> op{rows.data(), cols.data()};
    gpu::DevicePlan device_plan(plan, op);
    double seconds = 0;
    device_plan.sweep(op, &seconds);
    result = {rows.download(), cols.download()};
    // A plan of the strategy `local` has its own order of the vertices, so the results are permuted back.
    if (const auto* local = device_plan.get_if<lockstep::LocalPlan>()) {
        const Strengths there = result;
        for (lockstep::VertexId i = 0; i < plan.rows; ++i) result.rows[local->row_order()[i]] = there.rows[i];
        for (lockstep::VertexId i = 0; i < plan.cols; ++i) result.cols[local->col_order()[i]] = there.cols[i];
    }
    return true;
}
