// The schedule file: one graph and any number of schedules for it, in HDF5. lockstep-preprocess writes it,
// and lockstep-execute and lockstep-train read it. SCHEMA.md describes the layout.
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

/// A schedule, and the time in seconds that the builder took.
struct TimedSchedule {
    Schedule schedule;
    double seconds = 0;
};

/// Duration of each stage of lockstep-preprocess in seconds; 0 if the stage was left out.
struct PreprocessSeconds {
    double read = 0;
    double schedule = 0;  ///< time to build all schedules
    double verify = 0;    ///< additional time of the verification, which runs concurrently with the writing
    double write = 0;     ///< time to write the arrays, until the file is closed
};

/// The attributes of one schedule in a schedule file, without its arrays.
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
/// The attributes of a schedule file and of its schedules, without the arrays.
struct ScheduleFileSummary {
    std::string path;
    std::string version;       ///< version of the file format, such as "1.0"
    std::string program;       ///< name, version and revision of the program that wrote the file
    std::string content_hash;  ///< XXH3-128 of all attributes, including the hashes of graph and schedules
    std::string graph_hash;    ///< XXH3-128 of the graph's arrays and IDs, as hexadecimal digits
    VertexId rows = 0, cols = 0;
    EdgeId edges = 0;
    MaxDegree max_degree;
    DegreeStatistics row_degrees, col_degrees;  ///< files of format 1.0 contain only the maximum degree
    double col_reuse = 0;                       ///< result of column_reuse(); 0 in files of format 1.0
    GraphShape shape = GraphShape::bipartite;
    Ends ends = Ends::sides;
    bool directed = true;
    bool weighted = false;
    std::string row_ids, col_ids;  ///< descriptions of the IDs, as IdMap::describe() returns them
    Source source;
    PreprocessSeconds seconds;
    std::vector<ScheduleSummary> schedules;
};

/// Returns the hash that identifies a graph in schedule files, models and run records: the XXH3-128 hash of
/// its arrays and IDs, as hexadecimal digits.
std::string graph_hash(const Dataset& dataset);

/// Returns the summary of the schedule file that write_schedule_file() would write for these arguments. Path,
/// version, program and content hash stay empty. O(edges).
ScheduleFileSummary summarize_schedule_file(const Dataset& dataset,
                                            const std::vector<TimedSchedule>& schedules,
                                            const PreprocessSeconds& seconds);

/// Writes a schedule file atomically: writes a temporary file in the same folder, flushes it to the disk and
/// renames it. Throws OutputError; then an existing file stays as it was. `deflate` is the compression level
/// from 0 (none) to 9. `seconds` are the times to store in the file; if they are empty, no times are stored,
/// and equal data give byte-identical files. `proved` is a function that waits for the verification, which
/// runs concurrently: it is called after the arrays are written and before the file gets its name. It throws
/// if the file must not be created, and returns the seconds that it waited. Returns the seconds that the
/// writing took, without this wait.
double write_schedule_file(const std::filesystem::path& path, const Dataset& dataset,
                           const std::vector<TimedSchedule>& schedules,
                           const std::optional<PreprocessSeconds>& seconds, int deflate = 0,
                           const std::function<double()>& proved = {});

/// The contents of a schedule file, or those of its schedules that were requested.
struct ScheduleFile {
    Dataset dataset;
    std::vector<TimedSchedule> schedules;
    ScheduleFileSummary summary;
};
/// Reads a schedule file. Checks structure, sizes, checksums, content hash and ranges before any data are
/// used. Throws FormatError. `names` are the schedules to read, in the order of the result; without it, all
/// are read. Throws ScheduleError with the names in the file if a schedule is missing. If `input_order` is
/// false, the input order of the graph (a third of the data) is not read, unless the edges have times: edges
/// of equal times are sorted by input order.
ScheduleFile read_schedule_file(const std::filesystem::path& path,
                                const std::optional<std::vector<std::string>>& names = std::nullopt,
                                bool input_order = true);

/// Reads only the attributes of a schedule file. This takes little time, whatever the size of the file.
ScheduleFileSummary read_schedule_file_summary(const std::filesystem::path& path);

}  // namespace lockstep
