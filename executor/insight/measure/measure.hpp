// Measuring a device: what lockstep-probe does.
#pragma once

#include <functional>
#include <string>

#include "apps/device.hpp"
#include "insight/probe.hpp"

namespace lockstep::insight {

/// Ranks at which a dependent update is measured, one of each lane count.
inline constexpr std::uint32_t probed_ranks[] = {4, 8, 16, 32, 64, 128, 256};

/// Throws Error (usage) unless 1 to 256.
void check_rank(std::uint32_t rank);

/// Everything of a Probe, at this rank (1 to 256); some seconds, `quick`: fewer, and rough. `device` is cpu
/// or cuda; `threads` of a CPU, 0 = all. Throws Error (usage) on an impossible rank, Error (no_device)
/// without the device.
Probe measure(Device device, std::uint32_t rank, int threads, bool quick);

/// The cached probe of this device, driver and rank, else (or where `fresh`) one measured now and put there.
/// `note` hears what is done; a folder that cannot be written is no more than a note. Throws as measure().
Probe cached_or_measured(Device device, std::uint32_t rank, int threads, bool fresh, bool quick,
                         const std::function<void(const std::string&)>& note);

/// The device's own part of it: caches, copies, atomics, barriers, launches, dependent updates.
void measure_cpu(Probe& probe, int threads, bool quick);
void measure_cuda(Probe& probe);

}  // namespace lockstep::insight
