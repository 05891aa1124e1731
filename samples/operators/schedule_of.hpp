// Functions that the samples share: the schedule in a file that a strategy runs on, and whether there is a
// GPU.
#pragma once

#include <string_view>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/schedule_file.hpp"

/// Returns the schedule of a strategy; nullptr if the strategy needs none, or the file does not have it.
inline const lockstep::Schedule* schedule_of(const lockstep::ScheduleFile& file,
                                             const lockstep::Strategy& strategy) {
    for (const lockstep::TimedSchedule& timed : file.schedules) {
        if (strategy.schedule && timed.schedule.name == strategy.schedule) return &timed.schedule;
    }
    return nullptr;
}

/// Returns whether this program is compiled for a GPU, and there is one.
inline bool has_gpu() {
    [[maybe_unused]] int devices = 0;
#if defined(__CUDACC__)
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
#else
    return false;
#endif
}
