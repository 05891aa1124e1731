// Functions that several samples use: find the schedule of a strategy in a file, and detect a GPU.
#pragma once

#include <string_view>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/schedule_file.hpp"

/// Returns the schedule that a strategy requires; nullptr if it requires none, or if the file does not have
/// it.
inline const lockstep::Schedule* schedule_of(const lockstep::ScheduleFile& file,
                                             const lockstep::Strategy& strategy) {
    for (const lockstep::TimedSchedule& timed : file.schedules) {
        if (strategy.schedule && timed.schedule.name == strategy.schedule) return &timed.schedule;
    }
    return nullptr;
}

/// Returns true if this program was compiled for GPUs, and there is a GPU.
inline bool has_gpu() {
    [[maybe_unused]] int devices = 0;
#if defined(__CUDACC__)
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
#else
    return false;
#endif
}
