// One k-core by rounds over active vertices, on the GPU.
#include "apps/kcore/operator.hpp"
#include "lockstep/executor/frontier/run.cuh"

namespace lockstep::kcore {

frontier::Runner fall_on_cuda(const frontier::Expand& plan, const frontier::Axes& axes, std::uint32_t k) {
    return frontier::cuda_runner_of(plan, axes, Degrees{k});
}

}  // namespace lockstep::kcore
