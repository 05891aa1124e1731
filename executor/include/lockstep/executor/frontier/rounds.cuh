// Rounds over active vertices on the GPU, of the generic walk.
#pragma once

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::frontier {

/// A walk's own overload is found by its type.
template <FrontierOperator Op>
Runner cuda_runner_of(const Expand&, const Axes&, const Op&) {
    throw Error(Failure::no_device, "the generic walk over active vertices runs on a CPU: give --device cpu");
}

}  // namespace lockstep::frontier
