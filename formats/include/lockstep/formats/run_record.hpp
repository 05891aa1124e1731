// The run record: JSON lines that say what was run, where, on which data, and what came of it.
//
//     {"record":"run",   …}   once, before the first sweep
//     {"record":"sweep", …}   after every sweep
//     {"record":"end",   …}   once, with the status and the seconds by stage
//
// A file may hold several runs; "run" in every line says which it is of. docs/reference/files.md lists the keys.
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
    std::uint64_t threads = 0;  ///< CPU threads, or multiprocessors
    std::string driver;         ///< CUDA driver and runtime versions, empty for the CPU
};

/// The "run" line.
struct RunHeader {
    std::string program;  ///< name, version, revision
    std::vector<std::string> command;
    std::string started;  ///< UTC, ISO 8601
    std::string app;      ///< as --app names it
    std::string strategy;
    bool deterministic = false;
    DeviceInfo device;
    std::uint32_t rank = 0;
    std::uint64_t seed = 0;
    std::uint64_t sweeps = 0;                              ///< asked for
    std::string schedule_file, graph_hash, schedule_hash;  ///< schedule_hash empty for pure online runs
    VertexId rows = 0, cols = 0;
    EdgeId edges = 0, train_edges = 0, test_edges = 0;
    EdgeId max_row_degree = 0, max_col_degree = 0;
    std::optional<std::string> input;  ///< file that the graph was read from; absent in records of old
    std::map<std::string, std::string> parameters;  ///< learning rate, regularisation, …
};

/// What an application measures, under the key of the record and the JSON; a value that is not finite is
/// written as null.
struct Metric {
    std::string name;
    double value = 0;
};
using Metrics = std::vector<Metric>;

/// A "sweep" line: a sweep, an iteration, a round.
struct SweepRecord {
    std::uint64_t sweep = 0;   ///< 1, 2, …
    double seconds = 0;        ///< execution of this sweep alone
    Metrics metrics;           ///< of SGD rmse_train and, where there are test edges, rmse_test
    EdgeId updates = 0;        ///< edges processed, counted by the kernel where it is online
    std::uint64_t passes = 1;  ///< passes over a worklist (EL, NL); 1 elsewhere

    /// The value of that name, NaN where it could not be measured; nothing where there is none.
    std::optional<double> metric(std::string_view name) const {
        for (const Metric& m : metrics) {
            if (m.name == name) return m.value;
        }
        return std::nullopt;
    }
};

/// Seconds by stage; the first three come from the schedule file.
struct RunSeconds {
    double read = 0, schedule = 0, write = 0, load = 0, transfer = 0, execute = 0, evaluate = 0;
    // Of the program that ran; 0 in records of before they had them.
    double prove = 0;
    double fit = 0;     ///< biases, between the sweeps
    double result = 0;  ///< back from the device, hashed
    double other = 0;
};

/// The "end" line.
struct RunEnd {
    std::string status;       ///< "ok", "stopped-early", "diverged", "interrupted"
    std::string result_hash;  ///< XXH3-128 of the factors, hex
    RunSeconds seconds;
    double updates_per_second = 0;
    std::optional<std::uint64_t> kept_sweep{};  ///< whose result is kept, of SGD; absent in records of old
};

struct RunRecord {
    std::string path;  ///< file it was read from
    RunHeader run;
    std::vector<SweepRecord> sweeps;
    std::optional<RunEnd> end;  ///< absent when the run died
};

/// The lines, without their ends.
std::string record_line(const RunHeader& header);
std::string record_line(const SweepRecord& sweep);
std::string record_line(const RunEnd& end);

/// Appends the lines of one run to a record file ("-": to standard output), flushed line by line; all have
/// the run's id, which is drawn. Throws OutputError.
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

/// Reads every run of a record file. Throws FormatError with path and line.
std::vector<RunRecord> read_run_records(const std::filesystem::path& path);
/// The same of a text that was read from `name`.
std::vector<RunRecord> parse_run_records(const std::string& text, const std::string& name);

}  // namespace lockstep
