// Measures the performance figures of a device from which the cost model predicts times. lockstep-probe is
// the command for it.
#pragma once

#include <functional>
#include <string>

#include "apps/device.hpp"
#include "insight/probe.hpp"

namespace lockstep::insight {

/// Ranks at which dependent updates are measured. They are the largest ranks of each number of lanes per
/// vector.
inline constexpr std::uint32_t probed_ranks[] = {4, 8, 16, 32, 64, 128, 256};

/// Throws Error (usage) if the rank is not from 1 to 256.
void check_rank(std::uint32_t rank);

/// Measures all figures of a probe at this rank (1 to 256), which takes several seconds; `quick` is faster
/// and less precise. `device` is cpu or cuda. `threads` is the number of CPU threads; 0: all. Throws Error
/// (usage) if the rank is out of range, and Error (no_device) if the device does not exist.
Probe measure(Device device, std::uint32_t rank, int threads, bool quick);

/// Returns the cached probe of this device, driver and rank. If there is none, or if `fresh`, measures a
/// probe and writes it to the cache. `note` is called with a message for each step; if the cache folder is
/// not writable, this only causes a message. Throws the errors of measure().
Probe cached_or_measured(Device device, std::uint32_t rank, int threads, bool fresh, bool quick,
                         const std::function<void(const std::string&)>& note);

/// Measure the part of a probe that requires different code for CPUs and GPUs: cache size, copies, atomic
/// operations, barriers, launches, and dependent updates.
void measure_cpu(Probe& probe, int threads, bool quick);
void measure_cuda(Probe& probe);

}  // namespace lockstep::insight
