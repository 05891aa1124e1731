// lockstep-execute: runs an application on a schedule file under one strategy.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/memory.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "options.hpp"

using namespace lockstep;

namespace {

constexpr const char* program = "lockstep-execute";

/// The schedule that a strategy runs on: its own, or the one named by --order.
const TimedSchedule* chosen_schedule(const ScheduleFile& file, const std::string& name) {
    for (const TimedSchedule& s : file.schedules) {
        if (s.schedule.name == name) return &s;
    }
    return nullptr;
}

std::optional<std::string> needed_schedule(const ExecuteRequest& request, const Strategy& strategy) {
    if (!request.order)
        return strategy.schedule ? std::optional<std::string>(strategy.schedule) : std::nullopt;
    if (!strategy.takes_any_order())
        throw cli::UsageError(
            fmt::format("--order does not apply to {}, whose order is its schedule's", strategy.name));
    return *request.order == "given" ? std::nullopt : request.order;
}

void require_schedule(const ScheduleFileSummary& summary, const ExecuteRequest& request,
                      const std::string& name) {
    std::string present;
    for (const ScheduleSummary& s : summary.schedules) {
        if (s.name == name) return;
        present += (present.empty() ? "" : ", ") + s.name;
    }
    throw FormatError(
        request.file,
        fmt::format(
            "strategy {} needs the schedule \"{}\", which is not in this file (it has: {}); add it with "
            "lockstep-preprocess {} -o {} --schedule {}",
            request.strategy, name, present.empty() ? "none" : present, request.file, request.file, name));
}

/// Refuses a rank whose factors alone exceed the machine's memory, before anything is allocated.
void check_memory(const Graph& graph, std::uint32_t rank) {
    const double factors =
        3.0 * 4 * static_cast<double>(sgd::stride_of(rank)) * (static_cast<double>(graph.rows) + graph.cols);
    const double plan = 60.0 * static_cast<double>(graph.edges());
    if (factors + plan > static_cast<double>(physical_memory())) {
        throw Error(fmt::format(
            "rank {} needs about {} of memory, but this machine has {}; choose a smaller --rank", rank,
            cli::bytes(factors + plan), cli::bytes(static_cast<double>(physical_memory()))));
    }
}

RunHeader run_header(const ExecuteRequest& request, const Strategy& strategy, const ScheduleFile& file,
                     const ScheduleSummary* schedule, const sgd::Outcome& outcome) {
    const ScheduleFileSummary& s = file.summary;
    RunHeader h;
    h.program = cli::program_version(program);
    h.command = cli::command_line();
    h.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    h.app = request.app;
    h.strategy = strategy.name;
    h.deterministic = strategy.deterministic || request.sgd.device == sgd::Device::reference;
    h.device = outcome.device;
    h.rank = request.sgd.rank;
    h.seed = request.sgd.seed;
    h.sweeps = request.sgd.sweeps;
    h.schedule_file = request.file;
    h.graph_hash = s.graph_hash;
    h.schedule_hash = schedule ? schedule->hash : "";
    h.rows = s.rows, h.cols = s.cols, h.edges = s.edges;
    h.train_edges = outcome.train_edges, h.test_edges = outcome.test_edges;
    h.max_row_degree = s.max_degree.row, h.max_col_degree = s.max_degree.col;
    const sgd::SgdOptions& o = request.sgd;
    h.parameters = {{"learning_rate", fmt::format("{:g}", o.learning_rate)},
                    {"decay", fmt::format("{:g}", o.decay)},
                    {"regularisation", fmt::format("{:g}", o.regularisation)},
                    {"rate_schedule", o.rate_schedule == sgd::RateSchedule::constant  ? "constant"
                                      : o.rate_schedule == sgd::RateSchedule::inverse ? "inverse"
                                                                                      : "exponential"},
                    {"nonnegative", o.nonnegative ? "true" : "false"},
                    {"test_fraction", fmt::format("{:g}", o.test_fraction)},
                    {"order", request.order.value_or("given")}};
    if (outcome.racing_workers) h.parameters["racing_workers"] = std::to_string(outcome.racing_workers);
    if (schedule) {
        for (const auto& [key, value] : schedule->parameters) h.parameters["schedule_" + key] = value;
        h.parameters["order"] = schedule->name;
    }
    return h;
}

void save_model(const ExecuteRequest& request, const RunHeader& header, const ScheduleFile& file,
                const sgd::Outcome& outcome) {
    Model model;
    model.rows = header.rows, model.cols = header.cols, model.rank = header.rank;
    model.row_factors = sgd::compact(outcome.factors.row, model.rank);
    model.col_factors = sgd::compact(outcome.factors.col, model.rank);
    model.row_ids = file.dataset.row_ids, model.col_ids = file.dataset.col_ids;
    model.graph_hash = header.graph_hash;
    model.parameters = header.parameters;
    model.parameters["strategy"] = header.strategy;
    model.parameters["seed"] = std::to_string(header.seed);
    model.parameters["sweeps"] = std::to_string(outcome.sweeps.size());
    write_model(*request.model, model);
}

nlohmann::ordered_json to_json(const RunHeader& header, const sgd::Outcome& outcome, const RunEnd& end) {
    nlohmann::ordered_json sweeps = nlohmann::ordered_json::array();
    const auto number = [](double x) {
        return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
    };
    EdgeId updates = 0;
    for (const SweepRecord& s : outcome.sweeps) {
        sweeps.push_back({{"sweep", s.sweep},
                          {"seconds", s.seconds},
                          {"rmse_train", number(s.rmse_train)},
                          {"rmse_test", s.rmse_test ? number(*s.rmse_test) : nullptr},
                          {"updates", s.updates},
                          {"passes", s.passes}});
        updates += s.updates;
    }
    // The last evaluation that was finite describes the factors that are kept.
    const SweepRecord* last = nullptr;
    for (const SweepRecord& s : outcome.sweeps) {
        if (std::isfinite(s.rmse_train)) last = &s;
    }
    const RunSeconds& t = end.seconds;
    return {{"app", header.app},
            {"strategy", header.strategy},
            {"deterministic", header.deterministic},
            {"device",
             {{"kind", header.device.kind},
              {"name", header.device.name},
              {"threads", header.device.threads},
              {"bytes", outcome.device_bytes}}},
            {"rank", header.rank},
            {"status", end.status},
            {"result_hash", end.result_hash},
            {"rmse_train", last ? number(last->rmse_train) : nullptr},
            {"rmse_test", last && last->rmse_test ? number(*last->rmse_test) : nullptr},
            {"train_edges", header.train_edges},
            {"test_edges", header.test_edges},
            {"updates", updates},
            {"updates_per_second", end.updates_per_second},
            {"seconds",
             {{"read", t.read},
              {"schedule", t.schedule},
              {"write", t.write},
              {"load", t.load},
              {"transfer", t.transfer},
              {"execute", t.execute},
              {"evaluate", t.evaluate}}},
            {"sweeps", sweeps}};
}

int execute_main(const cli::Values& values, const cli::Common& common) {
    const ExecuteRequest request = execute_request(values);
    sgd::check_options(request.sgd);
    const Strategy& strategy = find_strategy(request.strategy);
    const std::optional<std::string> name = needed_schedule(request, strategy);

    cli::Stopwatch load;
    if (name) require_schedule(read_schedule_file_summary(request.file), request, *name);
    const ScheduleFile file =
        read_schedule_file(request.file, name ? std::vector{*name} : std::vector<std::string>{});
    const TimedSchedule* schedule = name ? chosen_schedule(file, *name) : nullptr;
    const ScheduleSummary* summary = nullptr;
    for (const ScheduleSummary& s : file.summary.schedules) {
        if (name && s.name == *name) summary = &s;
    }
    check_memory(file.dataset.graph, request.sgd.rank);
    const double load_seconds = load.seconds();

    std::unique_ptr<RunRecorder> recorder;
    if (request.record) recorder = std::make_unique<RunRecorder>(*request.record);
    RunHeader header;
    cli::Progress progress(request.strategy, request.sgd.sweeps, common);
    sgd::Callbacks callbacks;
    callbacks.on_start = [&](const sgd::Outcome& started) {
        header = run_header(request, strategy, file, summary, started);
        if (recorder) recorder->write(header);
        if (!started.device_note.empty()) cli::note(common, "running on the CPU: " + started.device_note);
        cli::note(common,
                  fmt::format("{} on {} ({}), rank {}, {} training edges, {} held out, {} of memory there",
                              strategy.name, started.device.kind, started.device.name, header.rank,
                              cli::grouped(header.train_edges), cli::grouped(header.test_edges),
                              cli::bytes(static_cast<double>(started.device_bytes))));
        if (!header.deterministic)
            cli::note(common,
                      "note: this strategy is not deterministic; repeated runs differ in the last digits");
    };
    callbacks.on_sweep = [&](const SweepRecord& s) {
        if (recorder) recorder->write(s);
        progress.update(s.sweep);
        if (common.verbose) {
            cli::note(common, fmt::format("sweep {}: {}, RMSE {:.5f}{}", s.sweep, cli::duration(s.seconds),
                                          s.rmse_train,
                                          s.rmse_test ? fmt::format(", test {:.5f}", *s.rmse_test) : ""));
        }
    };
    callbacks.interrupted = [] { return cli::pending_signal() != 0; };
    const sgd::Outcome outcome = sgd::run_sgd(
        file.dataset.graph, strategy, schedule ? &schedule->schedule : nullptr, request.sgd, callbacks);

    RunEnd end;
    end.status = outcome.status;
    end.result_hash = outcome.result_hash;
    const PreprocessSeconds& pre = file.summary.seconds;
    end.seconds = {pre.read,
                   schedule ? schedule->seconds : 0,
                   pre.write,
                   load_seconds + outcome.plan_seconds,
                   outcome.transfer_seconds,
                   outcome.execute_seconds,
                   outcome.evaluate_seconds};
    EdgeId updates = 0;
    for (const SweepRecord& s : outcome.sweeps) updates += s.updates;
    end.updates_per_second =
        outcome.execute_seconds > 0 ? static_cast<double>(updates) / outcome.execute_seconds : 0;
    if (request.model) save_model(request, header, file, outcome);
    if (recorder) recorder->write(end);

    if (common.json) {
        cli::print_json(to_json(header, outcome, end));
    } else if (!outcome.sweeps.empty()) {
        const SweepRecord& last = outcome.sweeps.back();
        std::cout << fmt::format("{}: {} sweeps in {} ({:.1f} M updates/s), RMSE {:.5f}{}, factors {}\n",
                                 strategy.name, outcome.sweeps.size(), cli::duration(outcome.execute_seconds),
                                 end.updates_per_second / 1e6, last.rmse_train,
                                 last.rmse_test ? fmt::format(", test {:.5f}", *last.rmse_test) : "",
                                 outcome.result_hash);
    }
    if (outcome.status == "diverged") throw Error(Failure::diverged, outcome.message);
    if (outcome.status == "stopped-early") cli::note(common, outcome.message);
    cli::check_signal();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    std::string examples =
        "  lockstep-execute ratings.h5 --strategy agm-e --rank 32 --sweeps 20 --test-fraction 0.1 --model "
        "model.h5\n\nStrategies:\n";
    for (const Strategy& s : strategies()) examples += fmt::format("  {:<12} {}\n", s.name, s.summary);
    return cli::run(argc, argv,
                    {program, "lockstep-execute FILE.h5 --strategy NAME [options]",
                     "Runs an application on a schedule file, on the GPU or the CPU.", examples},
                    execute_options(), {"file"}, execute_main);
}
