// What lockstep-execute compiles of a user's update for a GPU: a shared library with one function.
#pragma once

#include <optional>

#include "lockstep/executor/update/module.hpp"
#include "lockstep/executor/update/run.cuh"

namespace lockstep::update {

template <Update U>
class DeviceModuleOf final : public DeviceModule {
public:
    explicit DeviceModuleOf(SetterOf<U> setter) : set_(setter) {}

    bool set(std::string_view name, double value) override { return set_(parameters_, name, value); }
    void put(const EdgePlan& plan, const Memory& memory) override {
        there_.reset();  // before the next takes memory
        there_.emplace(plan).put(arrays_of<U>(memory));
    }
    SweepCounts sweep(double* seconds) override { return there_->sweep(parameters_, seconds); }
    EdgeId bytes() const override { return there_->bytes(); }
    void get(const Memory& memory) override {
        there_->get(arrays_of<U>(memory));
        there_.reset();
    }

private:
    SetterOf<U> set_;
    ParametersOf<U> parameters_{};
    std::optional<OnDevice<U>> there_;
};

}  // namespace lockstep::update
