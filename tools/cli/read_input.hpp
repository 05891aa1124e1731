// Reading of a graph, ratings or schedule file, with progress messages.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"

namespace lockstep {

/// A function that is called at the start of every stage with a message for the user; it may throw to stop.
using Stage = std::function<void(const std::string&)>;

/// The contents of an input: its graph and, if it is a schedule file, its schedules.
struct PreprocessInput {
    Dataset dataset;
    std::vector<TimedSchedule> schedules;
    PreprocessSeconds seconds;
};
/// Reads an input file. Throws FormatError; throws Error (usage) if `reading` specifies implicit feedback for
/// a schedule file.
PreprocessInput read_input(const std::filesystem::path& path, const ReadOptions& reading, const Stage& stage);

}  // namespace lockstep
