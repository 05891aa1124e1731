// The table of the report: runs grouped by data set, device and rank, one row per configuration.
//
// Everything that the outputs (text, CSV, JSON, HTML) show is computed here or in analysis.cpp; the writers
// only format. An unknown number is NaN. docs/reference/report.md defines every column.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "insight/probe.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/run_record.hpp"
#include "lockstep/formats/schedule_file.hpp"

namespace lockstep::report {

inline constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// The stages of a run, in chronological order.
struct Stage {
    const char* name;
    double RunSeconds::*seconds;
};
inline constexpr Stage stages[] = {
    {"read", &RunSeconds::read},       {"schedule", &RunSeconds::schedule},
    {"prove", &RunSeconds::verify},    {"write", &RunSeconds::write},
    {"load", &RunSeconds::load},       {"transfer", &RunSeconds::transfer},
    {"execute", &RunSeconds::execute}, {"evaluate", &RunSeconds::evaluate},
    {"fit", &RunSeconds::fit},         {"result", &RunSeconds::result},
    {"other", &RunSeconds::other},
};

/// The way in which a strategy synchronizes conflicting edges.
using Kind = Strategy::Kind;
inline std::string_view to_string(Kind kind) { return name_of(kind); }
/// Returns the kind of a strategy. A strategy that this program does not know is offline if its runs used a
/// schedule.
Kind kind_of(std::string_view strategy, bool has_schedule);
/// Returns the position of a strategy in the report; all unknown strategies share the last position.
std::size_t place_of(std::string_view strategy);

/// The break-even of two strategies in the table of a report. A strategy may need more time before its first
/// sweep, because its schedule must be built, and less time per sweep than the other one. `sweeps` and `kept`
/// are the number of sweeps after which it has needed less time in total. 0: it is ahead from the start;
/// infinity: it never is.
struct BreakEven {
    std::string against;  ///< the other strategy
    double sweeps = 0;    ///< if the schedule is used only once
    double kept = 0;      ///< if the schedule is already in its file
};

/// One point of a run's curve: the state after a sweep.
struct CurvePoint {
    double seconds;  ///< execution time so far, without evaluation
    double rmse_train, rmse_test;
};

/// A round over active vertices.
struct Round {
    double seconds = unknown;
    /// Filter: the filter that made the list of the next round.
    std::string direction = "push", filter = "none";
    double active = unknown, arcs = unknown;  ///< numbers of active vertices, and of visited arcs
};

/// One configuration. If there are repeated runs, every number is their median.
struct Row {
    std::string strategy;
    Kind kind = Kind::offline;
    std::string variant;  ///< differences from the other rows of the strategy: "sweeps 20, seed 2"
    std::string status;   ///< status of the record, or "died"
    bool deterministic = false;
    std::vector<const RunRecord*> runs;
    RunSeconds seconds;          ///< seconds by stage; unknown if the run died
    double per_sweep = unknown;  ///< execution time of a sweep: median over sweeps, then over runs
    double spread = unknown;     ///< relative spread of several runs: (slowest - fastest) / median
    double predicted = unknown;  ///< seconds per sweep that lockstep-recommend predicted
    double updates_per_second = unknown;
    double sweeps = unknown;  ///< number of sweeps done
    double passes = unknown;  ///< number of passes per sweep: median over sweeps, then over runs
    double rmse_train = unknown, rmse_test = unknown;  ///< errors of the model that was kept
    std::vector<std::string> result_hashes;            ///< distinct and sorted
    std::vector<CurvePoint> curve;                     ///< curve of the run with the median execution time
    std::size_t kept = 0;  ///< number of points of the curve up to the model that the run kept
    // The following members belong to runs over active vertices. Each is the median over sources, then over
    // runs.
    double rounds = unknown, launches = unknown, registers = unknown, worklist_atomics = unknown;
    std::vector<Round> each_round;  ///< rounds of the first source in the run with the median execution time
    double speed_up = unknown;      ///< speed-up over a serial CPU (set in comparisons.cpp)
    // The following members are set in analysis.cpp.
    std::string same_as;  ///< an earlier row that runs the same program on a CPU; this row is not compared
    double normalised = unknown;        ///< per_sweep divided by that of the group's baseline
    std::vector<BreakEven> break_even;  ///< offline rows: against every strategy of another kind in the group
    std::optional<BreakEven> pays_online;  ///< break-even against the fastest online strategy
    std::optional<BreakEven> pays_racing;  ///< break-even against the fastest racing strategy

    bool finished() const { return status == "ok" || status == "stopped-early"; }
    /// Return the seconds of a run before its sweeps, as far as they differ between strategies: `loading` if
    /// the schedule is already in its file, `before_sweeps` if it is built, verified and written for the run.
    double loading() const { return seconds.load + seconds.transfer; }
    double before_sweeps() const { return seconds.schedule + seconds.verify + seconds.write + loading(); }
    /// Returns the label of the row: "agm-e", "agm-e (seed 2)".
    std::string label() const { return variant.empty() ? strategy : strategy + " (" + variant + ")"; }
};

/// Dependence of a number on one option. All other options are equal, except if `option` is "strategy".
struct Comparison {
    std::string title;   ///< "Nested parallelism: speed-up over serial"
    std::string option;  ///< "balance"
    std::string with;    ///< the other options, if several comparisons have the same title: "filter jit:64"
    bool ratio = true;   ///< whether the values are ratios to a reference, whose own value is 1
    /// Value of the option, number; the reference comes first.
    std::vector<std::pair<std::string, double>> values;
};

/// Runs that can be compared: they have the same application, data set, training edges, device and rank.
struct Group {
    std::string data;       ///< name of the input, see data_name()
    RunHeader run;          ///< header of the first run: graph, device, rank, application
    std::vector<Row> rows;  ///< offline rows, then online, then racing rows
    // The following members are set in analysis.cpp.
    bool road = false;     ///< input class: road; otherwise scale-free
    bool flat = false;     ///< no run has an error, since all weights are equal
    std::string baseline;  ///< strategy of the baseline; empty if there is none
    std::vector<std::string> notes;
    std::vector<Comparison> comparisons;  ///< set in comparisons.cpp

    std::string_view input_class() const { return road ? "road" : "scale-free"; }
};

/// Geometric mean of a strategy's normalised times over the data sets of one input class.
struct Geomean {
    std::string app, device;
    std::uint32_t rank = 0;
    std::string input_class, baseline, strategy;
    Kind kind = Kind::offline;
    double value = 0;
    std::size_t data_sets = 0;  ///< number of data sets
};

/// A schedule in a file that no run used.
struct IdleSchedule {
    std::string data, path, graph_hash;
    EdgeId max_degree = 0;
    PreprocessSeconds file_seconds;
    ScheduleSummary schedule;
};

struct Table {
    std::vector<Group> groups;
    std::vector<Geomean> geomeans;  ///< empty unless several data sets ran on a device with a rank
    std::vector<IdleSchedule> idle;
    std::vector<insight::Probe> probes;
    std::size_t runs = 0;
};

/// The predictions of lockstep-recommend --json.
struct Forecast {
    std::string data, device;  ///< stem of the file for which the prediction was made, and name of the device
    std::uint32_t rank = 0;
    std::map<std::string, double> per_sweep;  ///< strategy -> seconds
};
/// Parses a forecast. Throws FormatError with `path`.
Forecast forecast_from_json(const std::string& text, const std::string& path);
/// Stores the predictions in the rows with the same data, device and rank.
void add_forecasts(Table& table, const std::vector<Forecast>& forecasts);
/// The number of finished rows with a prediction, and the number of predictions within a factor of 2.
struct Accuracy {
    std::size_t predicted = 0, near = 0;
};
Accuracy accuracy(const Table& table);

/// Groups the records and computes medians; the rows point into `records`. `baseline` is passed to analyse().
Table build_table(const std::vector<RunRecord>& records, const std::vector<ScheduleFileSummary>& files,
                  const std::optional<std::string>& baseline);

/// Computes baseline, normalised times, break-even and notes of a group. If `baseline` is absent, the
/// baseline is "el" if the group has it, else "el-shuffled", else none.
void analyse(Group& group, const std::optional<std::string>& baseline);
std::vector<Geomean> geomeans(const std::vector<Group>& groups);

using Configuration = std::map<std::string, std::string>;
/// Returns the parameters that two runs of a group must share to be repetitions of each other; one key per
/// axis of a frontier.
Configuration configuration(const RunRecord& record);
/// Returns for each configuration the parameters in which it differs from the others, except the status:
/// "seed 2, sweeps 20".
std::vector<std::string> differences(const std::vector<Configuration>& all);

/// Computes the speed-ups of runs over active vertices, compared with a serial CPU, and for each axis alone.
void compare(std::vector<Group>& groups);

/// Consecutive rounds of one direction whose lists were made by one filter.
struct RoundSpan {
    std::string name;   ///< "push, ballot"
    std::size_t first;  ///< index of the first round, from 0
    std::span<const Round> rounds;
};
std::vector<RoundSpan> spans_of(std::span<const Round> rounds);
/// Returns the rounds that the metrics of a sweep contain; empty if they contain none.
std::vector<Round> rounds_of(const SweepRecord& sweep);

/// Returns the finished row of this `kind` (and `strategy`) with the fastest sweep; null if there is none.
const Row* fastest(const Group& group, Kind kind, const std::optional<std::string>& strategy = std::nullopt);

/// Returns the median of the known numbers; unknown if there are none.
double median(std::vector<double> values);

/// Returns the name of a data set: the name of the file from which the graph was read, without folder and
/// suffixes ("ratings" for data/ratings.csv.gz). If that file is unknown, or was a stream, returns the name
/// of the schedule file.
std::string data_name(const std::optional<std::string>& input, const std::string& schedule_file);

/// Describes a device: "AMD EPYC 9B45, 2 threads", "NVIDIA H200, 132 multiprocessors".
std::string device_text(const DeviceInfo& device);

/// Returns the main results as text: the fastest sweeps, and the schedule with the smallest break-even.
std::string headline(const Group& group);

}  // namespace lockstep::report
