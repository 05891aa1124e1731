// Run: a computation whose data are in the memory of a device. Every family of walks returns one for an
// operator and a plan.
#pragma once

#include <functional>
#include <memory>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// A computation whose data are in the memory of a device, and which can be run any number of times. It must
/// not outlive the host's plan from which it was built. `Call` and `Fetch` are function types.
template <class Call, class Fetch = void()>
struct Run {
    EdgeId bytes = 0;  ///< bytes of device memory for the plan, the operator's arrays and working memory
    double transfer_seconds = 0;  ///< time of copying the plan to the device, in seconds
    std::function<Call> run;      ///< runs the computation; each family defines the arguments and the result
    /// Whether all calls of `run` give bitwise identical results. Arc walks set it to false if floats are
    /// added in an arbitrary order. Strategy::deterministic() is the corresponding property of a strategy.
    bool same_bits = true;
    /// Copies the result to the host. It is empty if each call of `run` returns the result.
    std::function<Fetch> result = {};
};

/// Returns a Run that shares the ownership of `work`, and whose functions are work->run(), work->result() and
/// work->bytes().
template <class R, class Work>
R run_of(const std::shared_ptr<Work>& work, double transfer_seconds = 0) {
    return {.bytes = work->bytes(),
            .transfer_seconds = transfer_seconds,
            .run = std::bind_front(&Work::run, work),
            .result = std::bind_front(&Work::result, work)};
}

}  // namespace lockstep
