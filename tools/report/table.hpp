// The report's table: runs grouped by data set, device and rank, one row a configuration.
//
// Everything that the outputs (text, CSV, JSON, HTML) show is computed here or in analysis.cpp; the
// writers only format. A number that is not known is NaN. docs/reference/report.md defines every column.
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

/// The stages of a run, in their order.
struct Stage {
    const char* name;
    double RunSeconds::*seconds;
};
inline constexpr Stage stages[] = {
    {"read", &RunSeconds::read},       {"schedule", &RunSeconds::schedule},
    {"prove", &RunSeconds::prove},     {"write", &RunSeconds::write},
    {"load", &RunSeconds::load},       {"transfer", &RunSeconds::transfer},
    {"execute", &RunSeconds::execute}, {"evaluate", &RunSeconds::evaluate},
    {"fit", &RunSeconds::fit},         {"result", &RunSeconds::result},
    {"other", &RunSeconds::other},
};

/// How a strategy keeps conflicting edges apart.
using Kind = Strategy::Kind;
inline std::string_view to_string(Kind kind) { return name_of(kind); }
/// Kind of a strategy; one that this program does not know is offline when its runs used a schedule.
Kind kind_of(std::string_view strategy, bool has_schedule);
/// Position of a strategy in the report; unknown ones come last, all at the same place.
std::size_t place_of(std::string_view strategy);

/// After how many sweeps a row has paid for what it takes before them, against another one of its group. 0: ahead
/// from the start; infinity: never.
struct BreakEven {
    std::string against;  ///< strategy
    double sweeps = 0;    ///< with a schedule that is used once
    double kept = 0;      ///< with one that is in its file already
};

/// One point of a run's curve: after a sweep.
struct CurvePoint {
    double seconds;  ///< execution so far, evaluation left out
    double rmse_train, rmse_test;
};

/// A round over active vertices.
struct Round {
    double seconds = unknown;
    std::string direction = "push", filter = "none";  ///< what made the list of the next round
    double active = unknown, arcs = unknown;          ///< vertices, and arcs that were looked at
};

/// One configuration; of repeated runs every number is the median.
struct Row {
    std::string strategy;
    Kind kind = Kind::offline;
    std::string variant;  ///< what tells it from other rows of its strategy: "sweeps 20, seed 2"
    std::string status;   ///< the record's, or "died"
    bool deterministic = false;
    std::vector<const RunRecord*> runs;
    RunSeconds seconds;          ///< by stage; unknown where the run died
    double per_sweep = unknown;  ///< execution of a sweep: median over sweeps, then over runs
    double spread = unknown;     ///< of several runs: the slowest's less the fastest's, as a part of it
    double predicted = unknown;  ///< seconds a sweep, by lockstep-recommend
    double updates_per_second = unknown;
    double sweeps = unknown;                           ///< done
    double passes = unknown;                           ///< a sweep: median over sweeps, then over runs
    double rmse_train = unknown, rmse_test = unknown;  ///< of the model that was kept
    std::vector<std::string> result_hashes;            ///< distinct, sorted
    std::vector<CurvePoint> curve;                     ///< of the run with the median execution time
    std::size_t kept = 0;                              ///< points of it until the model that the run kept
    // Of runs over active vertices, median over sources, then over runs:
    double rounds = unknown, launches = unknown, registers = unknown, worklist_atomics = unknown;
    std::vector<Round> each_round;  ///< of the first source, in that run
    double speed_up = unknown;      ///< over a serial CPU (comparisons.cpp)
    // analysis.cpp:
    std::string same_as;  ///< the row before it that is the same program on a CPU: not compared with it
    double normalised = unknown;           ///< per_sweep over that of the group's baseline
    std::vector<BreakEven> break_even;     ///< offline: against every other kind's strategy of the group
    std::optional<BreakEven> pays_online;  ///< against the fastest online strategy
    std::optional<BreakEven> pays_racing;  ///< against the fastest racing strategy

    bool finished() const { return status == "ok" || status == "stopped-early"; }
    /// Seconds of a run before its sweeps that differ between strategies: with a schedule that is kept in its
    /// file; and with one that is built, proved and written for it.
    double loading() const { return seconds.load + seconds.transfer; }
    double before_sweeps() const { return seconds.schedule + seconds.prove + seconds.write + loading(); }
    /// "agm-e", "agm-e (seed 2)".
    std::string label() const { return variant.empty() ? strategy : strategy + " (" + variant + ")"; }
};

/// How a number changes with one option, all else equal; with `option` "strategy", with what is not.
struct Comparison {
    std::string title;   ///< "Nested parallelism: speed-up over serial"
    std::string option;  ///< "balance"
    std::string with;    ///< the other options, where there are several of that title: "filter jit:64"
    bool ratio = true;   ///< to a reference, which is 1
    std::vector<std::pair<std::string, double>> values;  ///< of the option; the reference first
};

/// Runs that can be compared: same application, data set, training edges, device and rank.
struct Group {
    std::string data;       ///< name of the input, see data_name()
    RunHeader run;          ///< the first run's: graph, device, rank, application
    std::vector<Row> rows;  ///< offline, online, racing
    // analysis.cpp:
    bool road = false;     ///< input class: road, else scale-free
    bool flat = false;     ///< no run errs: all weights are one number
    std::string baseline;  ///< strategy of the baseline; empty: none
    std::vector<std::string> notes;
    std::vector<Comparison> comparisons;  ///< comparisons.cpp

    std::string_view input_class() const { return road ? "road" : "scale-free"; }
};

/// Geometric mean of a strategy's normalised times over the data sets of one input class.
struct Geomean {
    std::string app, device;
    std::uint32_t rank = 0;
    std::string input_class, baseline, strategy;
    Kind kind = Kind::offline;
    double value = 0;
    std::size_t data_sets = 0;  ///< over how many
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
    std::vector<Geomean> geomeans;  ///< empty unless a device and rank ran several data sets
    std::vector<IdleSchedule> idle;
    std::vector<insight::Probe> probes;
    std::size_t runs = 0;
};

/// What lockstep-recommend --json predicted.
struct Forecast {
    std::string data, device;  ///< stem of the file that was asked about, name of the device
    std::uint32_t rank = 0;
    std::map<std::string, double> per_sweep;  ///< strategy -> seconds
};
/// Throws FormatError naming `path`.
Forecast forecast_from_json(const std::string& text, const std::string& path);
/// Gives the rows of the same data, device and rank what was predicted of them.
void add_forecasts(Table& table, const std::vector<Forecast>& forecasts);
/// How many finished rows were predicted, and how many of them within a factor of 2.
struct Accuracy {
    std::size_t predicted = 0, near = 0;
};
Accuracy accuracy(const Table& table);

/// Groups the records and takes medians; the rows point into `records`. `baseline` as analyse().
Table build_table(const std::vector<RunRecord>& records, const std::vector<ScheduleFileSummary>& files,
                  const std::optional<std::string>& baseline);

/// Fills in baseline, normalised times, break-even and notes of a group. Without `baseline` that is
/// "el", else "el-shuffled", else none.
void analyse(Group& group, const std::optional<std::string>& baseline);
std::vector<Geomean> geomeans(const std::vector<Group>& groups);

using Configuration = std::map<std::string, std::string>;
/// What two runs must share to be repetitions of each other, beside their group; a key an axis of a frontier.
Configuration configuration(const RunRecord& record);
/// What each differs in from the others, but for its status: "seed 2, sweeps 20".
std::vector<std::string> differences(const std::vector<Configuration>& all);

/// Fills in what runs over active vertices gain over the serial CPU, and by each axis alone.
void compare(std::vector<Group>& groups);

/// Rounds one after another of one direction whose lists one filter made.
struct RoundSpan {
    std::string name;   ///< "push, ballot"
    std::size_t first;  ///< from 0
    std::span<const Round> rounds;
};
std::vector<RoundSpan> spans_of(std::span<const Round> rounds);
/// As the metrics of a sweep have them; none where they do not.
std::vector<Round> rounds_of(const SweepRecord& sweep);

/// The fastest finished row a sweep among those that `kind` (and `strategy`) names; null if none.
const Row* fastest(const Group& group, Kind kind, const std::optional<std::string>& strategy = std::nullopt);

/// Median of the numbers that are known; unknown when there is none.
double median(std::vector<double> values);

/// What a data set is called: the name of the file that the graph was read from, without folder and suffixes
/// ("ratings" for data/ratings.csv.gz); the schedule file's where that is not known, or was a stream.
std::string data_name(const std::optional<std::string>& input, const std::string& schedule_file);

/// "AMD EPYC 9B45, 2 threads", "NVIDIA H200, 132 multiprocessors".
std::string device_text(const DeviceInfo& device);

/// The offline row that is first to pay against the fastest online strategy; null if none ever does.
const Row* first_to_pay(const Group& group);

/// What a reader wants to know first: the fastest sweeps, and which schedule is first to pay.
std::string headline(const Group& group);

}  // namespace lockstep::report
