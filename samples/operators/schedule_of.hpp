// What the samples have in common: the schedule in a file that a strategy runs on, and whether there is a GPU.
#pragma once

#include <string_view>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/schedule_file.hpp"

/// Nothing where it needs none, or the file has none.
inline const lockstep::Schedule* schedule_of(const lockstep::ScheduleFile& file,
                                             const lockstep::Strategy& strategy) {
    for (const lockstep::TimedSchedule& timed : file.schedules) {
        if (strategy.schedule && timed.schedule.name == strategy.schedule) return &timed.schedule;
    }
    return nullptr;
}

/// Whether this program is compiled for a GPU, and there is one.
inline bool has_gpu() {
    [[maybe_unused]] int devices = 0;
#if defined(__CUDACC__)
    return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
#else
    return false;
#endif
}
