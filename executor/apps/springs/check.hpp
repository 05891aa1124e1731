// Whether a run of springs is right.
#pragma once

#include <string>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

/// Runs the frames again, serially. Returns why the state is not theirs, to the bit; empty: it is.
std::string departure_from_serial(const Model& model, const Settings& settings, std::uint64_t frames,
                                  const State& state);

/// Without pinned particles springs keep the momentum, to which gravity alone adds. Returns by how much more than rounding
/// it differs, in words; empty: kept. `sweeps`: that were run. O(particles)
std::string lost_momentum(const Model& model, const Settings& settings, std::uint64_t frames,
                          std::uint64_t sweeps, const State& state);

}  // namespace lockstep::springs
