// on_cuda(): runs operators over active vertices on the GPU (run.hpp).
#pragma once

#include "lockstep/executor/frontier/walks.cuh"

namespace lockstep::frontier {

template <FrontierOperator Op>
Runner on_cuda(const FrontierPlan& plan, const Axes& axes, const Op& op) {
    require_weights<Op>(plan);
    return std::visit([&](const auto& walk) { return cuda_runner_of(walk, axes, op); }, plan);
}

}  // namespace lockstep::frontier
