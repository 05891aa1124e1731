// The schedule file: one graph and any number of schedules of it, in HDF5. The layout is SCHEMA.md.
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

/// A schedule with the time it took to build.
struct TimedSchedule {
    Schedule schedule;
    double seconds = 0;
};

/// Preprocessing time by stage, in seconds; a stage that did not happen is 0.
struct PreprocessSeconds {
    double read = 0;
    double schedule = 0;  ///< all schedules together
    double verify = 0;    ///< that the proof took longer than what went on beside it
    double write = 0;     ///< arrays written, before hash and rename
};

/// What stands in a schedule file beside the arrays.
struct ScheduleSummary {
    std::string name;
    std::map<std::string, std::string> parameters;
    double seconds = 0;
    std::string hash;  ///< XXH3-128 of its arrays, hex
    Disjoint disjoint = Disjoint::none;
    bool maximal = false;
    EdgeId locked = 0;
    ScheduleStatistics statistics;
};
struct ScheduleFileSummary {
    std::string path;
    std::string version;       ///< of the format, "1.0"
    std::string program;       ///< name, version and revision that wrote it
    std::string content_hash;  ///< XXH3-128 of all attributes, the hashes of graph and schedules among them
    std::string graph_hash;    ///< XXH3-128 of the graph's arrays and ids, hex
    VertexId rows = 0, cols = 0;
    EdgeId edges = 0;
    MaxDegree max_degree;
    DegreeStatistics row_degrees, col_degrees;  ///< files of format 1.0: the largest alone
    double col_reuse = 0;                       ///< column_reuse(); 0 in files of format 1.0
    GraphShape shape = GraphShape::bipartite;
    Ends ends = Ends::sides;
    bool directed = true;
    bool weighted = false;
    std::string row_ids, col_ids;  ///< IdMap::describe
    Source source;
    PreprocessSeconds seconds;
    std::vector<ScheduleSummary> schedules;
};

/// XXH3-128 of a graph's arrays and ids, hex: what a schedule file says it was made for.
std::string graph_hash(const Dataset& dataset);

/// What would stand in a schedule file of these beside the arrays; without path, version, program and content
/// hash. O(edges).
ScheduleFileSummary summarised(const Dataset& dataset, const std::vector<TimedSchedule>& schedules,
                               const PreprocessSeconds& seconds);

/// Writes atomically: to a temporary file beside `path`, fsync, rename. Throws OutputError; the old
/// file, if any, is then untouched. `deflate` 0–9 (0 = off). Returns the seconds it took to write, which
/// the file also names, unless there are no `seconds`: then it depends on the contents alone. `proved` is called when
/// the arrays are written, before the file gets its name: it waits for what goes on beside, throws where there is to
/// be no file, and returns the seconds that were waited for a proof, which do not count as writing.
double write_schedule_file(const std::filesystem::path& path, const Dataset& dataset,
                           const std::vector<TimedSchedule>& schedules,
                           const std::optional<PreprocessSeconds>& seconds, int deflate = 0,
                           const std::function<double()>& proved = {});

/// Checked reading: structure, sizes, checksums, content hash and ranges before anything is used.
/// Throws FormatError. Only the schedules named are loaded, in that order (without `names`: all);
/// throws ScheduleError, listing those there are, when one is missing. Without `input_order` that of the
/// graph is left out, a third of what there is to load, unless there are times, which stand in it.
struct ScheduleFile {
    Dataset dataset;
    std::vector<TimedSchedule> schedules;
    ScheduleFileSummary summary;
};
ScheduleFile read_schedule_file(const std::filesystem::path& path,
                                const std::optional<std::vector<std::string>>& names = std::nullopt,
                                bool input_order = true);

/// Attributes only: cheap, without reading the arrays.
ScheduleFileSummary read_schedule_file_summary(const std::filesystem::path& path);

}  // namespace lockstep
