// The run record: a file of JSON lines that describe runs with their device, data, parameters, times and
// results.
//
//     {"record":"run",   …}   once, before the first sweep
//     {"record":"sweep", …}   after every sweep
//     {"record":"end",   …}   once, with the status and the seconds by stage
//
// A file may contain several runs. Every line has the key "run" with the ID of its run.
// docs/reference/files.md lists all keys.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

/// The device on which a run executes.
struct DeviceInfo {
    std::string kind;           ///< "cpu", "cuda" or "reference"
    std::string name;           ///< e.g. "AMD EPYC 9B45", "NVIDIA H200"
    std::uint64_t threads = 0;  ///< number of CPU threads, or of multiprocessors of a GPU
    std::string driver;         ///< versions of CUDA driver and runtime; empty for the CPU
};

/// The contents of the "run" line, which describes the run.
struct RunHeader {
    std::string program;  ///< name, version, revision of the program
    std::vector<std::string> command;
    std::string started;  ///< start time in UTC, ISO 8601
    std::string app;      ///< name of the application, as in --app
    std::string strategy;
    bool deterministic = false;
    DeviceInfo device;
    std::uint32_t rank = 0;
    std::uint64_t seed = 0;
    std::uint64_t sweeps = 0;  ///< requested number of sweeps
    /// `schedule_hash` is empty if the strategy uses no schedule.
    std::string schedule_file, graph_hash, schedule_hash;
    VertexId rows = 0, cols = 0;
    EdgeId edges = 0, train_edges = 0, test_edges = 0;
    EdgeId max_row_degree = 0, max_col_degree = 0;
    std::optional<std::string> input;  ///< file from which the graph was read; old records do not contain it
    /// Parameters of the application: learning rate, regularisation, …
    std::map<std::string, std::string> parameters;
};

/// A measured quantity of an application, such as rmse_test. It has the same key in run records and in the
/// JSON output. NaN and infinity are written as null.
struct Metric {
    std::string name;
    double value = 0;
};
using Metrics = std::vector<Metric>;

/// The contents of a "sweep" line, which describes one sweep, iteration or round.
struct SweepRecord {
    std::uint64_t sweep = 0;  ///< number of the sweep; the first is 1
    double seconds = 0;       ///< execution time of this sweep, without evaluation
    Metrics metrics;          ///< SGD: rmse_train and, if there are test edges, rmse_test
    /// Number of edges that were processed; strategies with locks count them in the kernel.
    EdgeId updates = 0;
    std::uint64_t passes = 1;  ///< number of passes over the worklist in strategies EL and NL; otherwise 1

    /// Returns the value of the metric `name`: NaN if it could not be measured, std::nullopt if the sweep has
    /// no such metric.
    std::optional<double> metric(std::string_view name) const {
        for (const Metric& m : metrics) {
            if (m.name == name) return m.value;
        }
        return std::nullopt;
    }
};

/// The duration of each stage of a run in seconds. `read`, `schedule` and `write` are those of
/// lockstep-preprocess and come from the schedule file.
struct RunSeconds {
    double read = 0, schedule = 0, write = 0, load = 0, transfer = 0, execute = 0, evaluate = 0;
    // Later additions, which are 0 if an old record does not contain them.
    double verify = 0;
    double fit = 0;     ///< time for fitting biases between the sweeps
    double result = 0;  ///< time for copying the result from the device and hashing it
    double other = 0;
};

/// The contents of the "end" line, which describes the end of a run.
struct RunEnd {
    std::string status;       ///< "ok", "stopped-early", "diverged", "interrupted"
    std::string result_hash;  ///< XXH3-128 of the factors, hex
    RunSeconds seconds;
    double updates_per_second = 0;
    /// Sweep whose factors are the result (SGD only); old records do not contain it.
    std::optional<std::uint64_t> kept_sweep{};
};

/// A run as it is read from a record file.
struct RunRecord {
    std::string path;  ///< file that the record was read from
    RunHeader run;
    std::vector<SweepRecord> sweeps;
    std::optional<RunEnd> end;  ///< absent if the run has not finished
};

/// Returns the JSON line with these contents, without a line end and without the ID of the run.
std::string record_line(const RunHeader& header);
std::string record_line(const SweepRecord& sweep);
std::string record_line(const RunEnd& end);

/// Appends the lines of one run to a record file, or to standard output ("-"). Every line is written
/// immediately, and contains the ID of the run, which is random. Throws OutputError.
class RunRecorder {
public:
    explicit RunRecorder(const std::filesystem::path& path);
    ~RunRecorder();
    RunRecorder(const RunRecorder&) = delete;
    RunRecorder& operator=(const RunRecorder&) = delete;
    void write(const RunHeader& header);
    void write(const SweepRecord& sweep);
    void write(const RunEnd& end);

private:
    void line(std::string text);
    std::string path_, id_;
    int file_ = -1;
};

/// Reads all runs of a record file. Throws FormatError with path and line.
std::vector<RunRecord> read_run_records(const std::filesystem::path& path);
/// Parses the text of a record file, like read_run_records(). `name` is the name of the file in messages.
std::vector<RunRecord> parse_run_records(const std::string& text, const std::string& name);

}  // namespace lockstep
