// Whether a run of springs is right.
#pragma once

#include <string>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Runs the frames again, serially. Returns why the state is not theirs, to the bit; empty: it is.
std::string departure_from_serial(const Model& model, const Settings& settings, std::uint64_t frames,
                                  const State& state);

/// Compares the momentum with that of free fall: without pinned particles springs change nothing of it. Returns a message
/// if it differs by more than rounding, else an empty text. `sweeps`: number of sweeps that were run. O(particles)
std::string lost_momentum(const Model& model, const Settings& settings, std::uint64_t frames,
                          std::uint64_t sweeps, const State& state);

}  // namespace lockstep::springs
