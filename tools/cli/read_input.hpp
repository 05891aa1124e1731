// A graph or ratings file, or a schedule file, read with a word for a person.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// Called at the start of every stage with a line for a person; it may throw to stop.
using Stage = std::function<void(const std::string&)>;

/// What an input has: its graph and, where it is a schedule file, schedules.
struct PreprocessInput {
    Dataset dataset;
    std::vector<TimedSchedule> schedules;
    PreprocessSeconds seconds;
};
/// Throws FormatError; Error (usage) where implicit feedback is to be drawn for a schedule file.
PreprocessInput read_input(const std::filesystem::path& path, const ReadOptions& reading, const Stage& stage);

}  // namespace lockstep
