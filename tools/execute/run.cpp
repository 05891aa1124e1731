// Executes a run of any application whose input is in memory: verifies the schedule, makes the plan, runs the
// rounds, checks the result, and writes the run record and the result.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>

#include "apps/frame/results.hpp"
#include "cli.hpp"
#include "execute.hpp"
#include "file_lock.hpp"
#include "lockstep/executor/ranks.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/id_text.hpp"
#include "lockstep/formats/version.hpp"
#include "outputs.hpp"

namespace lockstep {

namespace {

/// Returns the time in seconds that choosing the strategy took; 0 if it was not measured.
double seconds_of(const std::optional<Choice>& choice) {
    const bool report = choice && choice->json.is_object() && choice->json.contains("seconds");
    return report ? choice->json.at("seconds").get<double>() : 0;
}

using Json = nlohmann::ordered_json;

/// A run under one strategy, from its input to the end of the run record.
class Run {
public:
    Run(Application& application, const Request& request, const cli::Common& common, Prepared prepared)
        : app_(application),
          request_(request),
          common_(common),
          prepared_(std::move(prepared)),
          input_(prepared_.input) {}

    void execute() {
        RunEvents events;
        events.on_start = [&](const RunOutcome& so_far, RunHeader header, RunText text) {
            header_ = std::move(header), words_ = std::move(text);
            start(so_far);
        };
        events.on_round = [&](const SweepRecord& record) { round(record); };
        events.interrupted = [&] { return stopped_ || ranks().most(cli::pending_signal()) != 0; };
        const std::unique_ptr<RunOutcome> outcome = app_.run(input_, events);

        finish(*outcome);
        const std::optional<CheckResult>& checked = outcome->checked;
        const bool good = !checked || checked->problem.empty();
        // If the result diverged, it is not written, and existing output files are not changed.
        if (good && outcome->has_result()) write_results(*outcome);
        print_run(*outcome);
        if (!good)
            throw Error(
                Failure::verification,
                checked->problem + "; nothing was written. This is an error of Lockstep: please report it");
        if (outcome->status == "diverged") throw Error(Failure::diverged, outcome->message);
        if (outcome->status != "interrupted" && !outcome->message.empty())
            cli::note(common_, outcome->message);
        cli::check_signal();
    }

private:
    /// Begins the output of a run, when its device is known: completes the header, begins the run record, and
    /// prints which work runs on which device.
    void start(const RunOutcome& so_far) {
        RunHeader& h = header_;
        h.strategy = input_.strategy.name;
        const Strategy& ran = so_far.device.kind == "cpu" ? on_cpu(input_.strategy) : input_.strategy;
        h.deterministic = (ran.deterministic() || so_far.device.kind == "reference") && so_far.same_bits;
        h.parameters.insert(request_.parameters.begin(), request_.parameters.end());
        if (prepared_.choice) h.parameters.insert(prepared_.choice->parameter);
        const ScheduleFileSummary& s = input_.file.summary;
        h.program = program_version(request_.program);
        h.command = cli::command_line();
        h.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
        h.app = app_.spec().name;
        h.device = so_far.device;
        h.schedule_file = request_.file;
        h.graph_hash = s.graph_hash;
        h.input = s.source.path;
        h.rows = s.rows, h.cols = s.cols, h.edges = s.edges;
        h.max_row_degree = s.max_degree.row, h.max_col_degree = s.max_degree.col;
        h.parameters["order"] = request_.order.value_or("given");
        if (const ScheduleSummary* summary = input_.summary) {
            h.schedule_hash = summary->hash;
            for (const auto& [key, value] : summary->parameters) h.parameters["schedule_" + key] = value;
            h.parameters["order"] = summary->name;
        }
        if (request_.trust && input_.proof) h.parameters["proof"] = input_.proof;
        progress_.emplace(h.strategy, h.sweeps, common_);
        if (request_.record) {
            std::error_code error;
            const auto record = std::filesystem::status(*request_.record, error);
            if (*request_.record != "-" && (is_regular_file(record) || !exists(record)))
                record_lock_.emplace(*request_.record, common_);
            recorder_ = std::make_unique<RunRecorder>(*request_.record);
            recorder_->write(h);
        }
        if (!so_far.device_note.empty()) cli::note(common_, "running on the CPU: " + so_far.device_note);
        if (!request_.idle_on_cpu.empty() && h.device.kind == "cpu")
            cli::note(common_, fmt::format("note: without effect on a CPU: {}", request_.idle_on_cpu));
        cli::note(common_, fmt::format("{} on {} ({}), {}, {} of device memory", h.strategy, h.device.kind,
                                       h.device.name, words_.workload,
                                       cli::bytes(static_cast<double>(so_far.device_bytes))));
        if (!h.deterministic)
            cli::note(common_,
                      "note: this strategy is not deterministic; repeated runs differ in the last digits");
        if (request_.lock) lock_.emplace(*request_.lock, common_);
        if (!words_.remark.empty()) cli::note(common_, words_.remark);
    }

    void round(const SweepRecord& record) {
        if (recorder_) recorder_->write(record);
        const std::string text = words_.round ? words_.round(record) : "";
        const auto is_known = [](const auto& metric) { return std::isfinite(metric.value); };
        if (std::ranges::any_of(record.metrics, is_known)) shown_ = text;
        progress_->update(record.sweep, shown_);
        if (request_.listener && !request_.listener->continues(record.sweep, header_.sweeps)) stopped_ = true;
        if (common_.verbose)
            cli::note(common_, fmt::format("{} {}: {}{}{}", app_.spec().round, record.sweep,
                                           cli::duration(record.seconds), text.empty() ? "" : ", ", text));
    }

    /// Writes the last line of the run record.
    void finish(const RunOutcome& outcome) {
        lock_.reset();
        progress_.reset();
        EdgeId updates = 0;
        for (const SweepRecord& s : outcome.sweeps) updates += s.updates;
        const PreprocessSeconds& pre = input_.file.summary.seconds;
        end_ = {outcome.status,
                outcome.result_hash,
                {pre.read, input_.timed ? input_.timed->seconds : 0, pre.write,
                 input_.load_seconds + outcome.plan_seconds, outcome.transfer_seconds,
                 outcome.execute_seconds, outcome.evaluate_seconds + outcome.check_seconds,
                 input_.verify_seconds, outcome.fit_seconds, outcome.result_seconds, 0},
                outcome.execute_seconds > 0 ? static_cast<double>(updates) / outcome.execute_seconds : 0,
                outcome.kept_round};
        end_.seconds.other = other_seconds(cli::seconds_since_start());
        if (recorder_) recorder_->write(end_);
        record_lock_.reset();
        warn_if_uneven(outcome);
    }

    /// Returns the part of the time since the program's start that belongs to none of the measured stages.
    /// Building times that are stored in the schedule file are not part of this program's time.
    double other_seconds(double total) const {
        const RunSeconds& t = end_.seconds;
        const double made = prepared_.in_memory ? t.read + t.schedule + t.write : 0;
        return total - seconds_of(prepared_.choice) - made - t.verify - t.load - t.transfer - t.execute -
               t.evaluate - t.fit - t.result;
    }

    /// Prints a note if the sweeps together took more than twice the median sweep's time multiplied by their
    /// number, because something must then have delayed some of them.
    void warn_if_uneven(const RunOutcome& outcome) const {
        // seconds; in shorter runs, the first sweep is always a large part of the time
        constexpr double long_run = 1;
        std::vector<double> seconds;
        for (const SweepRecord& s : outcome.sweeps) seconds.push_back(s.seconds);
        if (seconds.size() < 3 || app_.spec().round != std::string_view("sweep")) return;
        const double slowest = *std::ranges::max_element(seconds), middle = median(seconds);
        const double sum = std::accumulate(seconds.begin(), seconds.end(), 0.0);
        if (sum > long_run && sum > 2 * middle * static_cast<double>(seconds.size()))
            cli::note(common_, fmt::format("note: {} sweeps took {}, but the median is {} and the slowest "
                                           "{}: some sweeps were delayed by other work on the machine",
                                           seconds.size(), cli::duration(sum), cli::duration(middle),
                                           cli::duration(slowest)));
    }

    void write_results(const RunOutcome& outcome) const {
        if (!ranks().first()) return;
        const bool interrupted = outcome.status == "interrupted";
        const auto place = [&](const std::string& path) {
            if (!interrupted || path == "-") return path;
            std::string beside = cli::partial_path(path);
            cli::note(common_,
                      fmt::format("interrupted: the partial result is written to {}; {} is unchanged", beside,
                                  path));
            return beside;
        };
        app_.save(input_, header_, outcome, place);
    }

    void print_run(const RunOutcome& outcome) const {
        const std::optional<CheckResult>& checked = outcome.checked;
        const bool prints_text = !common_.json && request_.output != "-" && request_.record != "-";
        if (!common_.json && !prints_text && !request_.listener) return;
        const RunReport report = app_.report_run(input_, header_, outcome);
        const Top top = request_.top ? top_of(outcome.columns, request_.top) : Top{};
        const IdMap& ids = input_.file.dataset.row_ids;
        if (common_.json || request_.listener) {
            Json json = to_json(outcome, report);
            if (checked) {
                json["check"] = {{"ok", checked->problem.empty()}};
                json["check"].update(checked->json);
            }
            if (request_.top) json["top"] = Json::array();
            for (const auto& [v, value] : top)
                json["top"].push_back({{"id", ids.name(v)}, {app_.spec().value, json_of(value)}});
            if (prepared_.choice && !prepared_.choice->json.is_null())
                json[prepared_.choice->key] = prepared_.choice->json;
            if (!prepared_.json.is_null()) json.update(prepared_.json);
            if (request_.listener) return request_.listener->take(input_, header_, outcome, json);
            return cli::print_json(json);
        }
        // only the vertices with the highest values are printed with --quiet and --top
        if (!common_.quiet || !request_.top) {
            if (!common_.quiet) std::cout << prepared_.text;
            std::cout << closing_line(outcome, report.text) << report.lines;
            if (checked && checked->problem.empty()) std::cout << "verified: " << checked->text << '\n';
        }
        for (const auto& [v, value] : top)
            std::cout << fmt::format("{} {}\n", id_field(ids.name(v)), text_of(value));
    }

    Json to_json(const RunOutcome& outcome, const RunReport& report) const {
        const RunSeconds& t = end_.seconds;
        Json json{
            {"app", header_.app},
            {"strategy", header_.strategy},
            {"deterministic", header_.deterministic},
            {"proof", input_.proof ? Json(input_.proof) : Json(nullptr)},
            {"device",
             {{"kind", header_.device.kind},
              {"name", header_.device.name},
              {"threads", header_.device.threads},
              {"bytes", outcome.device_bytes}}},
        };
        if (const auto program = header_.parameters.find("cpu_program"); program != header_.parameters.end())
            json["cpu_program"] = program->second;
        if (!report.device.is_null()) json["device"].update(report.device);
        if (!report.head.is_null()) json.update(report.head);
        json["status"] = end_.status;
        if (end_.status == "ok" && !outcome.message.empty()) json["warning"] = outcome.message;
        json["result_hash"] = end_.result_hash;
        json.update(report.metrics);
        json["updates_per_second"] = end_.updates_per_second;
        const double total = cli::seconds_since_start();
        json["seconds"] = {{"read", t.read},         {"schedule", t.schedule},
                           {"write", t.write},       {"load", input_.load_seconds},
                           {"prove", t.verify},      {"plan", outcome.plan_seconds},
                           {"transfer", t.transfer}, {"execute", t.execute},
                           {"evaluate", t.evaluate}, {"fit", t.fit},
                           {"result", t.result},     {"choose", seconds_of(prepared_.choice)},
                           {"total", total},         {"other", other_seconds(total)}};
        json.update(report.rounds);
        return json;
    }

    std::string closing_line(const RunOutcome& outcome, const std::string& text) const {
        const Spec& f = app_.spec();
        const std::string comma = text.empty() ? "" : ", ";
        if (header_.sweeps == 0)
            return fmt::format("{}: 0 {}s: the initial {}{}{}, {} {}\n", header_.strategy, f.round, f.result,
                               comma, text, f.result, outcome.result_hash);
        const std::string evaluated = outcome.evaluate_seconds > 0
                                          ? ", evaluated in " + cli::duration(outcome.evaluate_seconds)
                                          : std::string();
        const std::size_t rounds = outcome.sweeps.size();
        return fmt::format("{}: {} {}{} in {}{} ({:.1f} M {}s/s){}{}, {} {}\n", header_.strategy, rounds,
                           f.round, rounds == 1 ? "" : "s", cli::duration(outcome.execute_seconds), evaluated,
                           end_.updates_per_second / 1e6, f.update, comma, text, f.result,
                           outcome.result_hash);
    }

    Application& app_;
    const Request& request_;
    const cli::Common& common_;
    const Prepared prepared_;
    const Input& input_;
    RunHeader header_;  ///< header of the run record; set by the application, completed by start()
    RunText words_;     ///< description of the run in messages; set by the application
    RunEnd end_;        ///< last line of the run record; set by finish()
    std::optional<cli::FileLock> record_lock_, lock_;
    std::unique_ptr<RunRecorder> recorder_;
    std::optional<cli::Progress> progress_;
    std::string shown_;     ///< metrics of the last round as text, for the progress line
    bool stopped_ = false;  ///< whether the caller's listener has stopped the run
};

}  // namespace

int execute(Application& application, const Request& request, const cli::Common& common, Prepared prepared) {
    Run(application, request, common, std::move(prepared)).execute();
    return 0;
}

}  // namespace lockstep
