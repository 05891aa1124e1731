// lockstep-report on runs over active vertices: runs on the CPU, and records in the form of a GPU's with
// made-up numbers.
#include <fmt/format.h>

#include <map>
#include <set>

#include "report_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// A graph, and runs on it in one record.
struct Runs {
    TemporaryFolder folder;
    std::string file = (folder / "web.h5").string(), record = (folder / "web.jsonl").string();
    Runs() {
        const std::string text = (folder / "web.txt").string();
        done("lockstep-generate rmat --scale 9 --edge-factor 8 --seed 5 -o", text, "-q");
        done("lockstep-preprocess", text, "-o", file, "--shape square --undirected -q");
    }
    void run(const std::string& options) const {
        done("lockstep-execute", file, "-q --record", record, options.c_str());
    }
};

/// Returns the comparison with this title; if there are several, the one with the most values.
json comparison(const json& group, const std::string& title) {
    json found;
    for (const json& one : group.value("comparisons", json::array())) {
        if (one.at("title") == title && (found.is_null() || one["values"].size() > found["values"].size()))
            found = one;
    }
    return found;
}

std::map<std::string, double> values_of(const json& comparison) {
    std::map<std::string, double> values;
    for (const json& one : comparison.at("values")) values[one.at("value")] = one.at("number");
    return values;
}

/// A run on a GPU from one source.
struct GpuRun {
    std::string strategy, balance, append, filter, loop;
    double seconds, launches, atomics, registers;
    std::vector<std::pair<std::string, double>> rounds = {};  ///< filter, number of active vertices
};

void write_run(const std::string& path, const GpuRun& what) {
    RunHeader run;
    run.program = "lockstep-execute 0.1.0 (revision abc)";
    run.started = "2025-01-02T03:04:05Z";
    run.app = "bfs";
    run.strategy = what.strategy;
    run.device = {"cuda", "Some GPU", 100, "12.8"};
    run.sweeps = run.seed = 1;
    run.schedule_file = "web.h5";
    run.graph_hash = "graph";
    run.rows = run.cols = 1000;
    run.edges = run.train_edges = 9000;
    run.parameters = {
        {"order", "given"},
        {"axes", fmt::format("--active list --direction push --balance {} --append {} --filter {} "
                             "--loop {}",
                             what.balance, what.append, what.filter, what.loop)}};
    SweepRecord sweep{1,
                      what.seconds,
                      {{"rounds", static_cast<double>(what.rounds.size())},
                       {"launches", what.launches},
                       {"worklist_atomics", what.atomics},
                       {"registers", what.registers}},
                      9000,
                      1};
    for (std::size_t i = 0; i < what.rounds.size(); ++i) {
        const auto& [filter, active] = what.rounds[i];
        for (const Metric& m : Metrics{{"round_seconds", 0.5},
                                       {"round_active", active},
                                       {"round_arcs", 2 * active},
                                       {filter + "_rounds", static_cast<double>(i + 1)}})
            sweep.metrics.push_back(m);
    }
    RunRecorder recorder(path);
    recorder.write(run);
    recorder.write(sweep);
    recorder.write(RunEnd{"ok", "r", {0, 0, 0, 0, 0, what.seconds, 0}, 9000 / what.seconds});
}

using Numbers = std::map<std::string, double>;

}  // namespace

TEST_CASE("report: speed-ups over the serial CPU, of the same task alone, for every application in rounds") {
    const Runs runs;
    for (const char* app : {"bfs", "sssp"}) {
        for (const char* options : {"--device reference --strategy best", "--device cpu --strategy best",
                                    "--device cpu --strategy warp --direction pull"})
            runs.run(std::string("--sources 3 --app ") + app + " " + options);
    }
    runs.run("--app bfs --device cpu --strategy hn --sources 2");  // another task
    runs.run("--app cc --device reference --strategy best");
    runs.run("--app cc --device cpu --strategy soman");

    const json root = report({runs.record});
    std::map<std::string, const json*> serial;
    for (const json& group : root["groups"]) {
        if (group["device"]["kind"] != "reference") continue;
        serial[group["app"]] = &group["rows"][0];
        CHECK_FALSE(group.contains("comparisons"));
    }
    REQUIRE(serial.size() == 3);
    for (const json& group : root["groups"]) {
        if (group["device"]["kind"] == "reference") continue;
        CAPTURE(group["app"]);
        const json compared = comparison(group, "Speed-up over the serial CPU");
        CHECK(compared["option"] == "strategy");
        const auto values = values_of(compared);
        CHECK(values.size() == (group["app"] == "cc" ? 1 : 2));
        for (const json& row : group["rows"]) {
            const double speed_up = (*serial[group["app"]])["seconds"]["execute_per_sweep"].get<double>() /
                                    row["seconds"]["execute_per_sweep"].get<double>();
            if (row["strategy"] == "hn") {
                CHECK(row["speed_up_over_serial"].is_null());
                continue;
            }
            CHECK(row["speed_up_over_serial"].get<double>() == Approx(speed_up));
            CHECK(values.at(row["strategy"]) == Approx(speed_up));
            CHECK(row["launches"].is_null());
            if (group["app"] != "cc") CHECK(row["rounds"] >= 1);  // the CPU uses another algorithm there
        }
        // The CPU has its own implementations for the axes of a GPU.
        CHECK(group["comparisons"].size() == 1);
    }

    const std::string text = done("lockstep-report", runs.record).out;
    CHECK_THAT(text, Catch::Contains("Speed-up over the serial CPU · ") && Catch::Contains("web, bfs  ") &&
                         Catch::Contains("web, cc  ") && Catch::Contains("pull 1–"));
}

TEST_CASE("report: strategies that are one program on a CPU are not compared with each other") {
    const Runs runs;
    for (const char* strategy : {"baseline", "warp", "irgl-all", "simd-x", "simd-x-online", "best"})
        runs.run(std::string("--device cpu --app bfs --strategy ") + strategy);
    const json group = report({runs.record})["groups"][0];
    std::map<std::string, json> same;
    for (const json& row : group["rows"]) {
        same[row["strategy"]] = row["same_as"];
        CHECK(row["normalised"].is_null() == !row["same_as"].is_null());
    }
    CHECK(same == std::map<std::string, json>{{"baseline", nullptr},
                                              {"warp", "baseline"},
                                              {"irgl-all", "baseline"},
                                              {"simd-x", nullptr},
                                              {"simd-x-online", "simd-x"},
                                              {"best", nullptr}});
    CHECK_THAT(
        done("lockstep-report", runs.record).out,
        Catch::Contains("The same program on a CPU (--direction push), compared only once, as baseline: "
                        "baseline, warp, irgl-all."));
}

TEST_CASE("report: variants of a strategy are called by the axes that differ") {
    const Runs runs;
    for (const char* strategy : {"--app bfs --strategy irgl-none", "--app cc --strategy label-propagation"}) {
        for (const char* more : {" --balance serial", " --balance warp", " --balance warp --chunk 64"})
            runs.run(strategy + std::string(more));
    }
    const json reported = report({runs.record});
    for (const json& group : reported["groups"]) {
        std::set<std::string> variants;
        for (const json& row : group["rows"]) variants.insert(row["variant"]);
        CHECK(variants == std::set<std::string>{"balance serial, chunk 0", "balance warp, chunk 0",
                                                "balance warp, chunk 64"});
    }
}

TEST_CASE("report: no runs over active vertices, nothing of them") {
    Records records;
    const json root = report({records.first});
    CHECK_FALSE(root["groups"][0].contains("comparisons"));
    CHECK_FALSE(root["groups"][0]["rows"][0].contains("rounds"));
    CHECK_THAT(done("lockstep-report", records.first).out, !Catch::Contains("worklist"));
}

TEST_CASE("report: IrGL's balances and appends, SIMD-X's filters and fusions") {
    const TemporaryFolder folder;
    const std::string record = (folder / "gpu.jsonl").string();
    const GpuRun just_in_time{"simd-x", "serial+warp+block --small 32 --large 1024",
                              "thread", "jit:64",
                              "fused",  2,
                              3,        70,
                              48,       {{"online", 1}, {"online", 40}, {"ballot", 900}, {"online", 9}}};
    for (const GpuRun& run : std::vector<GpuRun>{
             {"irgl-none", "serial", "thread", "append", "host", 12, 9, 800, 20},
             {"irgl-none", "warp --small 16", "thread", "append", "host", 8, 9, 800, 24},
             {"irgl-none", "warp --small 32", "thread", "append", "host", 6, 9, 800, 24},
             // These records have one more balance, and more appends of it, under the name of another
             // strategy.
             {"irgl-nested", "fine+warp --small 32", "thread", "append", "host", 4, 9, 800, 40},
             {"irgl-nested", "fine+warp --small 32", "warp", "append", "host", 3, 9, 100, 40},
             {"irgl-nested", "fine+warp --small 32", "block", "append", "host", 2, 9, 40, 40},
             {"irgl-coop", "serial", "block", "append", "host", 10, 9, 200, 22},
             just_in_time,
             {"simd-x-ballot", just_in_time.balance, "thread", "ballot", "fused", 8, 3, 0, 48},
             {"simd-x-online", just_in_time.balance, "thread", "online", "fused", 1.6, 3, 90, 48},
             {"simd-x", just_in_time.balance, "thread", "jit:64", "host", 5, 40'688, 70, 25},
             {"simd-x", just_in_time.balance, "thread", "jit:64", "all", 4, 1, 70, 110}})
        write_run(record, run);

    const json root = report({record});
    REQUIRE(root["groups"].size() == 1);
    const json& group = root["groups"][0];
    const auto values = [&](const char* title) { return values_of(comparison(group, title)); };
    CHECK(values("Nested parallelism: speed-up over serial") ==
          Numbers{{"serial", 1}, {"warp", 2}, {"fine+warp", 3}});
    CHECK(values("Cooperative conversion: times fewer worklist atomics than thread") ==
          Numbers{{"thread", 1}, {"warp", 8}, {"block", 20}});
    CHECK(values("Cooperative conversion: worklist atomics") ==
          Numbers{{"thread", 800}, {"warp", 100}, {"block", 40}});
    CHECK(values("Filters alone: speed-up over just-in-time control") ==
          Numbers{{"jit:64", 1}, {"ballot", 0.25}, {"online", 1.25}});
    CHECK(values("Fusion: speed-up over one launch per step") ==
          Numbers{{"host", 1}, {"fused", 2.5}, {"all", 1.25}});
    CHECK(values("Fusion: launches") == Numbers{{"host", 40'688}, {"fused", 3}, {"all", 1}});
    CHECK(values("Fusion: registers per thread") == Numbers{{"host", 25}, {"fused", 48}, {"all", 110}});
    CHECK(comparison(group, "Nested parallelism: speed-up over serial")["values"][0]["value"] == "serial");

    // Appends of two balances, and balances of two appends, are distinguished by these.
    std::set<std::string> with;
    for (const json& one : group["comparisons"])
        with.insert(one["option"].get<std::string>() + ": " + one["with"].get<std::string>());
    CHECK(with == std::set<std::string>{"append: balance fine+warp", "append: balance serial",
                                        "balance: append block", "balance: append thread",
                                        "filter: ", "loop: "});

    for (const json& row : group["rows"]) {
        if (row["each_round"].empty()) continue;
        REQUIRE(row["each_round"].size() == 4);
        CHECK(row["each_round"][2]["filter"] == "ballot");
        CHECK(row["each_round"][2]["active"] == 900);
    }
    const std::string text = done("lockstep-report", record).out;
    CHECK_THAT(text, Catch::Contains("push, online 1–2 · push, ballot 3 · push, online 4") &&
                         Catch::Contains("Fusion: registers per thread · Some GPU, 100 multiprocessors") &&
                         Catch::Contains("40,688"));
}
