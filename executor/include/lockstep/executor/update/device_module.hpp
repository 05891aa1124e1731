// The interface of an update that was compiled for a GPU.
#pragma once

#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/run.hpp"
#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// Sweeps of an update. A call sets `*seconds` to the time of its sweep on the device. `result` copies states
/// and payloads back.
using Sweeps = lockstep::Run<SweepCounts(double* seconds), void(const Memory& memory)>;

/// An update that was compiled for the current GPU, with its parameters. It must outlive its sweeps.
class DeviceModule {
public:
    virtual ~DeviceModule() = default;
    /// Copies the struct Parameters from these bytes.
    virtual void set_parameters(const std::byte* parameters) = 0;
    /// Copies a plan, states and payloads to the device, for sweeps with the present parameters. Throws
    /// ScheduleError (no_device) if the plan does not fit in shared memory, Error (no_device) if memory does
    /// not suffice.
    virtual Sweeps start(const EdgePlan& plan, const Memory& memory) const = 0;
};

}  // namespace lockstep::update
