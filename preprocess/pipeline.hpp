// The preprocessing pipeline: read → schedule → verify → write, every stage timed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "read_input.hpp"

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
    bool bounded = false;     ///< what does not fit goes to temporary files (bounded_memory.hpp)
};

struct PreprocessResult {
    ScheduleFileSummary file;  ///< what was written
    PreprocessSeconds seconds;
    EdgeId estimated_bytes = 0;  ///< peak estimated before scheduling
};

/// Throws FormatError, ScheduleError, OutputError; Error (verification) should a builder fail its proof.
PreprocessResult preprocess(const PreprocessRequest& request, const Stage& stage);

/// The stages behind read_input by themselves. Refuses to build, with `stage` told first, where that is
/// estimated to take more than `limit` bytes (0 = physical memory); where memory is `bounded`, what C
/// libraries alone would take. Returns the estimate. Throws Error.
EdgeId check_memory(const Graph& graph, const std::vector<const Builder*>& builders, bool verify,
                    EdgeId limit, const Stage& stage, bool bounded = false);

/// Builds a schedule. Throws as its builder.
TimedSchedule build_schedule(const Graph& graph, const Builder& builder, const BuildOptions& options);
/// The same, and proves it; adds the seconds of the proof.
TimedSchedule build_proved(const Graph& graph, const Builder& builder, const BuildOptions& options,
                           PreprocessSeconds& seconds);

/// Builders for the names asked for, without repetition, in the order of the registry.
std::vector<const Builder*> requested_builders(const std::vector<std::string>& names);

}  // namespace lockstep
