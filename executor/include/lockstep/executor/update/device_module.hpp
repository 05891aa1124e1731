// The interface of an update that was compiled for a GPU.
#pragma once

#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// An update on the current GPU.
class DeviceModule {
public:
    virtual ~DeviceModule() = default;
    /// Copies the struct Parameters from these bytes.
    virtual void set_parameters(const std::byte* parameters) = 0;
    /// Copies a plan, states and payloads to the device, for sweeps; get() copies them back. Throws
    /// ScheduleError (no_device) if the plan does not fit in shared memory, Error (no_device) if memory does
    /// not suffice.
    virtual void put(const EdgePlan& plan, const Memory& memory) = 0;
    /// Runs one sweep. `*seconds` is set to its time on the device.
    virtual SweepCounts sweep(double* seconds) = 0;
    virtual EdgeId bytes() const = 0;  ///< bytes of device memory
    virtual void get(const Memory& memory) = 0;
};

}  // namespace lockstep::update
