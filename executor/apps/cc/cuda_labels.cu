// Labels that spread, on the GPU.
#include "apps/cc/operator.hpp"
#include "lockstep/executor/frontier/run.cuh"

namespace lockstep::cc {

frontier::Runner spread_on_cuda(const frontier::Expand& plan, const frontier::Axes& axes) {
    return frontier::cuda_runner_of(plan, axes, Labels());
}

}  // namespace lockstep::cc
