// The preprocessing pipeline: read → schedule → verify → write. The time of every stage is measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "read_input.hpp"

namespace lockstep {

struct PreprocessRequest {
    std::filesystem::path input;  ///< graph or ratings file, or a schedule file to which schedules are added
    std::filesystem::path output;
    std::vector<std::string> schedules;  ///< names of builders; "all" = every builder
    ReadOptions read;
    BuildOptions build;
    bool verify = true;
    /// Whether times are stored; without them, the same input gives the same file, byte for byte.
    bool times = true;
    int deflate = 0;
    EdgeId memory_limit = 0;  ///< limit in bytes; 0 = physical memory
    /// Whether data beyond the limit is stored in temporary files (bounded_memory.hpp).
    bool bounded = false;
};

struct PreprocessResult {
    ScheduleFileSummary file;  ///< contents of the written file
    PreprocessSeconds seconds;
    EdgeId estimated_bytes = 0;  ///< peak memory, estimated before scheduling
};

/// Runs the pipeline. Throws FormatError, ScheduleError, OutputError, and Error (verification) if a built
/// schedule fails the verification.
PreprocessResult preprocess(const PreprocessRequest& request, const Stage& stage);

/// Throws Error if building and verifying is estimated to need more than `limit` bytes (0 = physical memory);
/// with `bounded` memory, only if the allocations of a C library exceed a quarter of `limit`. Passes the
/// estimate to `stage` before, and returns it. This and the following functions are the pipeline's stages
/// after read_input.
EdgeId check_memory(const Graph& graph, const std::vector<const Builder*>& builders, bool verify,
                    EdgeId limit, const Stage& stage, bool bounded = false);

/// Builds a schedule and measures the time. Throws the errors of the builder.
TimedSchedule build_schedule(const Graph& graph, const Builder& builder, const BuildOptions& options);
/// Builds a schedule and verifies it; adds the time of the verification to `seconds`.
TimedSchedule build_proved(const Graph& graph, const Builder& builder, const BuildOptions& options,
                           PreprocessSeconds& seconds);

/// Returns the builders with the given names, without repetition, in the order of the registry.
std::vector<const Builder*> requested_builders(const std::vector<std::string>& names);

}  // namespace lockstep
