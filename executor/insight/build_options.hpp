// The options of schedule builders for a device: its figures, from which the builders choose sizes.
#pragma once

#include "lockstep/schedules/builders.hpp"

namespace lockstep::insight {

struct Probe;

/// Returns options with the figures of an NVIDIA H200. Schedules are built with them unless the caller
/// requests another device, so that the same input gives the same schedule on every machine.
BuildOptions default_build_options();

/// Returns the options for building schedules for this device: its rank and, for a GPU, its number of
/// multiprocessors. The costs in the options do not depend on the probe, so that the same input always gives
/// the same schedule and thus the same trained model.
BuildOptions build_options(const Probe& probe);

/// Returns the costs from which builders choose the sizes of tiles and blocks for a GPU. They are the fitted
/// costs of an H200, each multiplied by the ratio of this probe's measurement to the H200's measurement. The
/// costs are for rank 16, so measurements per edge in probes of other ranks are not used.
DeviceCosts device_costs(const Probe& probe);

}  // namespace lockstep::insight
