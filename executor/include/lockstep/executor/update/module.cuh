// The shared library that lockstep-execute compiles at run time from a user-defined update (update.hpp) for a
// GPU. It exports one function, which returns a DeviceModule.
#pragma once

#include <omp.h>

#include <memory>

#include "lockstep/executor/update/device_module.hpp"
#include "lockstep/executor/update/run.cuh"

namespace lockstep::update {

template <Update U>
class DeviceModuleOf final : public DeviceModule {
public:
    void set_parameters(const std::byte* parameters) override {
        std::memcpy(&parameters_, parameters, sizeof parameters_);
    }
    Sweeps start(const EdgePlan& plan, const Memory& memory) const override {
        const double begin = omp_get_wtime();
        const auto there = std::make_shared<DeviceWalk<U>>(plan);
        there->put(arrays_of<U>(memory));
        return {.bytes = there->bytes(),
                .transfer_seconds = omp_get_wtime() - begin,
                .run = [there, parameters = parameters_](
                           double* seconds) { return there->sweep(parameters, seconds); },
                .result = [there](const Memory& to) { there->get(arrays_of<U>(to)); }};
    }

private:
    ParametersOf<U> parameters_{};
};

}  // namespace lockstep::update
