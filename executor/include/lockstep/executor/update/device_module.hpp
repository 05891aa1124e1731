// The interface of a user-defined update (update.hpp) that was compiled for a GPU at run time.
#pragma once

#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/run.hpp"
#include "lockstep/executor/update/module.hpp"

namespace lockstep::update {

/// Sweeps of an update on a GPU. Each call sets `*seconds` to the time of its sweep on the device. `result`
/// copies the states and the payloads back.
using Sweeps = lockstep::Run<SweepCounts(double* seconds), void(const Memory& memory)>;

/// A user-defined update that was compiled for the current GPU, with its parameters. It must outlive the
/// Sweeps that it returns.
class DeviceModule {
public:
    virtual ~DeviceModule() = default;
    /// Copies the parameters (the struct Parameters of the update) from these bytes.
    virtual void set_parameters(const std::byte* parameters) = 0;
    /// Copies a plan, the states and the payloads to the device. The sweeps use the parameters that are set
    /// at this time. Throws ScheduleError (no_device) if the plan does not fit in shared memory, and Error
    /// (no_device) if the device has too little memory.
    virtual Sweeps start(const EdgePlan& plan, const Memory& memory) const = 0;
};

}  // namespace lockstep::update
