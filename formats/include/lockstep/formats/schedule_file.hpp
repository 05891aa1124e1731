// The schedule file: one graph and any number of schedules for it, in HDF5. SCHEMA.md describes the layout.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/formats/dataset.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// A schedule and the time in seconds that building it took.
struct TimedSchedule {
    Schedule schedule;
    double seconds = 0;
};

/// Preprocessing time by stage, in seconds; 0 for a stage that did not happen.
struct PreprocessSeconds {
    double read = 0;
    double schedule = 0;  ///< time to build all schedules
    double verify = 0;    ///< time that the verification took longer than the work done concurrently with it
    double write = 0;     ///< writing the arrays, before hashing and renaming
};

/// Attributes of a schedule in a schedule file, without its arrays.
struct ScheduleSummary {
    std::string name;
    std::map<std::string, std::string> parameters;
    double seconds = 0;
    std::string hash;  ///< XXH3-128 of the schedule's arrays, hex
    Disjoint disjoint = Disjoint::none;
    bool maximal = false;
    EdgeId locked = 0;
    ScheduleStatistics statistics;
};
struct ScheduleFileSummary {
    std::string path;
    std::string version;       ///< version of the format, "1.0"
    std::string program;       ///< name, version and revision of the program that wrote the file
    std::string content_hash;  ///< XXH3-128 of all attributes, including the hashes of graph and schedules
    std::string graph_hash;    ///< XXH3-128 of the graph's arrays and ids, hex
    VertexId rows = 0, cols = 0;
    EdgeId edges = 0;
    MaxDegree max_degree;
    DegreeStatistics row_degrees, col_degrees;  ///< only the maximum is set in files of format 1.0
    double col_reuse = 0;                       ///< result of column_reuse(); 0 in files of format 1.0
    GraphShape shape = GraphShape::bipartite;
    Ends ends = Ends::sides;
    bool directed = true;
    bool weighted = false;
    std::string row_ids, col_ids;  ///< output of IdMap::describe()
    Source source;
    PreprocessSeconds seconds;
    std::vector<ScheduleSummary> schedules;
};

/// Returns the XXH3-128 hash of a graph's arrays and ids, in hex. A schedule file uses it to identify its
/// graph.
std::string graph_hash(const Dataset& dataset);

/// Returns the summary that a schedule file of these arguments would have, without path, version, program and
/// content hash. O(edges).
ScheduleFileSummary summarised(const Dataset& dataset, const std::vector<TimedSchedule>& schedules,
                               const PreprocessSeconds& seconds);

/// Writes a schedule file atomically: writes a temporary file in the same folder, calls fsync and renames it.
/// Throws OutputError; an existing file is then left untouched. `deflate` is the compression level from 0
/// (off) to 9. Returns the seconds that writing took. The file also stores the times, unless `seconds` is
/// empty; then its content depends on the other arguments alone.
/// `proved` is called when the arrays are written, before the file gets its name. It waits for the concurrent
/// verification, throws if the file must not be created, and returns the seconds that it waited, which do not
/// count as writing.
double write_schedule_file(const std::filesystem::path& path, const Dataset& dataset,
                           const std::vector<TimedSchedule>& schedules,
                           const std::optional<PreprocessSeconds>& seconds, int deflate = 0,
                           const std::function<double()>& proved = {});

/// Reads a schedule file. Checks structure, sizes, checksums, content hash and ranges before anything is
/// used. Throws FormatError. Only the schedules in `names` are loaded, in that order (without `names`: all).
/// If one is missing, throws ScheduleError, which lists the existing ones. Without `input_order`, the input
/// order of the graph is not loaded (a third of the data), unless the file contains times: edges with equal
/// times are ordered by it.
struct ScheduleFile {
    Dataset dataset;
    std::vector<TimedSchedule> schedules;
    ScheduleFileSummary summary;
};
ScheduleFile read_schedule_file(const std::filesystem::path& path,
                                const std::optional<std::vector<std::string>>& names = std::nullopt,
                                bool input_order = true);

/// Reads the attributes only, which is cheap.
ScheduleFileSummary read_schedule_file_summary(const std::filesystem::path& path);

}  // namespace lockstep
