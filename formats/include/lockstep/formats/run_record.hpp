// The run record: JSON lines that describe runs, with their device, data and result.
//
//     {"record":"run",   …}   once, before the first sweep
//     {"record":"sweep", …}   after every sweep
//     {"record":"end",   …}   once, with the status and the seconds by stage
//
// A file may contain several runs; the key "run" in every line identifies the run. docs/reference/files.md
// lists the keys.
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

struct DeviceInfo {
    std::string kind;           ///< "cpu", "cuda" or "reference"
    std::string name;           ///< e.g. "AMD EPYC 9B45", "NVIDIA H200"
    std::uint64_t threads = 0;  ///< number of CPU threads, or of multiprocessors of a GPU
    std::string driver;         ///< versions of CUDA driver and runtime; empty for the CPU
};

/// The "run" line.
struct RunHeader {
    std::string program;  ///< name, version, revision of the program
    std::vector<std::string> command;
    std::string started;  ///< start time in UTC, ISO 8601
    std::string app;      ///< application, as --app names it
    std::string strategy;
    bool deterministic = false;
    DeviceInfo device;
    std::uint32_t rank = 0;
    std::uint64_t seed = 0;
    std::uint64_t sweeps = 0;  ///< requested number of sweeps
    /// `schedule_hash` is empty for purely online runs.
    std::string schedule_file, graph_hash, schedule_hash;
    VertexId rows = 0, cols = 0;
    EdgeId edges = 0, train_edges = 0, test_edges = 0;
    EdgeId max_row_degree = 0, max_col_degree = 0;
    std::optional<std::string> input;  ///< file that the graph was read from; absent in old records
    /// Parameters of the application: learning rate, regularisation, …
    std::map<std::string, std::string> parameters;
};

/// A measured quantity of an application, under the same key in the record and in the JSON output. A value
/// that is not finite is written as null.
struct Metric {
    std::string name;
    double value = 0;
};
using Metrics = std::vector<Metric>;

/// A "sweep" line: one sweep, iteration or round.
struct SweepRecord {
    std::uint64_t sweep = 0;   ///< number of the sweep, from 1
    double seconds = 0;        ///< execution time of this sweep alone
    Metrics metrics;           ///< for SGD: rmse_train and, if there are test edges, rmse_test
    EdgeId updates = 0;        ///< number of edges processed; online strategies count it in the kernel
    std::uint64_t passes = 1;  ///< number of passes over a worklist (strategies EL and NL); 1 for the others

    /// Returns the value of the metric `name`: NaN if it could not be measured, std::nullopt if there is no
    /// such metric.
    std::optional<double> metric(std::string_view name) const {
        for (const Metric& m : metrics) {
            if (m.name == name) return m.value;
        }
        return std::nullopt;
    }
};

/// Seconds by stage. The first three come from the schedule file.
struct RunSeconds {
    double read = 0, schedule = 0, write = 0, load = 0, transfer = 0, execute = 0, evaluate = 0;
    // Stages measured by the program that ran; 0 in old records, which do not contain them.
    double prove = 0;
    double fit = 0;     ///< fitting of biases between the sweeps
    double result = 0;  ///< copying the result back from the device and hashing it
    double other = 0;
};

/// The "end" line.
struct RunEnd {
    std::string status;       ///< "ok", "stopped-early", "diverged", "interrupted"
    std::string result_hash;  ///< XXH3-128 of the factors, hex
    RunSeconds seconds;
    double updates_per_second = 0;
    /// For SGD: sweep whose result is kept; absent in old records.
    std::optional<std::uint64_t> kept_sweep{};
};

struct RunRecord {
    std::string path;  ///< file that the record was read from
    RunHeader run;
    std::vector<SweepRecord> sweeps;
    std::optional<RunEnd> end;  ///< absent if the run did not finish
};

/// Returns the JSON line for a record, without a line end.
std::string record_line(const RunHeader& header);
std::string record_line(const SweepRecord& sweep);
std::string record_line(const RunEnd& end);

/// Appends the lines of one run to a record file ("-": to standard output) and flushes each line. All lines
/// contain the run's id, which is random. Throws OutputError.
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
/// Parses a text that was read from `name`, like read_run_records.
std::vector<RunRecord> parse_run_records(const std::string& text, const std::string& name);

}  // namespace lockstep
