// The defaults of lockstep-execute: a default strategy, other names, a graph file, quiet runs.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli_support.hpp"

using namespace lockstep::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct DefaultsPlace {
    TemporaryFolder folder;
    std::string text = (folder / "r.txt").string(), file = (folder / "r.h5").string();
    DefaultsPlace() {
        done("lockstep-generate ratings --users 60 --items 40 --edges 600 --max-degree 40 -o", text);
        done("lockstep-preprocess", text, "-o", file, "-q");
    }
};

}  // namespace

TEST_CASE("a strategy that nobody has is answered with the few that are near, not with all", "[options]") {
    const DefaultsPlace p;
    const std::string output = run_program("lockstep-execute", p.file, "--strategy agm-f").err;
    INFO(output);
    CHECK(output.find("names, such as agm-e, agm-n, sgm, not") != std::string::npos);
    CHECK(output.find("did you mean agm-e?") != std::string::npos);
    CHECK(output.size() < 250);
}

TEST_CASE("a GPU may be called gpu: it is cuda, and where there is none that is said", "[options]") {
    const DefaultsPlace p;
    const auto result = [&](const char* device) {
        return run_program("lockstep-execute", p.file, "--strategy el --sweeps 1 --device", device);
    };
    const auto gpu = result("gpu"), cuda = result("cuda");
    CHECK(gpu.code == cuda.code);
    CHECK((gpu.code == 0 || gpu.code == 5));
    // Refused because of the rank.
    CHECK(run_program("lockstep-probe --quick --device gpu --rank 300").code == 2);
    CHECK(run_program("lockstep-recommend", p.file, "--device gpu -q").code == gpu.code);
}

TEST_CASE("without a strategy it is auto, of every application, and of a file without schedules",
          "[options]") {
    const DefaultsPlace p;
    const auto run = parsed("lockstep-execute", p.file, "--device cpu --sweeps 1 --json");
    CHECK(run["auto"].contains("reason"));
    CHECK(run["strategy"] != "auto");
    const std::string web = (p.folder / "web.h5").string(), mesh = (p.folder / "m.ele").string();
    done("lockstep-preprocess", p.text, "-o", web, "--shape square --schedule degree -q");
    done("lockstep-generate mesh --points 100 -q -o", mesh);
    CHECK(parsed("lockstep-execute", web, "--device cpu --sweeps 1 --json")["deterministic"] ==
          false);  // it uses locks
    for (const char* app : {"pagerank", "bp", "bfs", "sssp", "cc", "kcore", "mis", "mst", "triangles"}) {
        INFO(app);
        const auto found = run_program("lockstep-execute", web, "--device cpu --app", app);
        CHECK((found.code == 0 || app == std::string("bp")));  // bp requires weights that are likelihoods
        CHECK_THAT(found.err, Catch::Contains("auto: "));
    }
    CHECK_THAT(done("lockstep-execute", mesh, "--device cpu --app dmr").err,
               Catch::Contains("auto: supersteps"));
}

TEST_CASE("a graph of which a schedule is needed is answered with the command that makes it", "[options]") {
    const TemporaryFolder folder;
    const std::string text = (folder / "web.v1.txt").string(), file = (folder / "web.v1.h5").string();
    write_file(text, "1 2\n2 3\n3 1\n");
    const auto answered = [&](const std::string& options, const std::string& command) {
        const auto result = run_program("lockstep-execute", text, options.c_str());
        INFO(result.err);
        CHECK(result.code == 4);
        const std::string whole = "lockstep-preprocess " + text + " -o " + file + command;
        CHECK(result.err.ends_with(whole + "\n"));
    };
    answered("--app bfs --strategy regions", " --shape square --schedule regions");
    answered("--app bfs --strategy best --order degree", " --shape square --schedule degree");
    answered("--app cc --strategy best --order degree --undirected --delimiter |",
             " --undirected --delimiter '|' --shape square --schedule degree");
    answered("--strategy sgm", " --schedule sgm");
    answered("", " --schedule agm-e,tiled");
    CHECK_FALSE(fs::exists(file));
}

TEST_CASE("a graph file gives what its schedule file gives, where no schedule is needed", "[options]") {
    const DefaultsPlace p;
    const std::string web = (p.folder / "web.h5").string(), packed = (p.folder / "web.csv.gz").string();
    done("lockstep-preprocess", p.text, "-o", web, "--shape square --undirected --repeats first -q");
    REQUIRE(std::system(("tr ' ' ';' <'" + p.text + "' | gzip >'" + packed + "'").c_str()) == 0);
    const std::vector<std::string> reading{"--undirected", "--repeats", "first"};
    const std::string device = "--device cpu --threads 1 --json ";
    for (const char* run : {"--app pagerank", "--app bfs", "--app sssp --source 1",
                            "--app cc --strategy tune --tune-seconds 0.1", "--app kcore", "--app mis",
                            "--app mst", "--app triangles", "--app pagerank --strategy pull --order given"}) {
        INFO(run);
        const json of_file = parsed("lockstep-execute", web, (device + run).c_str());
        for (const std::string& graph : {p.text, packed}) {
            const auto result = run_program("lockstep-execute", graph, (device + run).c_str(), reading);
            const json of_graph = parsed(result);
            CHECK(of_graph["result_hash"] == of_file["result_hash"]);
            CHECK(of_graph["app"] == of_file["app"]);
            CHECK_THAT(result.err, Catch::Contains("prepared the graph in "));
        }
    }
    const std::string el = device + "--strategy el --sweeps 2";  // a strategy for graphs with two sides
    CHECK(parsed("lockstep-execute", p.text, el.c_str())["result_hash"] ==
          parsed("lockstep-execute", p.file, el.c_str())["result_hash"]);
}

TEST_CASE("options of reading go with a graph file alone", "[options]") {
    const DefaultsPlace p;
    const std::string mesh = (p.folder / "m.ele").string();
    done("lockstep-generate mesh --points 50 -q -o", mesh);
    refused("--undirected: ", "lockstep-execute", p.file, "--strategy el --undirected");
    refused("--shape: ", "lockstep-execute", mesh, "--app dmr --shape square");
    // A graph that cannot be read is bad input, as always.
    write_file(p.folder / "bad.txt", "1 2\n1 x y z\n");
    refused(4, "bad.txt:2: ", "lockstep-execute", p.folder / "bad.txt", "--app bfs --device cpu");
}

TEST_CASE("quiet programs say in a line what a run came to, of every application", "[options]") {
    const DefaultsPlace p;
    const std::string web = (p.folder / "web.h5").string(), model = (p.folder / "t.h5").string();
    done("lockstep-preprocess", p.text, "-o", web, "--shape square -q");
    const auto line = [&](const ProgramResult& result, const std::string& begin) {
        INFO(result.out << result.err);
        CHECK(result.code == 0);
        CHECK(result.err.empty());
        CHECK(result.out.starts_with(begin));
        CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 1);
    };
    const auto run = [&](const char* app, const char* options) {
        return run_program("lockstep-execute", web, "-q --device cpu --strategy best --app", app, options);
    };
    line(run("triangles", ""), "best: 1 run in ");
    line(run("sssp", ""), "best: 1 source in ");
    line(run("bfs", "--sources 1"), "best: 1 source in ");
    line(run("mst", ""), "best: 1 run in ");
    line(run("kcore", "--repeat 3"), "best: 1 run in ");
    line(run_program("lockstep-train", p.text, "-q --device cpu --sweeps 2 --strategy agm-e -m", model),
         "agm-e: 2 sweeps in ");
    // With -q and --top, only the top vertices are printed.
    const auto top = run("bfs", "--top 2");
    CHECK(top.out.find("source in") == std::string::npos);
    CHECK(std::count(top.out.begin(), top.out.end(), '\n') == 2);
}
