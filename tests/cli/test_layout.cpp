// Layouts with lockstep-execute: results are written, read again and verified; wrong input is refused.
#include "cli_support.hpp"

using namespace lockstep::test;
using nlohmann::json;

namespace {

constexpr const char* layout = "lockstep-execute --app layout --device cpu -q";

struct LayoutFixture {
    TemporaryFolder folder;
    std::string graph = (folder / "g.txt").string();
    explicit LayoutFixture(const std::string& edges) { write_file(graph, edges); }
    template <class... Options>
    json run_json(const Options&... options) const {
        return parsed(layout, graph, "--json", options...);
    }
};
const std::string two_parts = "a b\nb c\nc d\nd a\nd d\na b\nx y\n";

}  // namespace

TEST_CASE(
    "layout: components side by side, proved, the same for any number of threads and as a reference has "
    "them") {
    const LayoutFixture place(two_parts);
    const json run = place.run_json("--verify");
    check_holds(run, {{"components", 2},
                      {"terms", 7},
                      {"sweeps", 15},
                      {"pivots", 0},
                      {"deterministic", true},
                      {"check", {{"ok", true}}}});
    CHECK(run["check"]["stress"].get<double>() == Approx(run["stress"].get<double>()).epsilon(1e-3));
    for (const std::string threads : {"1", "2", "3", "4"})
        CHECK(place.run_json("--threads", threads)["result_hash"] == run["result_hash"]);
    CHECK(parsed("lockstep-execute --app layout --device reference -q --json", place.graph)["result_hash"] ==
          run["result_hash"]);
    CHECK(place.run_json("--seed 2")["result_hash"] != run["result_hash"]);
    CHECK(place.run_json("--dimensions 3 --verify --full-up-to 3 --pivots 2")["check"]["ok"] == true);
    CHECK(place.run_json("--strategy racing --verify")["deterministic"] == false);
    CHECK(place.run_json("--repeat 3")["repeats"] == 3);
}

TEST_CASE("layout: what is written in text, HDF5 and NumPy's format is a start again") {
    const LayoutFixture place(two_parts);
    const json run = place.run_json("-o", place.folder / "p.txt");
    place.run_json("-o", place.folder / "p.h5"), place.run_json("-o", place.folder / "p.npy");
    const auto from = [&](const char* name) {
        return place.run_json("--sweeps 3 --start", place.folder / name)["result_hash"];
    };
    CHECK(from("p.txt") == from("p.npy"));
    CHECK(from("p.h5") == from("p.npy"));
    CHECK(place.run_json("--sweeps 0 --start", place.folder / "p.txt")["stress"].get<double>() ==
          Approx(run["stress"].get<double>()).margin(1e-4));
    CHECK(place.run_json("--sweeps 3 --verify --start", place.folder / "p.txt")["check"]["ok"] == true);
}

TEST_CASE("layout: until nothing moves, with the stress of every sweep in the record") {
    const LayoutFixture place("1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 4\n");
    const json run = place.run_json("--until 0.001 --verify --record", place.folder / "r.jsonl");
    CHECK(run["sweeps"] > 15);
    CHECK(run["sweeps"] < 1015);
    CHECK(run["check"]["unrest"] < 0.05);
    const std::string record = read_file(place.folder / "r.jsonl");
    CHECK_THAT(record, Catch::Contains("\"stress\":"));
    CHECK_THAT(done("lockstep-report", place.folder / "r.jsonl").out, Catch::Contains("tournament"));
}

TEST_CASE("layout: pictures are SVG or PNG") {
    const LayoutFixture place(two_parts);
    if (run_program(layout, place.graph, "--picture", place.folder / "p.svg").code == 2)
        skip("built without cairo");
    CHECK_THAT(read_file(place.folder / "p.svg"), Catch::Contains("<svg"));
    place.run_json("--pixels 200 --picture", place.folder / "p.png");
    CHECK(read_file(place.folder / "p.png").substr(1, 3) == "PNG");
    refused("is not the name of a picture", layout, place.graph, "--picture", place.folder / "p.jpg");
}

TEST_CASE("layout: one vertex, and graphs of which a layout makes no sense") {
    const LayoutFixture one("7 7\n");
    check_holds(one.run_json("--verify"),
                {{"stress", 0}, {"terms", 0}, {"components", 1}, {"check", {{"ok", true}}}});
    for (const char* weight : {"0", "-2"}) {
        const LayoutFixture wrong("1 2 1\n2 3 " + std::string(weight) + "\n");
        refused(4, "is not above zero", layout, wrong.graph);
    }
    const LayoutFixture place(two_parts);
    refused("which the unsynchronized strategy does not support", layout, place.graph,
            "--strategy racing --full-up-to 2");
    refused(2, "dimensions", layout, place.graph, "--dimensions 4");
}

TEST_CASE("layout: a start that is none is refused, with its line") {
    const LayoutFixture place(two_parts);
    const auto start = [&](const std::string& lines, const std::string& words) {
        write_file(place.folder / "s.txt", lines);
        refused(4, words, layout, place.graph, "--start", place.folder / "s.txt");
    };
    const std::string rest = "c 0 1\nd 5 5\nx 2 2\ny 3 3\n";
    start("a 0 0\n" + rest, "vertex b has no position");
    start("a 0 0\nb 1\n" + rest, "s.txt:2: coordinate 2");
    start("a 0 0\nb 1 2 3\n" + rest, "s.txt:2: there are more than 2");
    start("a 0 0\nb 1 nan\n" + rest, "s.txt:2: the position of vertex b is not finite");
    start("a 0 0\nb 0 1\n" + rest, "s.txt:3: vertices b and c have the same initial position");
    start("a 0 0\na 0 1\n" + rest, "s.txt:2: vertex a has a position already, in line 1");
    start("a 0 0\nz 0 1\n" + rest, "s.txt:2: \"z\" is not a vertex of the graph");
}

TEST_CASE("layout: positions that are not finite are rc 3, and what was written before stays") {
    // The first graph has a stress that is not finite, the others have positions beyond the largest float.
    for (const char* edges :
         {"0 1 1e-38\n1 2 1e38\n", "0 1 3e38\n1 2 3e38\n2 3 3e38\n", "0 1 3e38\n2 3 3e38\n"}) {
        const LayoutFixture place(edges);
        for (const char* name : {"p.txt", "p.npy", "p.h5"}) {
            write_file(place.folder / name, "old");
            const ProgramResult run =
                run_program(layout, place.graph, "--force --verify -o", place.folder / name);
            INFO(edges << name << run.err);
            CHECK(run.code == 3);
            CHECK_THAT(run.err, Catch::Contains("positions are not finite"));
            CHECK(read_file(place.folder / name) == "old");
        }
    }
    const LayoutFixture large("0 1 1e38\n1 2 1e38\n");
    CHECK(large.run_json("--verify")["check"]["ok"] == true);
}
