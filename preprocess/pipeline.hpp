// The stages of lockstep-preprocess: read the graph, build schedules, verify them, write the schedule file.
// The time of every stage is measured.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "lockstep/schedules/builders.hpp"
#include "read_input.hpp"

namespace lockstep {

/// The arguments of preprocess().
struct PreprocessRequest {
    std::filesystem::path input;  ///< graph or ratings file, or a schedule file to which schedules are added
    std::filesystem::path output;
    std::vector<std::string> schedules;  ///< names of builders; "all" = every builder
    ReadOptions read;
    BuildOptions build;
    bool verify = true;
    /// Whether the file stores the times of the stages. Without them, equal input and options give a
    /// byte-identical file.
    bool times = true;
    int deflate = 0;
    EdgeId memory_limit = 0;  ///< memory limit in bytes; 0 = physical memory
    /// Whether data beyond the limit are stored in temporary files (bounded_memory.hpp), instead of causing
    /// an error.
    bool bounded = false;
};

/// The result of preprocess().
struct PreprocessResult {
    ScheduleFileSummary file;  ///< contents of the written file
    PreprocessSeconds seconds;
    EdgeId estimated_bytes = 0;  ///< estimated peak memory in bytes, computed before schedules are built
};

/// Runs all stages. `stage` is called with a message at the beginning of each stage. Throws FormatError,
/// ScheduleError or OutputError, or Error (verification) if a schedule violates the contract.
PreprocessResult preprocess(const PreprocessRequest& request, const Stage& stage);

/// Estimates the memory for building and verifying the schedules, passes the estimate to `stage` as a
/// message, and returns it in bytes. Throws Error if it exceeds `limit` bytes (0 = physical memory). If the
/// memory is `bounded`, throws Error only if a C library that a builder uses needs more than a quarter of
/// `limit`. This function and the following ones are stages that other programs also run.
EdgeId check_memory(const Graph& graph, const std::vector<const Builder*>& builders, bool verify,
                    EdgeId limit, const Stage& stage, bool bounded = false);

/// Builds a schedule and measures the time. Throws the errors of the builder.
TimedSchedule build_schedule(const Graph& graph, const Builder& builder, const BuildOptions& options);
/// Builds a schedule and verifies it. Adds the time of the verification to `seconds.verify`.
TimedSchedule build_verified(const Graph& graph, const Builder& builder, const BuildOptions& options,
                             PreprocessSeconds& seconds);

/// Returns the builders with the given names in the order of the registry, each once. "all" stands for every
/// builder. Throws Error (usage) for an unknown name.
std::vector<const Builder*> requested_builders(const std::vector<std::string>& names);

}  // namespace lockstep
