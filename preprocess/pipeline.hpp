// The preprocessing pipeline: read → schedule → verify → write, every stage timed.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

struct PreprocessRequest {
    std::filesystem::path input;  ///< graph or ratings file, or a schedule file to add to
    std::filesystem::path output;
    std::vector<std::string> schedules;  ///< names; "all" = every builder
    ReadOptions read;
    BuildOptions build;
    bool verify = true;
    bool times = true;  ///< store how long it took; without, same input means same file, byte for byte
    int deflate = 0;
    EdgeId memory_limit = 0;  ///< bytes; 0 = physical memory
};

struct PreprocessResult {
    ScheduleFileSummary file;  ///< what was written
    PreprocessSeconds seconds;
    EdgeId estimated_bytes = 0;  ///< peak estimated before scheduling
};

/// `stage` is called at the start of every stage with a line for a person; it may throw to stop.
/// Throws FormatError, ScheduleError, OutputError; Error (verification) should a builder fail its proof.
PreprocessResult preprocess(const PreprocessRequest& request,
                            const std::function<void(const std::string&)>& stage);

/// Builders for the names asked for, without repetition, in the order of the registry.
std::vector<const Builder*> requested_builders(const std::vector<std::string>& names);

}  // namespace lockstep
