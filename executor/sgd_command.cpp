// lockstep-execute --app sgd: matrix factorization, from a schedule file to a model.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "auto_strategy.hpp"
#include "command.hpp"
#include "lockstep/formats/memory.hpp"
#include "lockstep/formats/model_file.hpp"

namespace lockstep {

namespace {

/// Refuses a rank whose factors alone exceed the machine's memory, before anything is allocated.
void check_memory(const Graph& graph, std::uint32_t rank, sgd::Storage storage) {
    const std::size_t start = sgd::vector_bytes(rank, sgd::Storage::fp32),
                      kept = 2 * sgd::vector_bytes(rank, storage);
    const double factors = static_cast<double>(start + kept) * (static_cast<double>(graph.rows) + graph.cols);
    const double plan = 60.0 * static_cast<double>(graph.edges());
    if (factors + plan > static_cast<double>(physical_memory())) {
        throw Error(fmt::format(
            "rank {} needs about {} of memory, but this machine has {}; choose a smaller --rank", rank,
            cli::bytes(factors + plan), cli::bytes(static_cast<double>(physical_memory()))));
    }
}

/// How the factors lay in memory.
std::string storage_name(const sgd::SgdOptions& o, const sgd::Outcome& outcome) {
    return outcome.device.kind == "reference" ? "fp64" : to_string(o.storage);
}

void describe(RunHeader& h, const sgd::SgdOptions& o, const sgd::Outcome& outcome) {
    h.rank = o.rank;
    h.seed = o.seed;
    h.train_edges = outcome.train_edges, h.test_edges = outcome.test_edges;
    h.parameters = {{"learning_rate", fmt::format("{:g}", o.learning_rate)},
                    {"decay", fmt::format("{:g}", o.decay)},
                    {"regularisation", fmt::format("{:g}", o.regularisation)},
                    {"rate_schedule", o.rate_schedule == sgd::RateSchedule::constant  ? "constant"
                                      : o.rate_schedule == sgd::RateSchedule::inverse ? "inverse"
                                                                                      : "exponential"},
                    {"nonnegative", o.nonnegative ? "true" : "false"},
                    {"storage", storage_name(o, outcome)},
                    {"test_fraction", fmt::format("{:g}", o.test_fraction)}};
    if (o.relaxed_hubs) h.parameters["relaxed_hubs"] = "true";
    if (o.gpus > 1) h.parameters["gpus"] = std::to_string(o.gpus);
    if (outcome.streaming.bytes) {
        h.parameters["streamed_bytes"] = std::to_string(outcome.streaming.bytes);
        h.parameters["copy_bytes_per_second"] = fmt::format("{:.0f}", outcome.streaming.copy_rate);
    }
    if (outcome.racing_workers) h.parameters["racing_workers"] = std::to_string(outcome.racing_workers);
}

void save_model(const Command& command, const sgd::Outcome& outcome) {
    const RunHeader& header = command.header;
    Model model;
    model.rows = header.rows, model.cols = header.cols, model.rank = header.rank;
    model.row_factors = sgd::compact(outcome.factors.row, model.rank);
    model.col_factors = sgd::compact(outcome.factors.col, model.rank);
    model.row_ids = command.file.dataset.row_ids, model.col_ids = command.file.dataset.col_ids;
    model.graph_hash = header.graph_hash;
    model.parameters = header.parameters;
    model.parameters["strategy"] = header.strategy;
    model.parameters["seed"] = std::to_string(header.seed);
    model.parameters["sweeps"] = std::to_string(outcome.sweeps.size());
    write_model(command.result_path(*command.request.model, outcome.status), model);
}

/// Why there is no RMSE.
std::string missing_rmse(const sgd::Outcome* outcome, EdgeId train_edges) {
    if (train_edges == 0) return "no edges";
    return outcome && outcome->status == "diverged" ? "diverged" : "not evaluated";
}
/// A number, or a dash with the reason that there is none.
std::string rmse_text(double rmse, const std::string& reason) {
    return std::isfinite(rmse) ? fmt::format("{:.5f}", rmse) : fmt::format("– ({})", reason);
}
/// "RMSE 1.01830, test 1.09998"
std::string rmse_text(const SweepRecord& s, const sgd::Outcome* outcome, EdgeId train_edges) {
    const std::string reason = missing_rmse(outcome, train_edges);
    return "RMSE " + rmse_text(s.rmse_train, reason) +
           (s.rmse_test ? ", test " + rmse_text(*s.rmse_test, reason) : std::string());
}

nlohmann::ordered_json to_json(const Command& command, const sgd::Outcome& outcome, EdgeId updates) {
    nlohmann::ordered_json sweeps = nlohmann::ordered_json::array();
    for (const SweepRecord& s : outcome.sweeps) {
        sweeps.push_back({{"sweep", s.sweep},
                          {"seconds", s.seconds},
                          {"rmse_train", number_or_null(s.rmse_train)},
                          {"rmse_test", s.rmse_test ? number_or_null(*s.rmse_test) : nullptr},
                          {"updates", s.updates},
                          {"passes", s.passes}});
    }
    // The last evaluation that was finite describes the factors that are kept.
    const SweepRecord* last = outcome.sweeps.empty() ? &outcome.initial : nullptr;
    for (const SweepRecord& s : outcome.sweeps) {
        if (std::isfinite(s.rmse_train)) last = &s;
    }
    nlohmann::ordered_json json = command.json();
    json.update(
        {{"rank", command.header.rank},
         {"storage", command.header.parameters.at("storage")},
         {"status", command.end.status},
         {"result_hash", command.end.result_hash},
         {"rmse_train", last ? number_or_null(last->rmse_train) : nullptr},
         {"rmse_test", last && last->rmse_test ? number_or_null(*last->rmse_test) : nullptr},
         {"rmse_note", last ? nlohmann::ordered_json(nullptr)
                            : nlohmann::ordered_json(missing_rmse(&outcome, command.header.train_edges))},
         {"train_edges", command.header.train_edges},
         {"test_edges", command.header.test_edges},
         {"relaxed_hubs", command.request.sgd.relaxed_hubs},
         {"gpus", command.request.sgd.gpus},
         {"streamed_bytes", outcome.streaming.bytes},
         {"copy_bytes_per_second", outcome.streaming.copy_rate},
         {"updates", updates},
         {"updates_per_second", command.end.updates_per_second},
         {"seconds", command.seconds_json()},
         {"sweeps", sweeps}});
    return json;
}

/// The closing line.
std::string summary(const Command& command, const sgd::Outcome& outcome) {
    const auto errors = [&](const SweepRecord& s) {
        return rmse_text(s, &outcome, command.header.train_edges);
    };
    if (outcome.sweeps.empty()) {
        return fmt::format("{}: 0 sweeps: the initial factors, {}, factors {}\n", command.strategy.name,
                           errors(outcome.initial), outcome.result_hash);
    }
    return fmt::format("{}: {} sweeps in {}, evaluated in {} ({:.1f} M updates/s), {}, factors {}\n",
                       command.strategy.name, outcome.sweeps.size(), cli::duration(outcome.execute_seconds),
                       cli::duration(outcome.evaluate_seconds), command.end.updates_per_second / 1e6,
                       errors(outcome.sweeps.back()), outcome.result_hash);
}

/// `chosen`: how the strategy was found, where the user left it open.
int execute_strategy(const ExecuteRequest& request, const cli::Common& common, const AutoChoice* chosen) {
    Command command(request, common, find_strategy(request.strategy, request.app));
    check_memory(command.graph(), request.sgd.rank, request.sgd.storage);

    sgd::Callbacks callbacks;
    callbacks.on_start = [&](const sgd::Outcome& started) {
        describe(command.header, request.sgd, started);
        if (chosen) command.header.parameters["chosen_by"] = "auto";
        command.start(started.device, started.device_note, started.device_bytes,
                      fmt::format("rank {}, {}, {} training edges, {} held out", request.sgd.rank,
                                  storage_name(request.sgd, started), cli::grouped(started.train_edges),
                                  cli::grouped(started.test_edges)));
        if (const sgd::Streaming& s = started.streaming; s.bytes) {
            cli::note(common,
                      fmt::format("the schedule does not fit there: {} are copied from the host in every "
                                  "sweep, which takes at least {} at {}/s",
                                  cli::bytes(static_cast<double>(s.bytes)),
                                  cli::duration(static_cast<double>(s.bytes) / s.copy_rate),
                                  cli::bytes(s.copy_rate)));
        }
    };
    callbacks.on_sweep = [&](const SweepRecord& s) {
        command.sweep(s);
        if (common.verbose) {
            cli::note(common, fmt::format("sweep {}: {}, {}", s.sweep, cli::duration(s.seconds),
                                          rmse_text(s, nullptr, command.header.train_edges)));
        }
    };
    callbacks.interrupted = [] { return cli::pending_signal() != 0; };
    const sgd::Outcome outcome =
        sgd::run_sgd(command.graph(), command.strategy, command.schedule_data(), request.sgd, callbacks);

    EdgeId updates = 0;
    for (const SweepRecord& s : outcome.sweeps) updates += s.updates;
    if (request.model) save_model(command, outcome);
    command.finish(outcome.status, outcome.result_hash,
                   {0, 0, 0, outcome.plan_seconds, outcome.transfer_seconds, outcome.execute_seconds,
                    outcome.evaluate_seconds},
                   updates);

    if (common.json) {
        nlohmann::ordered_json json = to_json(command, outcome, updates);
        if (chosen)
            json["auto"] = {
                {"reason", chosen->reason}, {"figures", chosen->figures}, {"seconds", chosen->seconds}};
        cli::print_json(json);
    } else if (command.prints_text() && !common.quiet) {
        std::cout << summary(command, outcome);
    }
    if (outcome.status == "diverged") throw Error(Failure::diverged, outcome.message);
    if (outcome.status == "stopped-early") cli::note(common, outcome.message);
    cli::check_signal();
    return 0;
}

}  // namespace

int execute_sgd(const ExecuteRequest& request, const cli::Common& common) {
    sgd::check_options(request.sgd);
    if (request.strategy != "auto") return execute_strategy(request, common, nullptr);
    if (request.order) throw cli::UsageError("--order does not apply to --strategy auto");
    const AutoChoice choice = choose_strategy(request, common);
    cli::note(common, "auto: " + choice.reason);
    ExecuteRequest chosen = request;
    for (std::size_t i = 0;; ++i) {
        chosen.strategy = choice.strategies[i];
        try {
            return execute_strategy(chosen, common, &choice);
        } catch (const ScheduleError& e) {  // a schedule that does not fit this device's memory on chip
            if (e.failure() != Failure::no_device || i + 1 == choice.strategies.size()) throw;
            cli::note(common, fmt::format("auto: not {}: {}", chosen.strategy, e.what()));
        }
    }
}

}  // namespace lockstep
