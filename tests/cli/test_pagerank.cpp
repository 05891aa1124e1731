// PageRank from the command line: scores by original ID, files, verification, refusals.
#include <sstream>

#include "cli_support.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/run_record.hpp"

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;

namespace {

/// A web of 2,048 pages with sparse IDs, and its schedule file.
struct Web {
    TemporaryFolder folder;
    std::string file = (folder / "web.h5").string();
    Web() {
        const std::string text = (folder / "web.txt").string();
        done("lockstep-generate rmat --scale 11 --edge-factor 8 --seed 5 -o", text, "-q");
        done("lockstep-preprocess", text, "-o", file, "--shape square --schedule degree,metis,edge-tiled -q");
    }
    ProgramResult run(const std::string& strategy, const auto&... more) const {
        return run_program("lockstep-execute", file, "--app pagerank --device cpu --quiet --strategy",
                           strategy, more...);
    }
};

const std::vector<std::string> variants{"push",      "pull",      "pull-nodiv",      "edge-soa",   "edge-aos",
                                        "push-warp", "pull-warp", "pull-nodiv-warp", "edge-tiled", "auto"};

}  // namespace

TEST_CASE("every variant runs, proves its ranks, says its work, and gives one result") {
    const Web web;
    std::string hash;
    for (const std::string& variant : variants) {
        for (const std::string order : {"given", "degree", "metis"}) {
            const bool own = variant == "edge-tiled";
            if (own && order != "given") continue;
            INFO(variant << ", " << order);
            const std::vector<std::string> sorted{"--order", order};
            const auto result = web.run(variant, "--json --verify --repeat 2 --iterations 15",
                                        own ? std::vector<std::string>{} : sorted);
            INFO(result.err);
            REQUIRE(result.code == 0);
            REQUIRE(result.err.empty());
            const json r = json::parse(result.out);
            if (hash.empty()) hash = r["result_hash"];
            CHECK(r["result_hash"] == hash);
            CHECK(r["app"] == "pagerank");
            CHECK(r["deterministic"] == true);
            CHECK(r["check"]["ok"] == true);
            CHECK(r["check"]["distance"] < 1e-6);
            CHECK(r["rounds"].size() == 15);
            CHECK(r["work"]["reads"] > 0);
            for (const char* stage : {"read", "schedule", "write", "load", "transfer", "execute"})
                CHECK(r["seconds"].contains(stage));
        }
    }
}

TEST_CASE("sums of floats are proved, and said to differ from run to run where they are scattered") {
    const Web web;
    const std::string record = (web.folder / "r.jsonl").string();
    for (const std::string variant : {"push", "edge-soa", "pull-nodiv", "edge-tiled"}) {
        const auto result = web.run(variant, "--sums float --json --verify --repeat 3 --record", record);
        INFO(variant << result.err);
        REQUIRE(result.code == 0);
        const json r = json::parse(result.out);
        CHECK(r["deterministic"] == (variant == "pull-nodiv" || variant == "edge-tiled"));
        CHECK(r["parameters"]["sums"] == "float");
        CHECK(r["check"]["ok"] == true);
        CHECK(r["check"]["rounding"] < 1e-3);
        CHECK(read_run_records(record).back().run.deterministic == r["deterministic"]);
    }
    refused("--until requires exact sums", "lockstep-execute", web.file,
            "--app pagerank --sums float --until 0.001");
}

TEST_CASE("tune tries every program, and auto goes by it for the same sums") {
    const Web web;
    const char* const before = std::getenv("LOCKSTEP_CACHE");
    const std::string kept = before ? before : "", cache = (web.folder / "cache").string();
    setenv("LOCKSTEP_CACHE", cache.c_str(), 1);
    const json tuned = json::parse(web.run("tune", "--json --verify").out);
    const json& tried = tuned["tune"]["tried"];
    CHECK(tried.size() == 6);  // on a CPU virtual warps are threads, and pairs are two arrays
    double least = 1e9;
    for (const json& t : tried) {
        least = std::min(least, t["seconds"].get<double>());
        CHECK(t["result_hash"] == tuned["result_hash"]);
    }
    for (const json& t : tried) {
        if (t["strategy"] == tuned["strategy"]) CHECK(t["seconds"] <= 1.05 * least);
    }
    const auto automatic = [&](const auto&... more) {
        return run_program("lockstep-execute", web.file, "--app pagerank --device cpu --strategy auto",
                           more...)
            .err;
    };
    CHECK_THAT(automatic(), Catch::Contains("auto: " + tuned["strategy"].get<std::string>()) &&
                                Catch::Contains("in earlier trial runs"));
    CHECK_THAT(automatic("--sums float"), !Catch::Contains("in earlier trial runs"));
    const json brief = json::parse(web.run("tune", "--tune-seconds 0 --json").out);
    CHECK(brief["tune"]["tried"][1]["why"] == "no time left");
    const json beliefs =
        parsed("lockstep-execute", web.file, "--app bp --device cpu --strategy tune --json --quiet --verify");
    CHECK(beliefs["tune"]["tried"].size() == 6);
    kept.empty() ? unsetenv("LOCKSTEP_CACHE") : setenv("LOCKSTEP_CACHE", kept.c_str(), 1);
}

TEST_CASE("ranks come out by original id: text, HDF5, the top") {
    const TemporaryFolder folder;
    const std::string text = (folder / "g.txt").string(), file = (folder / "g.h5").string(),
                      ranks = (folder / "r.txt").string(), binary = (folder / "r.h5").string();
    write_file(text, "alice bob\ncarol bob\nbob dave\ndave carol\ndave bob\n");
    done("lockstep-preprocess", text, "-o", file, "--shape square --schedule degree,edge-tiled -q");
    const auto run = [&](const auto&... more) {
        return run_program("lockstep-execute", file, "--app pagerank --device cpu -q", more...);
    };
    std::string first;
    for (const char* how : {"--strategy pull", "--strategy push --order degree", "--strategy edge-tiled"}) {
        REQUIRE(run(how, "--force --output", ranks).code == 0);
        const std::string written = read_file(ranks);
        if (first.empty()) first = written;
        CHECK(written == first);
    }
    std::map<std::string, double> by_id;
    std::istringstream lines(first);
    std::string id;
    for (double rank; lines >> id >> rank;) by_id[id] = rank;
    REQUIRE(by_id.size() == 4);
    CHECK(by_id["alice"] == Approx(0.15 / 4));  // no page links to alice
    CHECK(by_id["alice"] + by_id["bob"] + by_id["carol"] + by_id["dave"] == Approx(1));
    CHECK(by_id["bob"] > by_id["carol"]);
    const auto top = run("--strategy pull --top 1 --json");
    CHECK(json::parse(top.out)["top"][0]["id"] == "bob");
    CHECK(run("--strategy pull --output -").out == first);

    REQUIRE(run("--strategy pull --output", binary).code == 0);
    const ResultFile stored = read_result(binary);
    const auto values = std::get<std::vector<float>>(stored.columns.at(0).values);
    REQUIRE(values.size() == 4);
    for (VertexId v = 0; v < 4; ++v) CHECK(values[v] == Approx(by_id[stored.ids.name(v)]));
    CHECK(stored.parameters.at("strategy") == "pull");
    std::string damaged = read_file(binary);
    damaged[damaged.size() / 2] ^= 1;
    write_file(binary, damaged);
    CHECK_THROWS_AS(read_result(binary), FormatError);
}

TEST_CASE("the record of PageRank reads back, and the report shows it") {
    const Web web;
    const std::string record = (web.folder / "r.jsonl").string();
    for (const char* variant : {"push", "pull", "edge-tiled"})
        REQUIRE(web.run(variant, "--record", record, "--iterations 4").code == 0);
    const std::vector<RunRecord> runs = read_run_records(record);
    REQUIRE(runs.size() == 3);
    for (const RunRecord& run : runs) {
        CHECK(run.run.app == "pagerank");
        CHECK(run.sweeps.size() == 4);
        CHECK(run.run.parameters.at("damping") == "0.85");
        CHECK(run.end->status == "ok");
    }
    const auto report = done("lockstep-report", record, "--html", web.folder / "r.html", "--json");
    CHECK(json::parse(report.out)["groups"][0]["baseline"] == "slowest");
}

TEST_CASE("what PageRank cannot do is refused with the reason") {
    const Web web;
    const auto of_pagerank = [&](int code, const std::string& words, const auto&... more) {
        refused(code, words, "lockstep-execute", web.file, "--app pagerank --device cpu --strategy", more...);
    };
    of_pagerank(2, "--app pagerank --strategies", "agm-e");  // the message names the known strategies
    of_pagerank(2, "--rank is an option of sgd", "pull --rank 8");
    of_pagerank(2, "damping", "pull --damping 1");
    of_pagerank(2, "spread, lost", "pull --dangling ignored");
    of_pagerank(2, "1, 2, 4", "pull-warp --warp-size 33");
    of_pagerank(2, "--order does not apply", "edge-tiled --order degree");
    of_pagerank(2, "--gpus applies only to strategy edge-tiled", "pull --gpus 2");
    of_pagerank(2, "--gpus needs --device cuda", "edge-tiled --gpus 2");
    of_pagerank(4, "not in this file", "pull --order agm-e");
    of_pagerank(6, "", "pull --output", web.folder / "no" / "r.txt");
    of_pagerank(2, "standard output", "pull --output - --json");
    const std::string text = (web.folder / "b.txt").string(), bipartite = (web.folder / "b.h5").string();
    write_file(text, "1 2 3\n2 1 1\n");
    done("lockstep-preprocess", text, "-o", bipartite, "-q");
    refused(4, "--shape square", "lockstep-execute", bipartite, "--app pagerank --strategy pull -q");
    refused(4, "--schedule edge-tiled", "lockstep-execute", bipartite,
            "--app pagerank --strategy edge-tiled -q");
    refused("--damping is an option of pagerank", "lockstep-execute", web.file,
            "--strategy el --damping 0.5");
}
