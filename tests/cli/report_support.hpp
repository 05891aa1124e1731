// Synthetic run records, and the reports that lockstep-report makes of them.
#pragma once

#include <limits>
#include <optional>

#include "cli_support.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep::test {

using nlohmann::json;

/// A run of a strategy: preprocessing times in seconds, and the seconds of each sweep.
struct Run {
    std::string strategy;
    double schedule = 0, write = 0;
    std::vector<double> sweeps;
    std::string status = "ok";  ///< "died": the record has no end line
    std::string result = "r";
    std::string app = "sgd", order = "given";
    std::optional<std::uint64_t> kept = {};  ///< sweep whose factors were kept
    double error = 1;                        ///< error after the first sweep
    double load = 0.25, verify = 0;
};

struct DataSet {
    std::string name;
    VertexId rows, cols;
    EdgeId edges, max_degree;
    std::optional<std::string> input = {};
};
inline const DataSet rating_data{"ratings", 1000, 500, 20'000, 400};
inline const DataSet road{"road", 10'000, 10'000, 25'000, 8};

inline void write_run(const std::filesystem::path& path, const DataSet& data, const Run& what) {
    RunHeader run;
    run.program = "lockstep-execute 0.1.0 (revision abc)";
    run.command = {"lockstep-execute", data.name + ".h5", "--strategy", what.strategy};
    run.started = "2025-01-02T03:04:05Z";
    run.app = what.app;
    run.strategy = what.strategy;
    run.deterministic = what.schedule > 0 && what.strategy != "el-shuffled";
    run.device = {"cpu", "Test <CPU> & co", 2, ""};
    const bool errs = what.app == "sgd";
    run.rank = errs ? 16 : 0;
    run.seed = 1;
    run.sweeps = what.sweeps.size();
    run.schedule_file = "some/" + data.name + ".h5";
    run.graph_hash = "graph-" + data.name;
    run.input = data.input;
    run.schedule_hash = what.schedule > 0 ? "schedule-" + what.strategy : "";
    run.rows = data.rows, run.cols = data.cols;
    run.edges = data.edges, run.train_edges = data.edges * 9 / 10, run.test_edges = data.edges / 10;
    run.max_row_degree = data.max_degree, run.max_col_degree = data.max_degree;
    run.parameters = {{"learning_rate", "0.01"}, {"order", what.order}};
    RunRecorder recorder(path);
    recorder.write(run);
    double total = 0;
    for (std::size_t i = 0; i < what.sweeps.size(); ++i) {
        total += what.sweeps[i];
        const double rmse = what.status == "diverged" ? std::numeric_limits<double>::quiet_NaN()
                                                      : what.error / static_cast<double>(i + 1);
        const std::vector<Metric> metrics{{"rmse_train", rmse}, {"rmse_test", rmse + 0.5 * what.error}};
        recorder.write(SweepRecord{i + 1, what.sweeps[i], errs ? metrics : std::vector<Metric>{},
                                   run.train_edges, 1 + i});
    }
    if (what.status == "died") return;
    recorder.write(RunEnd{
        what.status,
        what.result,
        {0.5, what.schedule, what.write, what.load, 0.125, total, 0.0625, what.verify, 0.03125, 0.25, 0.5},
        static_cast<double>(run.train_edges * what.sweeps.size()) / total,
        what.kept});
}

inline std::vector<Run> all_strategies(double scale) {
    const auto sweeps = [&](double seconds) { return std::vector<double>(5, seconds * scale); };
    return {{"hogwild", 0, 0, sweeps(1)}, {"agm-e", 10, 2, sweeps(2)},      {"agm-n", 10, 2, sweeps(5)},
            {"sgm", 8, 2, sweeps(3)},     {"diag", 4, 2, sweeps(400)},      {"blkdiag", 5, 2, sweeps(4)},
            {"el", 0, 0, sweeps(4)},      {"el-shuffled", 1, 0, sweeps(5)}, {"nl", 0, 0, sweeps(6)},
            {"nl-el", 0, 0, sweeps(8)}};
}

/// Records of two data sets × ten strategies, one file per data set.
struct Records {
    TemporaryFolder folder;
    std::string first = (folder / "first.jsonl").string(), second = (folder / "second.jsonl").string();
    Records() {
        for (const Run& run : all_strategies(1)) write_run(first, rating_data, run);
        for (const Run& run : all_strategies(0.5)) write_run(second, road, run);
    }
};

inline json report(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const auto result = done("lockstep-report", arguments);
    return json::parse(result.out);
}

inline json row(const json& group, const std::string& strategy) {
    for (const json& one : group.at("rows")) {
        if (one.at("strategy") == strategy) return one;
    }
    FAIL("no row " + strategy);
    return {};
}

/// Returns the report on runs of one data set.
inline json report_on(const std::vector<Run>& runs, const std::vector<std::string>& arguments = {}) {
    TemporaryFolder folder;
    for (const Run& run : runs) write_run(folder / "r.jsonl", rating_data, run);
    std::vector<std::string> all{(folder / "r.jsonl").string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return report(all);
}

}  // namespace lockstep::test
