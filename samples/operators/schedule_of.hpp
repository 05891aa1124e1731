// The schedule in a file that a strategy runs on.
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
