// Structures of graphs from the command line: labels, cores, sets and forests by original ID, one hash per
// result, verification, records, tuning, refusals.
#include "cli_support.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/run_record.hpp"

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;

namespace {

/// Two islands of towns, and a separate town with only a self-loop.
struct Islands {
    TemporaryFolder folder;
    std::string file = (folder / "islands.h5").string();
    Islands() {
        const std::string text = (folder / "islands.txt").string();
        write_file(text, "bob ada 4\nbob cid 1\ncid ada 1\nada dan -2\neve fay 0.5\nfay eve 7\ngus gus 1\n");
        done("lockstep-preprocess", text, "-o", file, "--shape square --schedule degree -q");
    }
    ProgramResult run(const std::string& app, const auto&... more) const {
        return run_program("lockstep-execute", file, "--device cpu -q --app", app, more...);
    }
};

}  // namespace

TEST_CASE("components, cores, sets and forests come out by original id") {
    const Islands islands;
    for (const char* strategy : {"best", "soman", "auto"}) {
        CHECK(islands.run("cc", "--verify -o - --strategy", strategy).out ==
              "ada ada\nbob ada\ncid ada\ndan ada\neve eve\nfay eve\ngus gus\n");
    }
    CHECK(islands.run("kcore", "--strategy best --verify -o -").out ==
          "ada 2\nbob 2\ncid 2\ndan 1\neve 1\nfay 1\ngus 0\n");
    CHECK(islands.run("kcore", "--strategy push --k 2 --verify -o -").out ==
          "ada 1\nbob 1\ncid 1\ndan 0\neve 0\nfay 0\ngus 0\n");
    CHECK(islands.run("mst", "--strategy best --verify -o -").out ==
          "ada - 0\nbob cid 1\ncid ada 1\ndan ada -2\neve - 0\nfay eve 0.5\ngus - 0\n");
    const json set = parsed(islands.run("mis", "--strategy best --verify --json --top 9"));
    CHECK(set["vertices"] == 4);  // dan, gus, one of bob and cid, one of eve and fay
    CHECK(set["check"]["ok"] == true);

    const std::string binary = (islands.folder / "f.h5").string();
    REQUIRE(islands.run("mst", "--strategy boruvka -o", binary).code == 0);
    const ResultFile stored = read_result(binary);
    CHECK(stored.columns.at(0).name == "parents");
    CHECK((std::get<std::vector<float>>(stored.columns.at(1).values) ==
           std::vector<float>{0, 1, 1, -2, 0, 0.5F, 0}));
}

TEST_CASE("a structure is told in numbers, and the total weight is exact") {
    const Islands islands;
    const json components = parsed(islands.run("cc", "--strategy best --json"));
    CHECK(components["components"] == 3);
    CHECK(components["largest"] == 4);
    CHECK(parsed(islands.run("kcore", "--strategy best --json"))["largest_core"] == 2);
    CHECK(parsed(islands.run("kcore", "--strategy best --json --k 1"))["vertices"] == 6);
    const json forest = parsed(islands.run("mst", "--strategy best --json"));
    CHECK(forest["total_weight"] == 0.5);
    CHECK(forest["forest_edges"] == 4);
    CHECK(forest["trees"] == 3);
}

TEST_CASE("a structure that is found by rounds over active vertices lists its rounds") {
    const Islands islands;
    const std::string record = (islands.folder / "r.jsonl").string();
    const json cores = parsed(islands.run("kcore", "--strategy simd-x --k 2 --json --record", record));
    REQUIRE(cores.contains("each_round"));
    REQUIRE(cores["each_round"].size() == cores["rounds"]);
    EdgeId active = 0;
    for (const json& round : cores["each_round"]) {
        CHECK(round["direction"] == "push");
        active += round["active"].get<EdgeId>();
    }
    CHECK(active >= 4);  // dan, eve, fay and gus are not in the 2-core
    const std::vector<RunRecord> runs = read_run_records(record);
    EdgeId recorded = 0;
    for (const Metric& metric : runs.at(0).sweeps.at(0).metrics)
        if (metric.name == "round_active") recorded += static_cast<EdgeId>(metric.value);
    CHECK(recorded == active);
    CHECK(!parsed(islands.run("kcore", "--strategy push --k 2 --json")).contains("each_round"));
}

TEST_CASE("every strategy, order, device and repeat of a structure gives one hash") {
    const TemporaryFolder folder;
    const std::string text = (folder / "web.txt").string(), file = (folder / "web.h5").string();
    done("lockstep-generate rmat --scale 10 --edge-factor 8 --seed 5 --weights 1..9 -o", text, "-q");
    done("lockstep-preprocess", text, "-o", file, "--shape square --undirected --schedule degree,hubs -q");
    const auto run = [&](const std::string& app, const auto&... more) {
        return parsed("lockstep-execute", file, "-q --json", ("--app " + app).c_str(), more...);
    };
    for (const std::string app : {"cc", "kcore", "kcore --k 3", "mis", "mst"}) {
        INFO(app);
        const std::string name = app.substr(0, app.find(' '));
        const json reference = run(app, "--device reference --strategy best --verify");
        const json known = parsed("lockstep-execute --strategies --json --app", name);
        for (const json& s : known["strategies"]) {
            if (app == "kcore" && s.contains("axes")) continue;  // these strategies find only a single core
            const json found =
                run(app, "--device cpu --verify --repeat 20 --strategy", std::string(s["name"]));
            CHECK(found["result_hash"] == reference["result_hash"]);
            CHECK(found["repeats"] == 20);
        }
        if (app != "mst")
            CHECK(run(app, "--device cpu --threads 3 --order degree --strategy best")["result_hash"] ==
                  reference["result_hash"]);
    }
    const auto hash_of = [&](const char* options) {
        return run("mis", "--device cpu --strategy best --priorities", options)["result_hash"];
    };
    CHECK(hash_of("random") != hash_of("degree"));
    CHECK(hash_of("random --seed 2") != hash_of("random --seed 3"));
}

TEST_CASE("a structure is recorded, and tuned") {
    const Islands islands;
    const std::string record = (islands.folder / "r.jsonl").string();
    REQUIRE(islands.run("kcore", "--strategy pull --k 2 --record", record).code == 0);
    REQUIRE(islands.run("mis", "--strategy best --priorities random --seed 9 --record", record).code == 0);
    const std::vector<RunRecord> runs = read_run_records(record);
    REQUIRE(runs.size() == 2);
    CHECK(runs[0].run.parameters.at("k") == "2");
    CHECK(runs[1].run.parameters.at("priorities") == "random");
    CHECK(runs[1].run.seed == 9);
    done("lockstep-report", record, "--json");
    const char* const before = std::getenv("LOCKSTEP_CACHE");
    const std::string kept = before ? before : "";
    setenv("LOCKSTEP_CACHE", (islands.folder / "cache").c_str(), 1);
    // The fastest of the strategies that have an option may not be the fastest of all strategies.
    const json narrow = parsed(islands.run("cc", "--strategy tune --direction pull --json"));
    CHECK(narrow["strategy"].get<std::string>().starts_with("label-"));
    CHECK_THAT(run_program("lockstep-execute", islands.file, "--app cc --device cpu").err,
               Catch::Contains("auto: best") && !Catch::Contains("in earlier trial runs"));
    const json tuned = parsed(islands.run("cc", "--strategy tune --json"));
    // The file has no schedule hubs; soman is best on a CPU, and label propagation has two directions.
    const auto ran = [](const json& of, bool presets) {
        std::size_t count = 0;
        for (const json& t : of["tune"]["tried"])
            count += !t["seconds"].is_null() && (!presets || !t.contains("axes"));
        return count;
    };
    CHECK(ran(tuned, true) == 3);
    CHECK(ran(tuned, false) > 3);  // additionally a pull, and up to three more shares
    CHECK(ran(tuned, false) <= 3 + 4);
    CHECK(parsed(islands.run("triangles", "--strategy tune --json"))["tune"]["tried"].size() == 1);
    const json cores = parsed(islands.run("kcore", "--strategy tune --k 2 --json"));
    CHECK(ran(cores, false) == 2);  // pull is best there, and rounds on a CPU can only push
    const auto automatic =
        run_program("lockstep-execute", islands.file, "--app cc --strategy auto --device cpu");
    CHECK_THAT(automatic.err, Catch::Contains("in earlier trial runs"));
    kept.empty() ? unsetenv("LOCKSTEP_CACHE") : setenv("LOCKSTEP_CACHE", kept.c_str(), 1);
}

TEST_CASE("what a structure cannot be found of is refused with the reason") {
    const Islands islands;
    const auto no = [&](int code, const std::string& words, const std::string& app, const auto&... more) {
        refused(code, words, "lockstep-execute", islands.file, "--device cpu -q --app", app, more...);
    };
    no(2, "--order does not apply to mst", "mst", "--strategy best --order degree");
    no(2, "--k is an option of kcore", "cc", "--strategy best --k 3");
    no(2, "--priorities", "mis", "--strategy best --priorities largest");
    no(2, "soman is a strategy of cc", "mis", "--strategy soman");
    no(4, "hubs", "cc", "--strategy hubs");
    const auto rounds = [&](const std::string& words, const char* given) {
        refused(2, words, "lockstep-execute", islands.file, "--device reference -q --app", given);
    };
    rounds("--append does not apply to strategy soman", "cc --strategy soman --append block");
    rounds("--balance does not apply to strategy best", "mis --strategy best --balance warp");
    rounds("use host or outlined", "mis --strategy rounds --loop fused");
    rounds("--balance is an option of", "mst --strategy boruvka --balance warp");
    const std::string text = (islands.folder / "r.txt").string(), file = (islands.folder / "r.h5").string();
    write_file(text, "a x 1\nb y 2\n");
    done("lockstep-preprocess", text, "-o", file, "-q");
    for (const char* app : {"cc", "kcore", "mis", "mst"})
        refused(4, "--shape square", "lockstep-execute", file, "--device cpu -q --strategy best --app", app);
}
