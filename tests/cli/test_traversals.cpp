// Traversals from the command line: levels, distances, parents and paths by original ID, several sources,
// verification, tuning, refusals.
#include <fmt/format.h>

#include <sstream>

#include "cli_support.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/run_record.hpp"

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// Six towns, one of which no road leads to.
struct Towns {
    TemporaryFolder folder;
    std::string file = (folder / "towns.h5").string();
    Towns() {
        const std::string text = (folder / "towns.txt").string();
        write_file(text, "ada bob 4\nada cid 1\ncid bob 2\nbob dan 5\ncid dan 9\ndan eve 0\nfay ada 1\n");
        done("lockstep-preprocess", text, "-o", file, "--shape square -q");
    }
    ProgramResult run(const std::string& app, const auto&... more) const {
        return run_program("lockstep-execute", file, "--device cpu -q --app", app, more...);
    }
};

/// Makes a schedule file of a generated graph. Returns its path.
std::string rmat(const TemporaryFolder& folder) {
    const std::string text = (folder / "web.txt").string(), file = (folder / "web.h5").string();
    done("lockstep-generate rmat --scale 10 --edge-factor 8 --seed 5 -o", text, "-q");
    done("lockstep-preprocess", text, "-o", file, "--shape square --undirected --schedule degree -q");
    return file;
}

}  // namespace

TEST_CASE("levels, parents and distances come out by original id, what nothing leads to is said so") {
    const Towns towns;
    CHECK(towns.run("bfs", "--strategy best --source ada --parents --verify -o -").out ==
          "ada 0 ada\nbob 1 ada\ncid 1 ada\ndan 2 bob\neve 3 dan\nfay inf -\n");
    for (const char* strategy : {"best", "baseline", "irgl-all", "simd-x", "auto"})
        CHECK(towns.run("sssp", "--source ada --verify -o - --strategy", strategy).out ==
              "ada 0\nbob 3\ncid 1\ndan 8\neve 8\nfay inf\n");
    const json top = parsed(towns.run("sssp", "--strategy best --source ada --top 9 --json"));
    CHECK(top["top"].size() == 5);
    CHECK(top["top"][0]["id"] == "dan");
    CHECK(top["top"][0]["distance"] == 8);
    CHECK(top["sources"][0]["reached"] == 5);
    CHECK(top["sources"][0]["edges"] == 6);

    const std::string binary = (towns.folder / "d.h5").string();
    REQUIRE(towns.run("sssp", "--strategy best --source ada -o", binary).code == 0);
    const ResultFile stored = read_result(binary);
    CHECK(stored.columns.at(0).name == "distances");
    CHECK((std::get<std::vector<std::uint32_t>>(stored.columns[0].values) ==
           std::vector<std::uint32_t>{0, 3, 1, 8, 8, ~0U}));
}

TEST_CASE("a path leads from the source to a vertex, of the fewest arcs, or there is none") {
    const Towns towns;
    const auto path = [&](const std::string& app, const std::string& to) {
        return parsed(towns.run(app, "--strategy best --source ada --json --path-to", to))["path"];
    };
    CHECK(path("sssp", "eve") == json{"ada", "cid", "bob", "dan", "eve"});
    CHECK(path("bfs", "eve") == json{"ada", "bob", "dan", "eve"});
    CHECK(path("bfs", "ada") == json{"ada"});
    CHECK(path("sssp", "fay").is_null());
    const auto text = run_program("lockstep-execute", towns.file,
                                  "--device cpu --app sssp --strategy best --source ada --path-to fay");
    CHECK_THAT(text.out, Catch::Contains("fay is not reached from ada"));
}

TEST_CASE("several sources are drawn by seed, every strategy gives one hash, and its times and rates") {
    const TemporaryFolder folder;
    const std::string file = rmat(folder);
    const auto run = [&](const std::string& app, const std::string& strategy, const auto&... more) {
        return parsed("lockstep-execute", file, "--device cpu -q --json --verify --sources 5 --app", app,
                      "--strategy", strategy, more...);
    };
    for (const char* app : {"bfs", "sssp"}) {
        const json first = run(app, "best");
        REQUIRE(first["sources"].size() == 5);
        CHECK(first["check"]["sources"] == 5);
        CHECK(first["teps"]["harmonic_mean"] > 0);
        CHECK(first["median_seconds"] > 0);
        CHECK(run(app, "best", "--seed 2")["sources"] != first["sources"]);
        const json order = run(app, "best", "--order degree --repeat 2 --threads 2");
        CHECK(order["result_hash"] == first["result_hash"]);
        for (std::size_t i = 0; i < 5; ++i) {
            CHECK(order["sources"][i]["id"] == first["sources"][i]["id"]);
            CHECK(order["sources"][i]["edges"] == first["sources"][i]["edges"]);
        }
        const json known = parsed("lockstep-execute --strategies --json --app", app);
        for (const json& s : known["strategies"]) {
            if (s["schedule"].is_null()) CHECK(run(app, s["name"])["result_hash"] == first["result_hash"]);
        }
        const json reference = parsed("lockstep-execute", file,
                                      "--device reference -q --json --sources 5 --strategy best --app", app);
        CHECK(reference["result_hash"] == first["result_hash"]);
        if (app == std::string("bfs"))
            CHECK(run(app, "best", "--direction pull")["rounds"][0]["direction"] == "pull");
    }
}

TEST_CASE("a source that reaches next to nothing is not in the mean of rates") {
    const TemporaryFolder folder;
    std::string text = "500 501\n";
    for (int i = 0; i < 400; ++i) text += fmt::format("{} {}\n", i, (i + 1) % 400);
    write_file(folder / "g.txt", text);
    const json result =
        parsed("lockstep-execute", folder / "g.txt",
               "--shape square --device cpu -q --json --sources 401 --app bfs --strategy best");
    REQUIRE(result["sources"].size() == 401);
    double inverse = 0;
    for (const json& s : result["sources"])
        if (s["edges"] > 1) inverse += 1 / s["teps"].get<double>();
    CHECK(result["teps"]["counted"] == 400);
    CHECK(result["teps"]["harmonic_mean"].get<double>() == Approx(400 / inverse));
}

TEST_CASE("the record of a traversal has a line a source, the rounds of the first, and reads back") {
    const TemporaryFolder folder;
    const std::string file = rmat(folder), record = (folder / "r.jsonl").string();
    const json result =
        json::parse(done("lockstep-execute", file,
                         "--app bfs --strategy simd-x --device cpu --sources 3 --json --record", record)
                        .out);
    const std::vector<RunRecord> runs = read_run_records(record);
    REQUIRE(runs.size() == 1);
    CHECK(runs[0].sweeps.size() == 3);
    CHECK(runs[0].sweeps[0].metric("reached") > 1);
    CHECK_FALSE(runs[0].sweeps[0].metric("launches"));  // a CPU has no kernels
    // The record has the rounds of the first source as arrays, like the JSON.
    const auto values = [&](std::size_t sweep, const char* name) {
        std::vector<double> found;
        for (const Metric& m : runs[0].sweeps[sweep].metrics) {
            if (m.name == name) found.push_back(m.value);
        }
        return found;
    };
    std::vector<double> active, arcs, pulls;
    for (const json& round : result["rounds"]) {
        active.push_back(round["active"]), arcs.push_back(round["arcs"]);
        if (round["direction"] == "pull") pulls.push_back(static_cast<double>(active.size()));
    }
    CHECK(values(0, "rounds") == std::vector{static_cast<double>(active.size())});
    CHECK(values(0, "round_active") == active);
    CHECK(values(0, "round_arcs") == arcs);
    CHECK(values(0, "pull_rounds") == pulls);
    CHECK(!pulls.empty());
    CHECK(values(1, "round_active").empty());
    CHECK_THAT(runs[0].run.parameters.at("axes"), Catch::Contains("--filter jit:64"));
    done("lockstep-report", record, "--json");
}

TEST_CASE("tune tries what there is, says so, and auto goes by it") {
    const TemporaryFolder folder;
    const std::string file = rmat(folder), cache = (folder / "cache").string();
    const char* const before = std::getenv("LOCKSTEP_CACHE");
    const std::string kept = before ? before : "";
    setenv("LOCKSTEP_CACHE", cache.c_str(), 1);
    const json tuned = parsed("lockstep-execute", file,
                              "--app bfs --strategy tune --device cpu --threads 1 -q --json --verify");
    const json& tried = tuned["tune"]["tried"];
    // On a CPU there are a push, two shares of an adaptive direction, and no schedule here: three programs.
    // The search then continues over directions, the only axis that matters on a CPU: a pull, and shares that
    // were not tried before.
    CHECK(tried.size() > 3);
    CHECK(tried.size() <= 3 + 4);
    CHECK(tried[0]["strategy"] == "best");
    double least = 1e9;
    for (const json& t : tried) {
        if (!t["seconds"].is_null()) least = std::min(least, t["seconds"].get<double>());
        CHECK(t["result_hash"] == tuned["result_hash"]);
    }
    const auto axes = tuned["tune"]["axes"].get<std::string>();
    for (const json& t : tried) {
        if (t["strategy"] == tuned["strategy"] && t.value("axes", "") == axes)
            CHECK(t["seconds"] <= 1.05 * least);
    }
    for (const json& t : tried) {  // the reported strategies and axes are valid options
        const json again = parsed("lockstep-execute", file, "--app bfs --device cpu -q --json --strategy",
                                  t["strategy"].get<std::string>(), t.value("axes", "").c_str());
        CHECK(again["result_hash"] == tuned["result_hash"]);
    }
    const auto automatic =
        run_program("lockstep-execute", file, "--app bfs --strategy auto --device cpu --threads 1");
    CHECK_THAT(automatic.err, Catch::Contains("auto: " + tuned["strategy"].get<std::string>() +
                                              (axes.empty() ? "" : ' ' + axes) + ": ") &&
                                  Catch::Contains("in earlier trial runs"));
    const json brief = parsed("lockstep-execute", file,
                              "--app sssp --strategy tune --tune-seconds 0 --device cpu -q --json");
    CHECK(brief["tune"]["tried"][1]["why"] == "no time left");
    for (const json& t : brief["tune"]["tried"]) CHECK(!t.contains("axes"));
    const json presets =
        parsed("lockstep-execute", file, "--app bfs --strategy tune --tune-presets --device cpu -q --json");
    CHECK(presets["tune"]["tried"].size() == 3);
    kept.empty() ? unsetenv("LOCKSTEP_CACHE") : setenv("LOCKSTEP_CACHE", kept.c_str(), 1);
}

TEST_CASE("strategies that are one program on a CPU say which one, in the record and the JSON") {
    const TemporaryFolder folder;
    const std::string file = rmat(folder), record = (folder / "r.jsonl").string();
    const auto program = [&](const std::string& app, const std::string& strategy, const char* more = "") {
        const json run = parsed("lockstep-execute", file, "--device cpu -q --json --record", record, "--app",
                                app, "--strategy", strategy, more);
        CHECK(read_run_records(record).back().run.parameters.at("cpu_program") ==
              run["cpu_program"].get<std::string>());
        return run["cpu_program"].get<std::string>();
    };
    for (const char* strategy : {"hn", "baseline", "warp", "dynamic", "irgl-none", "irgl-all"})
        CHECK(program("bfs", strategy) == "--direction push");
    for (const char* strategy : {"simd-x", "simd-x-ballot"})
        CHECK(program("bfs", strategy) == "--direction adaptive:0.3");
    CHECK(program("bfs", "best") == "--direction adaptive:0.05");
    CHECK(program("bfs", "best", "--direction pull") == "--direction pull");
    for (const char* strategy : {"irgl-all", "simd-x", "best"})
        CHECK(program("sssp", strategy) == "--priority delta --delta 0");
    CHECK(program("sssp", "best", "--delta 3") == "--priority delta --delta 3");
    for (const char* strategy : {"thread", "warp", "best"}) CHECK(program("triangles", strategy) == "best");
    for (const char* strategy : {"pull", "pull-warp"}) CHECK(program("pagerank", strategy) == "pull");
    CHECK(program("pagerank", "edge-aos") == "edge-soa");
    CHECK(program("mis", "rounds") == "best");
}

TEST_CASE(
    "options that only a GPU heeds are refused of a CPU that is asked for, and named where it is taken") {
    const Towns towns;
    const auto no = [&](const char* options, const std::string& words) {
        refused(2, words, "lockstep-execute", towns.file, "--device cpu", options);
    };
    no("--app bfs --strategy best --filter append --append warp", "without effect on a CPU");
    no("--app bfs --strategy best --filter append --append warp", ": --append, --filter;");
    no("--app sssp --strategy warp --balance warp", "--balance");
    no("--app sssp --strategy warp --defer 5", "--defer");
    no("--app cc --strategy label-propagation --loop host", "--loop");
    no("--app triangles --strategy thread --balance serial", "--balance");
    no("--app pagerank --strategy push-warp --warp-size 4", "--warp-size");
    refused(2, "--warp-size and --chunk apply only to strategies with virtual warps", "lockstep-execute",
            towns.file, "--app pagerank --strategy push --warp-size 4");
    const auto taken =
        done("lockstep-execute", towns.file, "--app bfs --strategy irgl-none --balance warp --append block");
    if (taken.err.find("running on the CPU") != std::string::npos)
        CHECK_THAT(taken.err, Catch::Contains("note: without effect on a CPU: --balance, --append"));
    done("lockstep-execute", towns.file,
         "--device cpu --app sssp --strategy best --direction push --delta 2");
}

TEST_CASE("what a traversal cannot do is refused with the reason") {
    const Towns towns;
    const auto no = [&](int code, const std::string& words, const std::string& app, const auto&... more) {
        refused(code, words, "lockstep-execute", towns.file, "--device cpu -q --app", app, more...);
    };
    no(2, "there is no vertex \"zoe\"", "bfs", "--strategy best --source zoe");
    no(2, "there is no vertex \"zoe\"", "bfs", "--strategy best --path-to zoe");
    no(2, "--sources (several random vertices)", "bfs", "--strategy best --source ada --sources 3");
    refused(2, "--balance must be", "lockstep-execute", towns.file,
            "--app bfs --strategy best --balance warps");
    refused(2, "a single direction", "lockstep-execute", towns.file,
            "--app bfs --strategy simd-x --loop outlined");
    no(2, "applications that can process better values first", "bfs", "--strategy best --priority near-far");
    no(2, "--parents is an option of bfs", "sssp", "--strategy best --parents");
    no(2, "give --app sgd", "bfs", "--strategy agm-e");
    no(2, "--strategy tune does not apply to", "sgd", "--strategy tune");
    refused(2, "--balance is an option of bfs, sssp", "lockstep-execute", towns.file,
            "--app pagerank --strategy pull --balance warp");
    refused(2, "simd-x is a strategy of bfs, sssp, kcore, not of pagerank; give --app bfs or sssp or kcore",
            "lockstep-execute", towns.file, "--app pagerank --strategy simd-x");
    const std::string text = (towns.folder / "n.txt").string(), file = (towns.folder / "n.h5").string();
    write_file(text, "a b 4\nb c -1\n");
    done("lockstep-preprocess", text, "-o", file, "--shape square -q");
    refused(4, "the edge from b to c has the weight -1", "lockstep-execute", file,
            "--app sssp --strategy best --device cpu -q");
    done("lockstep-execute", file, "--app bfs --strategy best --device cpu -q");
    const std::string bipartite = (towns.folder / "b.h5").string();
    done("lockstep-preprocess", text, "-o", bipartite, "-q");
    refused(4, "--shape square", "lockstep-execute", bipartite, "--app bfs --strategy best --device cpu -q");
}

TEST_CASE("a schedule file of one set of vertices is an undirected graph to all that works on arcs") {
    const TemporaryFolder folder;
    const auto text = folder / "g.txt", one = folder / "one.h5", arcs = folder / "arcs.h5";
    // Parallel edges, both directions of one edge, loops, and a component of two vertices.
    write_file(
        text,
        "ada bob 4\nbob ada 3\nada cid 1\ncid bob 2\ncid bob 2.5\nbob dan 5\ncid cid 7\ncid dan 9\ndan "
        "eve 1\neve eve 1\nfay gus 6\n");
    done("lockstep-preprocess", text, "-o", one, "--shape square --ends vertices --schedule agm-e,degree -q");
    done("lockstep-preprocess", text, "-o", arcs, "--shape square --undirected --schedule degree -q");
    const auto run = [&](const fs::path& file, const std::string& app, const auto&... more) {
        return parsed("lockstep-execute --device cpu --json -q --app", app, file, more...);
    };
    for (const std::string app :
         {"bfs", "sssp", "cc", "kcore", "mis", "mst", "triangles", "pagerank", "bp", "layout"}) {
        INFO(app);
        const std::string source = app == "bfs" || app == "sssp" ? "--source=ada" : "--threads=2";
        const json expected = run(arcs, app, source);
        const json found = run(one, app, source, "--verify");
        CHECK(found["result_hash"] == expected["result_hash"]);
        CHECK(found["check"]["ok"] == true);
        CHECK(run(one, app, source, "--strategy tune --tune-seconds 0")["result_hash"] ==
              expected["result_hash"]);
        if (app != "layout" && app != "mst")  // these applications have no order of vertices
            CHECK(run(one, app, source, "--order degree")["result_hash"] == expected["result_hash"]);
        double stages = 0;
        for (const auto& [stage, seconds] : found["seconds"].items()) {
            const bool of_file = stage == "read" || stage == "schedule" || stage == "write";
            if (!of_file && stage != "total") stages += seconds.get<double>();
        }
        CHECK(found["seconds"]["total"] == Approx(stages));
    }
    const auto note = done("lockstep-execute --device cpu --app cc", one).err;
    CHECK_THAT(note, Catch::Contains("has one set of vertices: each of its edges is read as two arcs"));
    refused(4, "--shape square --undirected --schedule hubs",
            "lockstep-execute --device cpu --app bfs --strategy hubs", one);
    refused(4, "--schedule metis", "lockstep-execute --device cpu --app pagerank --order metis", one);
}
