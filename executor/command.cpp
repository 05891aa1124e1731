#include "command.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lockstep/formats/cache_folder.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/version.hpp"
#include "lockstep/schedules/verify.hpp"
#include "outputs.hpp"

namespace lockstep {

namespace {

std::optional<std::string> needed_schedule(const ExecuteRequest& request, const Strategy& strategy) {
    if (!request.order)
        return strategy.schedule ? std::optional<std::string>(strategy.schedule) : std::nullopt;
    if (!strategy.takes_any_order())
        throw cli::UsageError(
            fmt::format("--order does not apply to {}, whose order is its schedule's", strategy.name));
    return *request.order == "given" ? std::nullopt : request.order;
}

const ScheduleSummary* summary_of(const ScheduleFileSummary& file, const std::string& name) {
    const auto found = std::find_if(file.schedules.begin(), file.schedules.end(),
                                    [&](const ScheduleSummary& s) { return s.name == name; });
    return found == file.schedules.end() ? nullptr : &*found;
}

void require_schedule(const ScheduleFileSummary& summary, const ExecuteRequest& request,
                      const Strategy& strategy, const std::string& name) {
    if (summary_of(summary, name)) return;
    std::string present;
    for (const ScheduleSummary& s : summary.schedules) present += (present.empty() ? "" : ", ") + s.name;
    throw FormatError(
        request.file,
        fmt::format(
            "strategy {} needs the schedule \"{}\", which is not in this file (it has: {}); add it with "
            "lockstep-preprocess {} -o {} --schedule {}",
            strategy.name, name, present.empty() ? "none" : present, request.file, request.file, name));
}

/// Whether concurrent work writes both ends of edges without locks. Neighbour plans see to their targets
/// themselves (take_tasks).
bool needs_proof(const Strategy& strategy) {
    return strategy.schedule && !strategy.takes_any_order() && !visits_neighbours(strategy.walk);
}

}  // namespace

nlohmann::ordered_json number_or_null(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

Command::Command(const ExecuteRequest& request_, const cli::Common& common_, const Strategy& strategy_)
    : request(request_), common(common_), strategy(strategy_) {
    const cli::Stopwatch load;
    const std::optional<std::string> name = needed_schedule(request, strategy);
    if (name) require_schedule(read_schedule_file_summary(request.file), request, strategy, *name);
    file = read_schedule_file(request.file, name ? std::vector{*name} : std::vector<std::string>{});
    if (name) schedule = &file.schedules.front();
    if (schedule) check_schedule();
    load_seconds_ = load.seconds();
}

void Command::check_schedule() {
    const Schedule& s = schedule->schedule;
    const auto refuse = [&](const std::string& what) {
        throw FormatError(request.file,
                          fmt::format("{}; make it anew: lockstep-preprocess {} -o {} --schedule {}", what,
                                      request.file, request.file, s.name));
    };
    try {
        require_form(graph(), strategy, &s);
    } catch (const ScheduleError& e) {
        refuse(e.what());
    }
    if (!needs_proof(strategy)) return;
    const std::string &of_graph = file.summary.graph_hash,
                      of_schedule = summary_of(file.summary, s.name)->hash;
    if (request.trust) {
        proof_ = "unproved";
        cli::note(common, fmt::format("note: schedule {} is trusted, not proved", s.name));
    } else if (was_proved(of_graph, of_schedule)) {
        proof_ = "remembered";
    } else {
        const cli::Stopwatch watch;
        const Verification proof = verify_concurrency(graph(), s);
        prove_seconds_ = watch.seconds();
        if (!proof.ok())
            refuse(
                fmt::format("schedule \"{}\" does not hold what it claims: {}", s.name, proof.problems[0]));
        proof_ = "proved";
        remember_proof(of_graph, of_schedule);
    }
}

void Command::start(const DeviceInfo& device, const std::string& device_note, EdgeId device_bytes,
                    const std::string& what) {
    const ScheduleFileSummary& s = file.summary;
    const ScheduleSummary* const summary = schedule ? summary_of(s, schedule->schedule.name) : nullptr;
    device_bytes_ = device_bytes;
    RunHeader& h = header;
    h.program = program_version("lockstep-execute");
    h.command = cli::command_line();
    h.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    h.app = request.app;
    h.strategy = strategy.name;
    h.deterministic = strategy.deterministic() || device.kind == "reference";
    h.device = device;
    h.sweeps = request.sweeps();
    h.schedule_file = request.file;
    h.graph_hash = s.graph_hash;
    h.input = s.source.path;
    h.schedule_hash = summary ? summary->hash : "";
    h.rows = s.rows, h.cols = s.cols, h.edges = s.edges;
    h.max_row_degree = s.max_degree.row, h.max_col_degree = s.max_degree.col;
    h.parameters["order"] = request.order.value_or("given");
    if (summary) {
        for (const auto& [key, value] : summary->parameters) h.parameters["schedule_" + key] = value;
        h.parameters["order"] = summary->name;
    }
    if (request.trust && proof_) h.parameters["proof"] = proof_;
    progress_.emplace(strategy.name, request.sweeps(), common);
    if (request.record) {
        recorder_ = std::make_unique<RunRecorder>(*request.record);
        recorder_->write(header);
    }
    if (!device_note.empty()) cli::note(common, "running on the CPU: " + device_note);
    cli::note(common, fmt::format("{} on {} ({}), {}, {} of memory there", strategy.name, device.kind,
                                  device.name, what, cli::bytes(static_cast<double>(device_bytes))));
    if (!header.deterministic)
        cli::note(common,
                  "note: this strategy is not deterministic; repeated runs differ in the last digits");
    if (request.lock) lock_.emplace(*request.lock);
}

void Command::sweep(const SweepRecord& record) {
    if (recorder_) recorder_->write(record);
    if (std::isfinite(record.rmse_train)) error_ = fmt::format("RMSE {:.5f}", record.rmse_train);
    progress_->update(record.sweep, error_);
}

void Command::finish(const std::string& status, const std::string& result_hash, const RunSeconds& seconds,
                     EdgeId updates) {
    lock_.reset();
    progress_.reset();
    end.status = status;
    end.result_hash = result_hash;
    end.seconds = seconds;
    const PreprocessSeconds& pre = file.summary.seconds;
    end.seconds.read = pre.read;
    end.seconds.schedule = schedule ? schedule->seconds : 0;
    end.seconds.write = pre.write;
    end.seconds.load += load_seconds_;
    end.updates_per_second = seconds.execute > 0 ? static_cast<double>(updates) / seconds.execute : 0;
    if (recorder_) recorder_->write(end);
}

std::string Command::result_path(const std::string& path, const std::string& status) const {
    if (status != "interrupted" || path == "-") return path;
    const std::string beside = cli::partial_path(path);
    cli::note(common, fmt::format("interrupted: what there is goes to {}; {} is as it was", beside, path));
    return beside;
}

bool Command::prints_text() const { return !common.json && request.output != "-" && request.record != "-"; }

nlohmann::ordered_json Command::json() const {
    return {{"app", header.app},
            {"strategy", header.strategy},
            {"deterministic", header.deterministic},
            {"proof", proof_ ? nlohmann::ordered_json(proof_) : nlohmann::ordered_json(nullptr)},
            {"device",
             {{"kind", header.device.kind},
              {"name", header.device.name},
              {"threads", header.device.threads},
              {"bytes", device_bytes_}}}};
}

nlohmann::ordered_json Command::seconds_json() const {
    const RunSeconds& t = end.seconds;
    return {{"read", t.read},       {"schedule", t.schedule},  {"write", t.write},
            {"load", t.load},       {"prove", prove_seconds_}, {"transfer", t.transfer},
            {"execute", t.execute}, {"evaluate", t.evaluate}};
}

}  // namespace lockstep
