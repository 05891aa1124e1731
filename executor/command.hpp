// What the runs of all applications share: the schedule file, the record, notes and JSON.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli.hpp"
#include "file_lock.hpp"
#include "lockstep/executor/strategy.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "options.hpp"

namespace lockstep {

/// One run of an application on a schedule file, from the file to the last line of the record.
class Command {
public:
    /// Reads the graph and the schedule that `strategy` needs, or the order that the request names, and
    /// proves the schedule where no locks guard it. Throws FormatError with the command that adds the
    /// schedule where it is not in the file, or does not hold what it claims.
    Command(const ExecuteRequest& request, const cli::Common& common, const Strategy& strategy);

    const ExecuteRequest& request;
    const cli::Common& common;
    const Strategy& strategy;
    ScheduleFile file;
    const TimedSchedule* schedule = nullptr;  ///< nullptr: the graph as it is
    RunHeader header;                         ///< filled in by start()
    RunEnd end;                               ///< filled in by finish()

    const Graph& graph() const { return file.dataset.graph; }
    const Schedule* schedule_data() const { return schedule ? &schedule->schedule : nullptr; }

    /// The device is known: completes the header (`header` has what the application says), opens the record
    /// and notes what runs where.
    void start(const DeviceInfo& device, const std::string& device_note, EdgeId device_bytes,
               const std::string& what);
    void sweep(const SweepRecord& record);
    /// The run is over. `updates` are edges processed.
    void finish(const std::string& status, const std::string& result_hash, const RunSeconds& seconds,
                EdgeId updates);
    /// What the JSON of every application begins with; the application's own keys follow.
    nlohmann::ordered_json json() const;
    /// The seconds by stage, for the JSON.
    nlohmann::ordered_json seconds_json() const;

    /// Where a result that was to go to `path` goes: beside it after an interruption, which is noted.
    std::string result_path(const std::string& path, const std::string& status) const;
    /// Whether the closing lines are to be printed: nothing else goes to standard output.
    bool prints_text() const;

private:
    /// Refuses a schedule that `strategy` cannot walk, or whose concurrent work conflicts.
    void check_schedule();

    double load_seconds_ = 0, prove_seconds_ = 0;
    const char* proof_ = nullptr;  ///< "proved", "remembered", "unproved"; nullptr: nothing to prove
    EdgeId device_bytes_ = 0;
    std::unique_ptr<RunRecorder> recorder_;
    std::optional<cli::FileLock> lock_;
    std::optional<cli::Progress> progress_;
    std::string error_;  ///< of the last evaluation, for the progress
};

/// A number for JSON, null where it is not finite.
nlohmann::ordered_json number_or_null(double value);

int execute_sgd(const ExecuteRequest& request, const cli::Common& common);
int execute_pagerank(const ExecuteRequest& request, const cli::Common& common);

}  // namespace lockstep
