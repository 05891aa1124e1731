// lockstep-probe, lockstep-recommend, --strategy auto and the study, as a user calls them.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "cli_support.hpp"

using namespace lockstep;
using nlohmann::json;
using test::done;
using test::parsed;
using test::run_program;

namespace {

/// A folder with a schedule file and with an empty cache of probes.
struct InsightPlace {
    test::TemporaryFolder folder;
    std::string graph = (folder / "r.txt").string(), file = (folder / "r.h5").string();
    InsightPlace() {
        REQUIRE(setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1) == 0);
        done("lockstep-generate ratings --users 300 --items 120 --edges 4000 --max-degree 200 -o", graph);
        done("lockstep-preprocess", graph, "-o", file, "--schedule agm-e,shuffle");
    }
};

std::string script(const std::string& name) { return std::string(LOCKSTEP_TOOLS) + "/" + name; }

/// Returns whether a command succeeds; its output is ignored.
bool works(const std::string& command) {
    return std::system(("{ " + command + "; } > /dev/null 2>&1").c_str()) == 0;
}

/// Runs the study of two small graphs with six strategies; returns its folder. It measures the device, unless
/// study/probe.json exists.
std::string small_study(const test::TemporaryFolder& folder) {
    REQUIRE(setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1) == 0);
    const std::string out = (folder / "study").string();
    const std::string command =
        "/usr/bin/python3 " + script("bench.py study") + " --bin " + LOCKSTEP_BINARIES + " --out " + out +
        " --device cpu --sets small-even,small-road --strategies "
        "agm-e,el,el-shuffled,nl-el,el-sgm,hogwild --sweeps 2 --ranks 8 --threads 1 > " +
        (folder / "log").string() + " 2>&1";
    const int code = std::system(command.c_str());
    INFO(test::read_file(folder / "log"));
    REQUIRE(code == 0);
    return out;
}

void check_study(const test::TemporaryFolder& folder) {
    const std::string out = small_study(folder);
    const std::string html = test::read_file(out + "/study.html"), csv = test::read_file(out + "/study.csv");
    for (const char* words : {"Atomic throughput", "Predicted against measured", "Hybrid schedules",
                              "Where the time goes", "\"road\"", "\"scale-free\""})
        CHECK_THAT(html, Catch::Contains(words));
    CHECK(html.find("nan%") == std::string::npos);
    std::istringstream lines(csv);
    std::string line;
    std::size_t predicted = 0, column = 0;
    for (bool head = true; std::getline(lines, line); head = false) {
        if (head)
            column = static_cast<std::size_t>(std::count(
                line.begin(), line.begin() + static_cast<std::ptrdiff_t>(line.find("predicted_per_sweep_s")),
                ','));
        std::istringstream cells(line);
        std::string cell;
        for (std::size_t i = 0; i <= column; ++i) std::getline(cells, cell, ',');
        predicted += !head && !cell.empty();
    }
    CHECK(predicted == 12);  // two graphs, six strategies
    CHECK(works("/usr/bin/python3 " + script("bench.py fit") + " --bin " + LOCKSTEP_BINARIES + " --out " +
                out));
}

}  // namespace

TEST_CASE("recommend: ranks all strategies from a file, a graph or what inspect says, with the reason") {
    const InsightPlace place;
    const json j = parsed("lockstep-recommend", place.file, "--device cpu --json");
    CHECK(j["strategies"].size() == 16);
    CHECK(j["kind"] == "cpu");
    CHECK(j["best"] == j["strategies"][0]["strategy"]);
    CHECK_THAT(j["reason"].get<std::string>(), Catch::StartsWith(j["best"].get<std::string>() + ": "));
    for (const json& s : j["strategies"]) {
        double sum = 0;
        for (const json& term : s["terms"]) sum += term["seconds"].get<double>();
        CHECK(s["in_file"] == (s["schedule"] == "agm-e" || s["schedule"] == "shuffle"));
        if (s["seconds"]["sweep"].is_null()) continue;  // refused
        CHECK(s["seconds"]["sweep"].get<double>() == Approx(sum));
        CHECK(s["seconds"]["total"].get<double>() == Approx(s["seconds"]["preprocess"].get<double>() +
                                                            s["seconds"]["load"].get<double>() + 20 * sum));
    }
    CHECK(j["graph"]["schedules"]["agm-e"]["exact"] == true);
    CHECK(j["graph"]["schedules"]["sgm"]["exact"] == false);

    const auto inspected = run_program("lockstep-inspect", place.file, "--json");
    test::write_file(place.folder / "i.json", inspected.out);
    const json same = parsed("lockstep-recommend", place.folder / "i.json", "--device cpu --json");
    CHECK(same["strategies"] == j["strategies"]);
    const json guessed = parsed("lockstep-recommend", place.graph, "--device h200 --sweeps 5 --json");
    CHECK(guessed["device"] == "NVIDIA H200");
    CHECK(guessed["sweeps"] == 5);
    CHECK(guessed["graph"]["schedules"]["agm-e"]["exact"] == false);

    // A strategy that cannot run has the time null, not 0.
    for (const json& strategy : guessed["strategies"]) {
        const bool possible = strategy["refused"].is_null();
        for (const char* stage : {"sweep", "execute", "total"})
            CHECK(strategy["seconds"][stage].is_null() != possible);
    }
    const auto text = done("lockstep-recommend", place.file, "--device h200 --terms");
    CHECK_THAT(text.out, Catch::Contains("agm-e") && Catch::Contains("rounds, ") &&
                             Catch::Contains("not recommended on this graph and device"));
    CHECK(text.out.find("hogwild") > text.out.find("not recommended on this graph and device"));
    const auto racing = run_program("lockstep-recommend", place.file, "--device h200 --racing");
    CHECK(racing.out.find("hogwild") < racing.out.find("not recommended on this graph and device"));
}

TEST_CASE("recommend and probe: bad input gets a clear error and its exit code") {
    const InsightPlace place;
    test::refused("1 to 256, not 300", "lockstep-probe --device cpu --rank 300");
    test::refused("1 to 256, not 0", "lockstep-probe --device cpu --rank 0");
    test::refused("must be one of auto, cpu, cuda, not tpu", "lockstep-probe --device tpu");
    test::refused("a graph or a schedule file is needed", "lockstep-recommend");
    test::refused("1 to 256", "lockstep-recommend", place.file, "--rank 300");
    test::refused("--sweeps", "lockstep-recommend", place.file, "--sweeps 0");
    test::refused("h200", "lockstep-recommend", place.file, "--device h300");
    test::refused("--probe FILE", "lockstep-recommend", place.file, "--device probe");
    test::refused("8 GPUs cannot be divided evenly among 3 hosts", "lockstep-recommend", place.file,
                  "--gpus 8 --hosts 3");
    test::refused("--gpus N", "lockstep-recommend", place.file, "--hosts 3");
    test::refused(4, "cannot be opened", "lockstep-recommend", place.file, "--device cpu --probe",
                  place.folder / "none.json");
    test::write_file(place.folder / "bad.json", "{\"lockstep_probe\": 1,\n");
    test::refused(4, "is not JSON", "lockstep-recommend", place.file, "--device cpu --probe",
                  place.folder / "bad.json");
    test::refused(4, "lockstep-inspect --json", "lockstep-recommend", place.folder / "bad.json",
                  "--device cpu");
    test::refused(4, "none.h5", "lockstep-recommend", place.folder / "none.h5");
    std::string damaged = test::read_file(place.file);
    damaged.resize(damaged.size() / 2);
    test::write_file(place.folder / "half.h5", damaged);
    test::refused(4, "half.h5", "lockstep-recommend", place.folder / "half.h5");
    test::refused("--order", "lockstep-execute", place.file, "--strategy auto --order shuffle --device cpu");
    test::refused(4, "half.h5", "lockstep-execute", place.folder / "half.h5", "--strategy auto --device cpu");
}

TEST_CASE(
    "probe: measures the CPU once, keeps it, refuses to serve another device, and the study runs on it") {
    const InsightPlace place;
    std::filesystem::create_directory(place.folder / "study");
    const std::string out = (place.folder / "study" / "probe.json").string();
    const auto first =
        run_program("lockstep-probe --device cpu --rank 8 --threads 1 --quick -o", out, "--json");
    const json p = parsed(first);
    CHECK_THAT(first.err, Catch::Contains("measuring"));
    CHECK(p["kind"] == "cpu");
    CHECK(p["rank"] == 8);
    CHECK(p["atomics_same"]["per_second"][0].get<double>() > 0);
    CHECK(p["costs"]["tiled.edge"].get<double>() > 0);
    CHECK(p["build"]["agm-e"]["edge"].get<double>() > 0);
    CHECK(json::parse(test::read_file(out)) == p);
    const auto second = run_program("lockstep-probe --device cpu --rank 8 --threads 1 --json");
    CHECK_THAT(second.err, Catch::Contains("measured earlier"));
    CHECK(json::parse(second.out) == p);

    const std::vector<std::string> recommend{place.file, "--device",  "cpu", "--rank",
                                             "8",        "--threads", "1",   "--json"};
    CHECK_THAT(parsed("lockstep-recommend", recommend)["probe"].get<std::string>(),
               Catch::Contains("measured 2"));
    test::refused(4, "rank 8; expected 16", "lockstep-recommend", place.file,
                  "--device cpu --rank 16 --threads 1 --probe", out);
    json foreign = p;
    foreign["device"] = "Another processor";
    test::write_file(place.folder / "foreign.json", foreign.dump());
    test::refused(4, "Another processor", "lockstep-recommend", place.file,
                  "--device cpu --rank 8 --threads 1 --probe", place.folder / "foreign.json");
    CHECK(parsed("lockstep-recommend", place.file, "--device probe --probe", place.folder / "foreign.json",
                 "--json")["device"] == "Another processor");

    if (!works("/usr/bin/python3 -c ''")) return test::skip("there is no python3");
    check_study(place.folder);
}

TEST_CASE("auto: runs what it finds best in the file, says why, and records it") {
    const InsightPlace place;
    const std::string record = (place.folder / "run.jsonl").string();
    const auto run = run_program("lockstep-execute", place.file,
                                 "--strategy auto --device cpu --sweeps 3 --record", record, "--json");
    const json j = parsed(run);
    const std::string chosen = j["strategy"];
    CHECK(((chosen == "agm-e") || (chosen == "el") || (chosen == "el-shuffled") || (chosen == "nl") ||
           (chosen == "nl-el")));
    CHECK_THAT(run.err,
               Catch::Contains("auto: " + chosen + ": ") && Catch::Contains("no probe of this device"));
    CHECK_THAT(j["auto"]["reason"].get<std::string>(), Catch::StartsWith(chosen));
    CHECK(j["auto"]["seconds"].get<double>() > 0);
    CHECK_THAT(test::read_file(record), Catch::Contains("\"chosen_by\":\"auto\""));
    const json again =
        parsed("lockstep-execute", place.file, "--strategy", chosen, "--device cpu --sweeps 3 --json");
    if (j["deterministic"] == true) CHECK(again["result_hash"] == j["result_hash"]);
}

TEST_CASE("a time limit stops a run after the sweep that passes it") {
    const InsightPlace place;
    const json j = parsed("lockstep-execute", place.file,
                          "--strategy agm-e --device cpu --sweeps 1000000 --time-limit 0.05 "
                          "--evaluate-every 1000000 --json --lock",
                          place.folder / "lock");
    CHECK(j["status"] == "stopped-early");
    CHECK(j["sweeps"].size() < 1000000);
    CHECK(j["sweeps"].size() >= 1);
    CHECK(j["rmse_train"].is_number());  // evaluated after the last sweep
    CHECK(run_program("lockstep-execute", place.file, "--strategy agm-e --device cpu --time-limit -1").code ==
          2);
}

TEST_CASE("the study's page draws in a browser") {
    if (!works("/usr/bin/python3 -c ''")) return test::skip("there is no python3");
    if (!works("chromium --version")) return test::skip("there is no chromium to draw a page");
    const test::TemporaryFolder folder;
    const std::string out = small_study(folder);
    const std::string picture = (folder / "page.png").string();
    const std::string browser =
        "chromium --headless --no-sandbox --disable-gpu --user-data-dir=" + (folder / "browser").string() +
        " --virtual-time-budget=2000 ";
    REQUIRE(std::system((browser + "--window-size=1300,2400 --screenshot=" + picture + " file://" + out +
                         "/study.html > /dev/null 2>&1")
                            .c_str()) == 0);
    CHECK(test::read_file(picture).size() > 50000);  // an empty page has a few kilobytes
    REQUIRE(std::system((browser + "--dump-dom file://" + out + "/study.html > " + (folder / "dom").string() +
                         " 2> /dev/null")
                            .c_str()) == 0);
    const std::string dom = test::read_file(folder / "dom");
    CHECK_THAT(dom, Catch::Contains("Predicted against measured"));
    CHECK(dom.find("parsererror") == std::string::npos);
}

TEST_CASE("a schedule that preprocess refuses is not possible for recommend and bench either") {
    const InsightPlace place;
    const std::string graph = (place.folder / "skewed.txt").string(), file = (place.folder / "s.h5").string();
    done("lockstep-generate ratings --users 4000 --items 1000 --edges 150000 --max-degree 3000 -q -o", graph);
    const auto local = run_program("lockstep-preprocess", graph, "-o", file, "-q --schedule local");
    REQUIRE(local.code == 4);
    const std::string reason = local.err.substr(local.err.find("local: "), 40);
    done("lockstep-preprocess", graph, "-o", file, "-q");
    for (const std::string& of : {graph, file}) {
        const json j = parsed("lockstep-recommend", of, "--device h200 --json");
        for (const json& s : j["strategies"]) {
            if (s["strategy"] != "local") continue;
            const std::string refused = s["refused"].get<std::string>();
            CHECK_THAT(refused, Catch::StartsWith("not possible: local: "));
            if (of == graph) CHECK_THAT(refused, Catch::Contains(reason));
        }
        const auto text = run_program("lockstep-recommend", of, "--device cpu");
        CHECK_THAT(text.out, Catch::Matches("[^]*\\nlocal +– +– +– +– +–  not possible: [^]*"));
    }
    // A road-like graph has locality.
    const std::string road = (place.folder / "road.txt").string();
    done("lockstep-generate grid --width 300 --height 300 -q -o", road);
    const json on_road = parsed("lockstep-recommend", road, "--shape square --device cpu --json");
    for (const json& s : on_road["strategies"]) {
        if (s["strategy"] != "local") continue;
        CHECK(s["refused"].is_null());
        CHECK(s["seconds"]["preprocess"] > 0);
    }
}
