// Arc operators on the devices that every application can run on.
#pragma once

#include "apps/device.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep {

/// For a device that `usable_device` returned, CUDA or the CPU; the source files of the application
/// instantiate what is called here (arc/run.hpp).
template <ArcOperator Op>
arc::Runner<Op> arc_runner(Device device, const ArcPlan& plan, const Op& op, int threads) {
#if defined(LOCKSTEP_HAS_CUDA)
    if (device == Device::cuda) return arc::on_cuda(plan, op);
#endif
    static_cast<void>(device);
    return arc::on_cpu(plan, op, threads);
}

}  // namespace lockstep
