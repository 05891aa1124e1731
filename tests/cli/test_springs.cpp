// Springs by the programs: generated, prepared or not, run under every strategy, proved, written; what is refused.
#include <cstring>

#include "cli_support.hpp"
#include "lockstep/formats/npy.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/run_record.hpp"

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;

namespace {

constexpr const char* springs = "lockstep-execute --app springs --device cpu --frames 4 --substeps 3";

/// A cloth of 12 x 9 particles, and its schedule file.
struct Cloth {
    TemporaryFolder folder;
    std::filesystem::path text = folder / "cloth.txt", at = folder / "cloth.npy", file = folder / "cloth.h5";
    Cloth() {
        done("lockstep-generate cloth --width 12 --height 9 --noise 0.1 --seed 4 --quiet -o", text);
        done("lockstep-preprocess -q --ends vertices --rank 4 --schedule all", text, "-o", file);
    }
};
std::vector<float> values_of(const std::filesystem::path& path) {
    const NpyArray array = read_npy(path);
    std::vector<float> values(array.bytes.size() / sizeof(float));
    std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
    return values;
}

}  // namespace

TEST_CASE("springs: a generated cloth runs under every strategy, proved, and is recorded and reported") {
    const Cloth cloth;
    const auto record = cloth.folder / "r.jsonl";
    const ProgramResult all = done(springs, cloth.file, "--positions", cloth.at,
                                   "--strategy all --verify --residual --record", record);
    std::vector<std::string> ran;
    for (const RunRecord& run : read_run_records(record)) {
        CHECK(run.run.app == "springs");
        CHECK(run.end->status == "ok");
        CHECK(run.sweeps.size() == 4);
        CHECK(run.sweeps.back().metric("residual").value() < 0.2);
        ran.push_back(run.run.strategy);
        if (!run.run.deterministic) continue;
        for (const char* threads : {"1", "3"})
            CHECK(parsed(springs, cloth.file, "--positions", cloth.at, "--json --threads", threads,
                         "--strategy", run.run.strategy)["result_hash"] == run.end->result_hash);
    }
    CHECK(ran == std::vector<std::string>{"agm-e", "diag", "blkdiag", "tiled", "stars", "local", "el",
                                          "el-shuffled", "nl", "nl-marks", "nl-el", "hogwild", "strips",
                                          "jacobi", "jacobi-gather"});
    CHECK_THAT(all.out, Catch::Contains("the momentum is kept") && Catch::Contains("to the bit"));
    CHECK_THAT(done("lockstep-report", record).out, Catch::Contains("springs") && Catch::Contains("strips"));
}

TEST_CASE("springs: a graph file is scheduled on the way, to the result of a prepared one") {
    const Cloth cloth;
    for (const char* strategy : {"agm-e", "stars", "strips", "jacobi-gather"}) {
        const json direct = parsed(springs, cloth.text, "--positions", cloth.at, "--json --verify --strategy",
                                   strategy),
                   prepared =
                       parsed(springs, cloth.file, "--positions", cloth.at, "--json --strategy", strategy);
        CHECK(direct["result_hash"] == prepared["result_hash"]);
        CHECK(direct["check"]["serial"] == "equal");
    }
    const json chosen = parsed(springs, cloth.text, "--positions", cloth.at, "--json");
    CHECK(chosen["strategy"] == "strips");
    CHECK(parsed(springs, cloth.file, "--positions", cloth.at, "--json --strategy tune")["tune"]["tried"]
              .size() >= 5);
}

TEST_CASE("springs: positions come by frame, at the end by id, and as a picture") {
    const Cloth cloth;
    const auto npy = cloth.folder / "y.npy", text = cloth.folder / "y.txt", hdf5 = cloth.folder / "y.h5",
               svg = cloth.folder / "y.svg";
    const auto run = [&](const auto&... more) {
        return done(springs, cloth.text, "--positions", cloth.at, "--pin 0,11", more...);
    };
    run("--picture", svg, "-o", npy), run("-o", text), run("-o", hdf5);
    CHECK(read_npy(npy).shape == std::vector<std::uint64_t>{5, 108, 3});
    const std::vector<float> frames = values_of(npy), start = values_of(cloth.at);
    CHECK(std::equal(start.begin(), start.end(), frames.begin()));
    const float* const end = frames.data() + 4 * start.size();
    CHECK(std::equal(start.begin(), start.begin() + 3, end));  // pinned
    CHECK(end[3 * 50 + 1] < start[3 * 50 + 1]);                // fallen
    std::istringstream lines(read_file(text));
    std::size_t id = 0, v = 0;
    for (float x = 0, y = 0, z = 0; lines >> id >> x >> y >> z; ++v) {
        CHECK(id == v);
        CHECK((x == end[3 * v] && y == end[3 * v + 1] && z == end[3 * v + 2]));
    }
    CHECK(v == 108);
    const ResultFile result = read_result(hdf5);
    REQUIRE(result.columns.size() == 3);
    CHECK(std::get<std::vector<float>>(result.columns[1].values)[50] == end[3 * 50 + 1]);
    const std::string picture = read_file(svg);
    CHECK_THAT(picture, Catch::StartsWith("<svg") && Catch::EndsWith("</svg>\n"));
    std::size_t panels = 0;
    for (std::size_t at = picture.find("<path"); at != picture.npos; at = picture.find("<path", at + 1))
        ++panels;
    CHECK(panels == 5);
}

TEST_CASE("springs: meshes bring their positions, and lengths are distances where a graph has no weights") {
    const TemporaryFolder folder;
    write_file(folder / "m.obj",
               "# two triangles and a line\nv 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1 # last\nv 2 0 0\nf 1/1 2/2 "
               "3/3\nf -5 3//1 4\nl 2 5\n");
    const json obj = parsed(springs, folder / "m.obj", "--json --verify --pin 1");
    CHECK(obj["springs"] == 6);
    CHECK(obj["particles"] == 5);
    CHECK(obj["pinned"] == 1);
    done("lockstep-preprocess -q --ends vertices --schedule agm-e", folder / "m.obj", "-o", folder / "m.h5");
    CHECK(parsed(springs, folder / "m.h5", "--strategy agm-e --json --pin 1 --positions",
                 folder / "m.obj")["result_hash"] ==
          parsed(springs, folder / "m.obj", "--strategy agm-e --json --pin 1")["result_hash"]);
    done("lockstep-generate mesh --points 300 --quiet -o", folder / "t.ele");
    const json triangles = parsed(springs, folder / "t.ele", "--json --verify --gravity 0,0,0");
    CHECK(triangles["particles"] == 300);
    CHECK(triangles["residual"] < 1e-4);
    write_file(folder / "p.txt", "b 1 0\na 0 0\nc 2 2 # nobody's\n");
    write_file(folder / "g.txt", "a b\n");
    CHECK(parsed(springs, folder / "g.txt", "--value-column none --json --verify --positions",
                 folder / "p.txt")["springs"] == 1);
    refused(4, "corner \"9\" is no point", springs, [&] {
        write_file(folder / "bad.obj", "v 0 0 0\nf 1 9 1\n");
        return folder / "bad.obj";
    }());
}

TEST_CASE("springs: a residual ends the sweeps, compliance gives way, and what diverges is told") {
    const Cloth cloth;
    const auto at = [&](const char* more) {
        return parsed(
            "lockstep-execute --app springs --device cpu --json --frames 1 --substeps 1 --gravity 0,0,0",
            cloth.text, "--positions", cloth.at, more);
    };
    const json all = at("--iterations 200 --strategy agm-e"),
               some = at("--iterations 200 --until-residual 0.01 --strategy agm-e --verify");
    CHECK(some["iterations"] < all["iterations"]);
    CHECK(some["residual"] <= 0.01);
    CHECK(all["residual"] < some["residual"]);
    CHECK(at("--iterations 200 --compliance 1e-3 --strategy strips --verify")["residual"] > all["residual"]);
    CHECK(at("--iterations 200 --strategy jacobi")["residual"] < 0.02);
    const ProgramResult wild = run_program(
        "lockstep-execute --app springs --device cpu --frames 1 --substeps 1 --iterations 2000 --relaxation "
        "2 --strategy jacobi-gather",
        cloth.text, "--positions", cloth.at, "-o", cloth.folder / "w.npy");
    CHECK(wild.code == 3);
    CHECK(!std::filesystem::exists(cloth.folder / "w.npy"));
    for (const char* name : {"w.npy", "w.txt", "w.h5", "w.svg"}) {  // what was there stays
        write_file(cloth.folder / name, "old");
        const std::string option = std::string(name).ends_with("svg") ? "--picture" : "-o";
        const ProgramResult again = run_program(
            "lockstep-execute --app springs --device cpu --frames 1 --substeps 1 --iterations 2000 "
            "--relaxation 2 --strategy jacobi-gather --verify --force",
            cloth.text, "--positions", cloth.at, option, cloth.folder / name);
        CHECK(again.code == 3);
        CHECK(read_file(cloth.folder / name) == "old");
    }
}

TEST_CASE("springs: what is no mesh of springs is refused, with the line or the ends") {
    const TemporaryFolder folder;
    const auto at = folder / "x.txt", graph = folder / "g.txt";
    write_file(at, "0 0 0 0\n1 1 0 0\n2 1 0 0\n3 5 5 5\n4 6 5 5\n");
    const auto bad = [&](int code, const std::string& words, const std::string& edges,
                         const char* more = "") {
        write_file(graph, edges);
        refused(code, words, springs, more, graph, "--positions", at);
    };
    bad(4, "g.txt:2: weight \"0\" is not above zero", "0 1 1\n1 2 0\n");
    bad(4, "g.txt:3: weight \"-2\" is not above zero", "0 1 1\n# that\n1 2 -2\n");
    bad(4, "the spring 1 - 2 has the rest length 0", "0 1\n1 2\n", "--value-column none");
    bad(4, "the spring 1 - 1 has", "0 1 1\n1 1 1\n");
    bad(4, "no position of vertex 9", "0 9 1\n");
    bad(2, "--pin names 9", "0 1 1\n", "--pin 9");
    bad(2, "--gravity 1,2 is no vector", "0 1 1\n", "--gravity 1,2");
    bad(2, "keeps no multipliers", "0 1 1\n", "--strategy jacobi --compliance 1 --iterations 2");
    write_file(at, "0 0 0 0\n1 1 nan 0\n");
    bad(4, "x.txt:2: coordinate \"nan\"", "0 1 1\n");
    write_file(at, "0 0 0 0\n1 1 0\n");
    bad(4, "x.txt:2: found 2 numbers", "0 1 1\n");
    write_file(at, "0 0 0 0\n1 1 0 0\n\n0 5 0 0\n");
    bad(4, "x.txt:4: vertex 0 has a position already, in line 1", "0 1 1\n");
    refused("needs --positions", springs, graph);
    // Coincident at the start, apart in two pieces, a single spring, all pinned: all run.
    write_file(at, "0 0 0 0\n1 0 0 0\n2 1 0 0\n3 5 5 5\n4 6 5 5\n");
    write_file(graph, "0 1 1\n1 2 1\n3 4 2\n");
    CHECK(parsed(springs, graph, "--json --verify --positions", at)["residual"] < 1);
    CHECK(parsed(springs, graph, "--json --verify --pin 0,1,2,3,4 --positions", at)["pinned"] == 5);
    write_file(folder / "old.txt", "0 1 1\n1 2 -1\n");
    done("lockstep-preprocess -q --ends vertices --shape square --schedule agm-e", folder / "old.txt", "-o",
         folder / "old.h5");
    refused(4, "the spring 1 - 2 has the rest length -1", springs, folder / "old.h5", "--positions", at);
}
