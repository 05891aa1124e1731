// The measurement of a device, which lockstep-probe runs.
#pragma once

#include <functional>
#include <string>

#include "apps/device.hpp"
#include "insight/probe.hpp"

namespace lockstep::insight {

/// Ranks at which a dependent update is measured: one for each number of lanes.
inline constexpr std::uint32_t probed_ranks[] = {4, 8, 16, 32, 64, 128, 256};

/// Throws Error (usage) unless the rank is 1 to 256.
void check_rank(std::uint32_t rank);

/// Measures all figures of a Probe at this rank (1 to 256). It takes some seconds; `quick` is shorter and
/// rough. `device` is cpu or cuda; `threads` is the number of CPU threads, 0 = all. Throws Error (usage) on
/// an impossible rank, Error (no_device) if the device is missing.
Probe measure(Device device, std::uint32_t rank, int threads, bool quick);

/// Returns the cached probe of this device, driver and rank. If there is none, or if `fresh`, measures one
/// and writes it to the cache. `note` receives a message for each step; a folder that cannot be written only
/// causes a message. Throws as measure().
Probe cached_or_measured(Device device, std::uint32_t rank, int threads, bool fresh, bool quick,
                         const std::function<void(const std::string&)>& note);

/// Measures the part of a probe that has its own code for each kind of device: caches, copies, atomics,
/// barriers, launches, dependent updates.
void measure_cpu(Probe& probe, int threads, bool quick);
void measure_cuda(Probe& probe);

}  // namespace lockstep::insight
