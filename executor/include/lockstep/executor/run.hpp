// A computation in the memory of a device. Every family of walks builds one from an operator and a plan.
#pragma once

#include <functional>
#include <memory>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// A computation whose data are in the memory of a device, and which can be run any number of times. It must
/// not outlive the host's plan from which it was built. `Call` and `Fetch` are types of functions.
template <class Call, class Fetch = void()>
struct Run {
    EdgeId bytes = 0;  ///< bytes of device memory: the plan, the operator's arrays and working memory
    double transfer_seconds = 0;  ///< seconds in which the plan was copied to the device
    std::function<Call> run;      ///< runs it; its arguments and its result are defined by each family
    /// Arcs: false if the results of calls may differ because floats are added in any order. Whether a
    /// strategy makes them differ is returned by Strategy::deterministic().
    bool same_bits = true;
    /// Copies the result to the host. Empty if each call of `run` returns it.
    std::function<Fetch> result = {};
};

/// Makes a Run of an object whose run() and result() do the work, and whose bytes() are those of the Run. The
/// Run keeps the object.
template <class R, class Work>
R run_of(const std::shared_ptr<Work>& work, double transfer_seconds = 0) {
    return {.bytes = work->bytes(),
            .transfer_seconds = transfer_seconds,
            .run = std::bind_front(&Work::run, work),
            .result = std::bind_front(&Work::result, work)};
}

}  // namespace lockstep
