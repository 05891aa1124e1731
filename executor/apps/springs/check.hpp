// Checks of the positions and velocities that a simulation of springs has computed.
#pragma once

#include <string>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Runs the frames again serially, and compares the result bitwise with `state`. Returns a description of the
/// difference; empty if there is none.
std::string departure_from_serial(const Model& model, const Settings& settings, std::uint64_t frames,
                                  const State& state);

/// Compares the total momentum with that of free fall, since springs do not change the momentum if no
/// particle is pinned. `sweeps` is the number of sweeps that the run executed, from which the allowed
/// rounding error follows. Returns a description if the difference exceeds this error, otherwise an empty
/// string. O(particles).
std::string find_momentum_problem(const Model& model, const Settings& settings, std::uint64_t frames,
                                  std::uint64_t sweeps, const State& state);

}  // namespace lockstep::springs
