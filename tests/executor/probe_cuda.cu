#include "lockstep/executor/cuda/execute.cuh"
#include "probe_operators.hpp"

namespace lockstep::test {

namespace {

template <int Lanes>
ProbeResult probe(const Plan& plan) {
    using gpu::Buffer;
    Buffer<std::uint32_t> row_updates(plan.rows), col_updates(plan.cols), visits(plan.edges());
    Buffer<unsigned long long> row_claims(plan.rows), col_claims(plan.cols), conflicts(1);
    row_updates.zero(), col_updates.zero(), visits.zero(), row_claims.zero(), col_claims.zero(),
        conflicts.zero();
    gpu::DevicePlan device_plan(plan, 0);
    const ProbeOperator<DeviceLanes<Lanes>> op{
        row_updates.data(), col_updates.data(), visits.data(),          row_claims.data(),
        col_claims.data(),  conflicts.data(),   device_plan.view().row, device_plan.view().col};
    ProbeResult r;
    double seconds = 0;
    r.counts = gpu::execute(device_plan, op, &seconds);
    r.row_updates = row_updates.download(), r.col_updates = col_updates.download(),
    r.visits = visits.download();
    r.conflicts = conflicts.download()[0];
    return r;
}

}  // namespace

ProbeResult probe_on_cuda(const Plan& plan, int lanes) {
    switch (lanes) {
        case 1:
            return probe<1>(plan);
        case 4:
            return probe<4>(plan);
        default:
            return probe<32>(plan);
    }
}

}  // namespace lockstep::test
