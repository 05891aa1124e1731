// The report as JSON. The keys are a contract (docs/reference/report.md); an unknown number is null.
#include <cmath>

#include "writers.hpp"

namespace lockstep::report {
namespace {

using Json = nlohmann::ordered_json;

/// Returns a break-even as JSON. JSON has no infinity: "never" is null, and `pays` is false.
Json pays_json(const BreakEven& pays) {
    const bool ever = std::isfinite(pays.sweeps);
    return {{"against", pays.against},
            {"pays", ever},
            {"sweeps", ever ? Json(pays.sweeps) : Json()},
            {"kept_sweeps", ever ? Json(pays.kept) : Json()}};
}
Json pays_json(const std::optional<BreakEven>& pays) { return pays ? pays_json(*pays) : Json(); }

/// Returns the errors after each sweep, and the number of sweeps up to the factors that the run kept.
Json curve_json(const Row& row) {
    Json seconds = Json::array(), train = Json::array(), test = Json::array();
    for (const CurvePoint& point : row.curve) {
        seconds.push_back(point.seconds), train.push_back(point.rmse_train), test.push_back(point.rmse_test);
    }
    return {{"seconds", seconds}, {"rmse_train", train}, {"rmse_test", test}, {"kept", row.kept}};
}

Json row_json(const Row& row) {
    const RunHeader& run = row.runs.front()->run;
    Json all = Json::array();
    for (const BreakEven& pays : row.break_even) all.push_back(pays_json(pays));
    return {{"strategy", row.strategy},
            {"kind", to_string(row.kind)},
            {"variant", row.variant},
            {"label", row.label()},
            {"same_as", row.same_as.empty() ? Json() : Json(row.same_as)},
            {"runs", row.runs.size()},
            {"status", row.status},
            {"deterministic", row.deterministic},
            {"sweeps", row.sweeps},
            {"passes", row.passes},
            {"seconds",
             {{"read", row.seconds.read},
              {"schedule", row.seconds.schedule},
              {"write", row.seconds.write},
              {"load", row.seconds.load},
              {"transfer", row.seconds.transfer},
              {"execute", row.seconds.execute},
              {"execute_per_sweep", row.per_sweep},
              {"evaluate", row.seconds.evaluate},
              {"prove", row.seconds.verify},
              {"fit", row.seconds.fit},
              {"result", row.seconds.result},
              {"other", row.seconds.other}}},
            {"updates_per_second", row.updates_per_second},
            {"rmse_train", row.rmse_train},
            {"rmse_test", row.rmse_test},
            {"curve", curve_json(row)},
            {"predicted_per_sweep", row.predicted},
            {"normalised", row.normalised},
            {"pays_online", pays_json(row.pays_online)},
            {"pays_racing", pays_json(row.pays_racing)},
            {"break_even", all},
            {"seed", run.seed},
            {"parameters", run.parameters},
            {"program", run.program},
            {"command", run.command},
            {"schedule_hash", run.schedule_hash},
            {"result_hashes", row.result_hashes}};
}

/// Returns the additional members of a row of a run over active vertices.
Json frontier_json(const Row& row) {
    Json rounds = Json::array();
    for (const Round& round : row.each_round) {
        rounds.push_back({{"seconds", round.seconds},
                          {"direction", round.direction},
                          {"filter", round.filter},
                          {"active", round.active},
                          {"arcs", round.arcs}});
    }
    return {{"speed_up_over_serial", row.speed_up},
            {"rounds", row.rounds},
            {"launches", row.launches},
            {"registers", row.registers},
            {"worklist_atomics", row.worklist_atomics},
            {"each_round", rounds}};
}

Json comparisons_json(const Group& group) {
    Json all = Json::array();
    for (const Comparison& comparison : group.comparisons) {
        Json values = Json::array();
        for (const auto& [value, number] : comparison.values)
            values.push_back({{"value", value}, {"number", number}});
        all.push_back({{"title", comparison.title},
                       {"option", comparison.option},
                       {"with", comparison.with},
                       {"ratio", comparison.ratio},
                       {"values", values}});
    }
    return all;
}

Json group_json(const Group& group) {
    const RunHeader& run = group.run;
    Json rows = Json::array();
    for (const Row& row : group.rows) {
        rows.push_back(row_json(row));
        if (!std::isnan(row.rounds)) rows.back().update(frontier_json(row));
    }
    return {{"data", group.data},
            {"app", run.app},
            {"rank", run.rank},
            {"device",
             {{"kind", run.device.kind},
              {"name", run.device.name},
              {"threads", run.device.threads},
              {"driver", run.device.driver}}},
            {"graph",
             {{"hash", run.graph_hash},
              {"rows", run.rows},
              {"cols", run.cols},
              {"edges", run.edges},
              {"train_edges", run.train_edges},
              {"test_edges", run.test_edges},
              {"max_row_degree", run.max_row_degree},
              {"max_col_degree", run.max_col_degree}}},
            {"input_class", group.input_class()},
            {"baseline", group.baseline.empty() ? Json() : Json(group.baseline)},
            {"all_weights_equal", group.flat},
            {"notes", group.notes},
            {"rows", rows}};
}

}  // namespace

nlohmann::ordered_json to_json(const Table& table, const Origin& origin) {
    Json groups = Json::array(), means = Json::array(), idle = Json::array(), probes = Json::array();
    for (const Group& group : table.groups) {
        groups.push_back(group_json(group));
        if (!group.comparisons.empty()) groups.back()["comparisons"] = comparisons_json(group);
    }
    for (const Geomean& mean : table.geomeans) {
        means.push_back({{"app", mean.app},
                         {"device", mean.device},
                         {"rank", mean.rank},
                         {"input_class", mean.input_class},
                         {"baseline", mean.baseline},
                         {"strategy", mean.strategy},
                         {"kind", to_string(mean.kind)},
                         {"geomean", mean.value},
                         {"data_sets", mean.data_sets}});
    }
    for (const IdleSchedule& one : table.idle) {
        idle.push_back({{"data", one.data},
                        {"path", one.path},
                        {"graph_hash", one.graph_hash},
                        {"schedule", one.schedule.name},
                        {"schedule_hash", one.schedule.hash},
                        {"seconds",
                         {{"read", one.file_seconds.read},
                          {"schedule", one.schedule.seconds},
                          {"write", one.file_seconds.write}}},
                        {"rounds", one.schedule.statistics.rounds},
                        {"max_degree", one.max_degree}});
    }
    for (const insight::Probe& probe : table.probes) probes.push_back(insight::to_json(probe));
    return {{"program", origin.program}, {"command", origin.command}, {"runs", table.runs},
            {"groups", groups},          {"geomeans", means},         {"schedules_without_run", idle},
            {"probes", probes}};
}

}  // namespace lockstep::report
