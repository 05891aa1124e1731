// A computation in the memory of a device: every family of walks makes one of an operator and a plan.
#pragma once

#include <functional>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// A computation that is in the memory of a device, ready to be called as often as is asked for. It must not outlive
/// the plan on the host that it was made of.
template <class Call>
struct Run {
    EdgeId bytes = 0;  ///< of device memory: the plan, the operator's arrays, and what the rounds need
    double transfer_seconds = 0;  ///< the time in which the plan got there
    std::function<Call> run;      ///< a family says what its arguments and its result are
    bool same_bits = true;        ///< whether all calls give the same bits
};

}  // namespace lockstep
