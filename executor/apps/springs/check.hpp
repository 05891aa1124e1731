// Checks of the result of a run of springs.
#pragma once

#include <string>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Runs the frames again, serially. Returns the reason if the state is not bitwise identical, otherwise an
/// empty text.
std::string departure_from_serial(const Model& model, const Settings& settings, std::uint64_t frames,
                                  const State& state);

/// Compares the momentum with that of free fall: without pinned particles, springs do not change it. Returns
/// a message if it differs by more than rounding, otherwise an empty text. `sweeps`: number of sweeps that
/// were run. O(particles)
std::string lost_momentum(const Model& model, const Settings& settings, std::uint64_t frames,
                          std::uint64_t sweeps, const State& state);

}  // namespace lockstep::springs
