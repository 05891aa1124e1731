// Mesh refinement with the programs: meshes are generated, refined, verified, written and read again; wrong
// input is refused.
#include <fstream>

#include "cli_support.hpp"

using namespace lockstep::test;
namespace fs = std::filesystem;
using nlohmann::json;

namespace {
constexpr const char* dmr = "lockstep-execute --app dmr --device cpu --strategy";
}  // namespace

TEST_CASE("a generated mesh is refined to one mesh by all strategies and threads, and that is proved") {
    const TemporaryFolder folder;
    const json made = parsed("lockstep-generate mesh --points 2000 --seed 3 --json -o", folder / "m.ele");
    CHECK(made["points"] == 2000);
    CHECK(made["triangles"] > 3900);
    const std::string points = read_file(folder / "m.node");
    done("lockstep-generate mesh --points 2000 --seed 3 --force -o", folder / "m.node");
    CHECK(read_file(folder / "m.node") == points);

    const json reference = parsed(
        "lockstep-execute --app dmr --device reference --strategy supersteps --json", folder / "m.ele");
    for (const std::string strategy : {"supersteps", "priority-locks", "exclusive", "auto", "tune"}) {
        for (const std::string threads : {"1", "2", "5"}) {
            const json run = parsed(dmr, strategy, folder / "m.node", "--verify --json --threads", threads);
            CHECK(run["result_hash"] == reference["result_hash"]);
            CHECK(run["check"]["ok"] == true);
            CHECK(run["check"]["smallest_angle"] > 29.99);
            CHECK(run["left"] == 0);
            CHECK(run["deterministic"] == true);  // also for exclusive: there is only one program on a CPU
            CHECK(run["cpu_program"] == "supersteps");
            if (strategy == "tune") CHECK(run["tune"]["tried"].size() == 1);
            std::uint64_t refined = 0;
            for (const json& round : run["rounds"]) refined += round["refined"].get<std::uint64_t>();
            CHECK(run["points"] == 2000 + refined);
        }
    }
    const json other = parsed(dmr, "supersteps", folder / "m.ele", "--min-angle 20 --verify --json");
    CHECK(other["points"] < reference["points"]);
    const json coarse = parsed(dmr, "supersteps", folder / "m.ele", "--min-edge 0.02 --verify --json");
    CHECK(coarse["points"] < reference["points"]);
    CHECK(coarse["check"]["let_be"] > 0);
}

TEST_CASE("all triangles that stay bad are counted, and those that the rules let be are told apart") {
    const TemporaryFolder folder;
    write_file(folder / "t.node", "4 2 0 0\n0 0 0\n1 9 0\n2 9 0.0009\n3 0 0.0009\n");
    write_file(folder / "t.ele", "2 3 0\n0 0 1 2\n1 0 2 3\n");
    const json run = parsed(dmr, "supersteps", folder / "t.ele", "--min-edge 0.02 --verify --json");
    CHECK(run["left"] > 0);
    CHECK(run["left"] == run["check"]["let_be"]);
    CHECK(run["let_be"] <= run["left"]);
    const auto text = done(dmr, "supersteps", folder / "t.ele", "--min-edge 0.02");
    CHECK_THAT(text.out, Catch::Contains("left: "));
    CHECK(parsed(dmr, "supersteps", folder / "t.ele", "--min-angle 0 --json")["left"] == 0);
}

TEST_CASE("a refined mesh is written, recorded, and is fine when it is read again") {
    const TemporaryFolder folder;
    done("lockstep-generate mesh --points 300 -q -o", folder / "m.ele");
    const json run = parsed(dmr, "supersteps", folder / "m.ele", "--json --record", folder / "r.jsonl",
                            "--mesh", folder / "fine.ele");
    const json again = parsed(dmr, "supersteps", folder / "fine.ele", "--json --verify");
    CHECK(again["points_before"] == run["points"]);
    CHECK(again["triangles_before"] == run["triangles"]);
    CHECK(again["bad_before"] == 0);
    CHECK(again["moved"] == 0);
    CHECK(again["points"] == run["points"]);
    const std::string given = read_file(folder / "m.node"), written = read_file(folder / "fine.node");
    const auto body = [](const std::string& text) { return text.substr(text.find("\n0 ")); };
    CHECK(body(written).starts_with(body(given)));

    std::ifstream record(folder / "r.jsonl");
    std::string line;
    REQUIRE(std::getline(record, line));
    const json header = json::parse(line);
    CHECK(header["app"] == "dmr");
    CHECK(header["parameters"]["min_angle"] == "30");
    std::size_t rounds = 0;
    while (std::getline(record, line)) rounds += line.find("\"sweep\"") != std::string::npos;
    CHECK(rounds >= run["rounds"].size());
}

TEST_CASE("invalid meshes are refused with file and line, and leave nothing") {
    int files = 0;
    for (const auto& entry : fs::directory_iterator(LOCKSTEP_TEST_DATA "/mesh/invalid")) {
        if (entry.path().extension() != ".expected") continue;
        ++files;
        std::ifstream expected(entry.path());
        std::string file, line, words;
        std::getline(expected, file);
        std::getline(expected, line);
        std::getline(expected, words);
        const std::string place =
            entry.path().stem().string() + "." + file + ":" + (line == "0" ? "" : line + ":");
        INFO(place);
        const TemporaryFolder folder;
        const auto path = fs::path(entry.path()).replace_extension(".ele");
        refused(4, words, dmr, "supersteps", path, "--mesh", folder / "out.ele");
        refused(4, place, dmr, "supersteps", path);
        CHECK(fs::is_empty(folder.path()));
    }
    CHECK(files >= 35);
}

TEST_CASE("odd meshes are refined and proved, whatever angle is asked for") {
    for (const auto& entry : fs::directory_iterator(LOCKSTEP_TEST_DATA "/mesh/odd")) {
        if (entry.path().extension() != ".ele") continue;
        INFO(entry.path());
        for (const std::string angle : {"0", "30", "34"})
            CHECK(parsed(dmr, "supersteps --json --verify --min-angle", angle, entry.path())["check"]["ok"] ==
                  true);
    }
}

TEST_CASE("wrong use of mesh refinement and of meshes") {
    const TemporaryFolder folder;
    done("lockstep-generate mesh --points 10 -q -o", folder / "m.ele");
    refused("is not a mesh", dmr, "supersteps", folder / "m.h5");
    refused("is not the name of a mesh file", dmr, "supersteps", folder / "m.ele", "--mesh",
            folder / "out.txt");
    refused("expected host or outlined", dmr, "supersteps", folder / "m.ele", "--loop fused");
    refused("--order does not apply to meshes", dmr, "supersteps", folder / "m.ele", "--order degree");
    refused("is an option of dmr", "lockstep-execute --app bfs --strategy best --min-angle 20",
            folder / "m.ele");
    refused("min-angle", dmr, "supersteps", folder / "m.ele", "--min-angle 35");
    refused("two files", "lockstep-generate mesh --points 10 -o", folder / "m.txt");
    refused("points", "lockstep-generate mesh --points 3 -o", folder / "n.ele");
    refused("--points is missing", "lockstep-generate mesh -o", folder / "n.ele");
    refused("--points is not an option of rmat", "lockstep-generate rmat --scale 4 --points 5 -o",
            folder / "n.txt");
    refused("is not an option of mesh", "lockstep-generate mesh --points 9 --scale 4 -o", folder / "n.ele");
    refused(2, "m.node", dmr, "supersteps", folder / "m.ele", "--mesh",
            folder / "m.ele");  // it would replace its input
}
