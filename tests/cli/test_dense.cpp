// Belief propagation, triangles and stable PageRank scores from the command line.
#include <fstream>

#include "cli_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;

namespace {

/// A graph with weights in two forms: undirected, and as arcs.
struct DensePlace {
    TemporaryFolder folder;
    std::string file = (folder / "web.h5").string(), arcs = (folder / "arcs.h5").string();

    DensePlace() {
        const std::string text = (folder / "web.txt").string();
        done("lockstep-generate rmat --scale 10 --edge-factor 8 --weights 1..9 --seed 5 -o", text, "-q");
        done("lockstep-preprocess", text, "-o", file,
             "--shape square --undirected --schedule edge-tiled,degree,hubs -q");
        done("lockstep-preprocess", text, "-o", arcs, "--shape square --schedule edge-tiled -q");
    }
    ProgramResult run(const std::string& app, const std::string& strategy, const auto&... more) const {
        return run_program("lockstep-execute", file, "--device cpu --quiet --app", app, "--strategy",
                           strategy, more...);
    }
    json run_json(const std::string& app, const std::string& strategy, const auto&... more) const {
        const ProgramResult result = run(app, strategy, "--json --verify", more...);
        INFO(app << ' ' << strategy << ": " << result.err);
        REQUIRE(result.code == 0);
        const json r = json::parse(result.out);
        CHECK(r["app"] == app);
        CHECK(r["deterministic"] == true);
        CHECK(r["check"]["ok"] == true);
        return r;
    }
};

std::size_t lines_of(const std::string& path) {
    std::ifstream file(path);
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
}

}  // namespace

TEST_CASE("bp: every strategy runs, proves its beliefs, and gives one result") {
    const DensePlace place;
    std::string hash;
    for (const std::string strategy : {"push", "pull", "pull-nodiv", "edge-soa", "edge-aos", "push-warp",
                                       "pull-warp", "edge-tiled", "pull-push", "auto"}) {
        const json r = place.run_json("bp", strategy);
        if (hash.empty()) hash = r["result_hash"];
        CHECK(r["result_hash"] == hash);
        CHECK(r["rounds"].size() == 20);
        CHECK(r["rounds"][0]["growth"] > 1);
    }
    const std::string output = (place.folder / "beliefs.txt").string(), hdf5 = output + ".h5";
    REQUIRE(place.run("bp", "pull", "--iterations 3 --output", output).code == 0);
    REQUIRE(place.run("bp", "pull", "--iterations 3 --output", hdf5).code == 0);
    CHECK(lines_of(output) > 500);
    CHECK(place.run_json("bp", "pull", "--top 2 --iterations 3")["top"].size() == 2);
}

TEST_CASE("bp: a weight that is no likelihood is refused with its edge") {
    const TemporaryFolder folder;
    const std::string text = (folder / "g.txt").string(), file = (folder / "g.h5").string();
    std::ofstream(text) << "a b 1\nb c -2\nc a 1\n";
    done("lockstep-preprocess", text, "-o", file, "--shape square --schedule degree -q");
    const auto result = run_program("lockstep-execute", file, "--app bp --strategy pull --device cpu -q");
    CHECK(result.code == 4);
    CHECK_THAT(result.err, Catch::Contains("from b to c has the weight -2"));
}

TEST_CASE("triangles: every strategy and order counts alike, of all and of each vertex") {
    const DensePlace place;
    json all, each;
    for (const std::string strategy :
         {"thread", "warp", "block", "fine", "nested", "table", "best", "auto", "tune"}) {
        const json r = place.run_json("triangles", strategy),
                   v = place.run_json("triangles", strategy, "--per-vertex");
        if (all.is_null()) all = r, each = v;
        CHECK(r["triangles"] > 0);
        CHECK(r["triangles"] == v["triangles"]);
        CHECK(r["result_hash"] == all["result_hash"]);
        CHECK(v["result_hash"] == each["result_hash"]);
    }
    CHECK(place.run_json("triangles", "best", "--per-vertex --order degree")["result_hash"] ==
          each["result_hash"]);
    const auto reference =
        run_program("lockstep-execute", place.file,
                    "--app triangles --strategy best --device reference --json -q --per-vertex");
    REQUIRE(reference.code == 0);
    CHECK(json::parse(reference.out)["result_hash"] == each["result_hash"]);
    const std::string output = (place.folder / "triangles.txt").string();
    REQUIRE(place.run("triangles", "best", "--output", output).code == 0);
    std::ifstream file(output);
    std::uint64_t sum = 0, count = 0;
    for (std::string id; file >> id >> count;) sum += count;
    CHECK(sum == 3 * all["triangles"].get<std::uint64_t>());
    // A graph of arcs, some of them in both directions, has the triangles of its undirected graph.
    const auto arcs = run_program("lockstep-execute", place.arcs,
                                  "--app triangles --strategy best --device cpu --json -q --verify");
    REQUIRE(arcs.code == 0);
    CHECK(json::parse(arcs.out)["triangles"] == all["triangles"]);
}

TEST_CASE("triangles: options that make no sense are refused") {
    const DensePlace place;
    const auto refused = [&](const std::string& strategy, const char* options, const char* words) {
        const auto result =
            run_program("lockstep-execute", place.file, "--app triangles --strategy", strategy, options);
        INFO(options << ": " << result.err);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Catch::Contains(words));
    };
    refused("best", "--balance warp", "--balance does not apply to strategy best");
    refused("best", "--hub-bits 100", "multiple of 4096");
    refused("thread", "--balance fast", "balance");
    refused("thread", "--k 3", "option of kcore");
    refused("edge-tiled", "--per-vertex", "is a strategy of pagerank");
}

TEST_CASE("stable ranks: rounds and the switch are told, what is not stable is said so") {
    const DensePlace place;
    const json r = place.run_json("pagerank", "pull-push", "--until 1e-5"),
               pulled = place.run_json("pagerank", "edge-tiled", "--until 1e-5");
    CHECK(r["stable"] == true);
    CHECK(r["result_hash"] == pulled["result_hash"]);
    CHECK(pulled["pushed_from"].is_null());
    const std::size_t from = r["pushed_from"];
    CHECK(r["rounds"][from - 1]["pushed"] == 1);
    CHECK(r["rounds"][from - 2]["pushed"] == 0);
    CHECK(r["rounds"].back()["changed"] == 0);
    CHECK(r["rounds"].size() == pulled["rounds"].size());
    const json stopped = place.run_json("pagerank", "pull-push", "--until 1e-5 --iterations 3");
    CHECK(stopped["stable"] == false);
    const auto both = place.run("pagerank", "pull", "--until 1e-5 --tolerance 1e-5");
    CHECK(both.code == 2);
    CHECK_THAT(both.err, Catch::Contains("give one"));
}
