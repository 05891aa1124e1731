// The shared library that lockstep-execute compiles from a user's update for a GPU: one function, which makes a
// DeviceModule.
#pragma once

#include <optional>

#include "lockstep/executor/update/device_module.hpp"
#include "lockstep/executor/update/run.cuh"

namespace lockstep::update {

template <Update U>
class DeviceModuleOf final : public DeviceModule {
public:
    void set_parameters(const std::byte* parameters) override {
        std::memcpy(&parameters_, parameters, sizeof parameters_);
    }
    void put(const EdgePlan& plan, const Memory& memory) override {
        there_.reset();  // frees its memory before the next one allocates
        there_.emplace(plan).put(arrays_of<U>(memory));
    }
    SweepCounts sweep(double* seconds) override { return there_->sweep(parameters_, seconds); }
    EdgeId bytes() const override { return there_->bytes(); }
    void get(const Memory& memory) override {
        there_->get(arrays_of<U>(memory));
        there_.reset();
    }

private:
    ParametersOf<U> parameters_{};
    std::optional<OnDevice<U>> there_;
};

}  // namespace lockstep::update
