// Springs with the programs: generated, prepared or not, run with every strategy, verified and written; wrong
// input is refused.
#include <cmath>
#include <cstring>
#include <regex>

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

/// Writes a ball of 362 points, whose faces are triangles at the poles and quadrilaterals elsewhere: 744
/// sides.
void write_ball(const std::filesystem::path& path) {
    constexpr int around = 24, rings = 15;
    std::ostringstream obj;
    obj << "# a ball\nv 0 1 0\n";
    for (int r = 1; r <= rings; ++r) {
        for (int i = 0; i < around; ++i) {
            const double t = M_PI * r / (rings + 1), f = 2 * M_PI * i / around;
            obj << "v " << std::sin(t) * std::cos(f) << ' ' << std::cos(t) << ' ' << std::sin(t) * std::sin(f)
                << '\n';
        }
    }
    obj << "v 0 -1 0\nvn 0 1 0\nvt 0 0\ng all\n";
    const auto point = [&](int ring, int i) { return 2 + (ring - 1) * around + i % around; };
    for (int i = 0; i < around; ++i) {
        obj << "f 1/1/1 " << point(1, i) << "//1 " << point(1, i + 1) << "//1\n";
        for (int r = 1; r < rings; ++r)
            obj << "f " << point(r, i) << ' ' << point(r, i + 1) << ' ' << point(r + 1, i + 1) << ' '
                << point(r + 1, i) << '\n';
        obj << "f -1 " << point(rings, i) << ' ' << point(rings, i + 1) << '\n';
    }
    write_file(path, obj.str());
}

}  // namespace

TEST_CASE("springs: a ball in free fall keeps its lengths, and a residual that grows is a warning") {
    const TemporaryFolder folder;
    const auto ball = folder / "ball.obj";
    write_ball(ball);
    const auto fall = [&](const char* options) {
        return parsed("lockstep-execute --app springs --device cpu --json --verify", options, ball);
    };
    for (const char* options : {"", "--substeps 1", "--substeps 40 --frames 20", "--iterations 3",
                                "--strategy agm-e --frames 300", "--strategy jacobi-gather"}) {
        INFO(options);
        const json run = fall(options);
        CHECK(run["particles"] == 362);
        CHECK(run["springs"] == 744);
        CHECK(run["check"]["momentum"] == "kept");
        CHECK(run["residual_start"] < 1e-5);
        CHECK(run["residual"] < 2e-4);
        CHECK(!run.contains("warning"));
    }
    for (const char* options : {"--sweep-order forward", "--sweep-order forward --substeps 40"}) {
        const json run = fall(options);
        CHECK(run["residual"] > 0.05);
        CHECK_THAT(run["warning"].get<std::string>(),
                   Catch::Contains("the residual grew from") && Catch::Contains("--sweep-order symmetric"));
    }
    const ProgramResult result =
        run_program("lockstep-execute --app springs --device cpu --sweep-order forward", ball);
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Catch::Contains("warning: the residual grew from"));
}

TEST_CASE(
    "springs: the forward order without damping gives the results of versions before the symmetric one") {
    const TemporaryFolder folder;
    const auto cloth = folder / "c.txt";
    done("lockstep-generate cloth --width 32 --height 32 --quiet -o", cloth);
    const auto hash = [&](const char* options) {
        return parsed("lockstep-execute --app springs --device cpu --json --pin 0,31 --sweep-order forward",
                      options, cloth, "--positions", folder / "c.npy")["result_hash"];
    };
    CHECK(hash("--iterations 4 --velocity-damping 0 --strategy strips") ==
          "caf5d2a089bcbebcf307552dfddafb1e");
    CHECK(hash("--iterations 4 --velocity-damping 1 --strategy strips") !=
          "caf5d2a089bcbebcf307552dfddafb1e");
}

TEST_CASE("springs: damping slows a fall as a geometric series has it") {
    const TemporaryFolder folder;
    const auto ball = folder / "ball.obj";
    write_ball(ball);
    const auto height = [&](const char* options) {
        done(springs, ball, "--verify --force -o", folder / "b.txt", options);
        std::istringstream lines(read_file(folder / "b.txt"));
        double sum = 0, x = 0, y = 0, z = 0;
        for (int id = 0; lines >> id >> x >> y >> z;) sum += y;
        return sum / 362;
    };
    const double h = 1.0 / 180, kept = std::exp(-20 * h);
    double v = 0, y = 0;
    for (int i = 0; i < 12; ++i) v -= 9.81 * h, y += h * v, v *= kept;
    CHECK(height("--velocity-damping 20") == Approx(y).epsilon(1e-4));
    CHECK(height("--velocity-damping 0") < 1.2 * y);
    refused(2, "--velocity-damping", springs, ball, "--velocity-damping -1");
    refused(2, "--sweep-order", springs, ball, "--sweep-order backward");
}

TEST_CASE("springs: an .obj of the last frame has the faces of the input, without normals") {
    const TemporaryFolder folder;
    const auto ball = folder / "ball.obj", moved = folder / "moved.obj", text = folder / "moved.txt";
    write_ball(ball);
    done(springs, ball, "-o", moved), done(springs, ball, "-o", text);
    std::istringstream before(read_file(ball)), after(read_file(moved)), positions(read_file(text));
    std::size_t points = 0, faces = 0;
    for (std::string was, is; std::getline(before, was);) {
        if (was.starts_with("vn")) continue;
        REQUIRE(std::getline(after, is));
        if (was.starts_with("v ")) {
            std::string id, at;
            positions >> id >> std::ws, std::getline(positions, at);
            CHECK(id == std::to_string(++points));
            CHECK(is == "v " + at);
        } else {
            faces += was.starts_with("f ");
            was = std::regex_replace(was, std::regex("1/1/1"), "1/1");
            CHECK(is == std::regex_replace(was, std::regex("//1"), ""));
        }
    }
    CHECK(points == 362);
    CHECK(faces == 24 * 16);
    CHECK(parsed(springs, moved, "--json")["springs"] == 744);
    const Cloth cloth;
    refused(2, "needs faces", springs, cloth.text, "--positions", cloth.at, "-o", folder / "c.obj");
}

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
    CHECK_THAT(all.out, Catch::Contains("the momentum is conserved") && Catch::Contains("bitwise identical"));
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
    refused(4, "corner \"9\" is not a point", springs, [&] {
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
    for (const char* name : {"w.npy", "w.txt", "w.h5", "w.svg"}) {  // existing files stay unchanged
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
    bad(2, "--pin contains 9", "0 1 1\n", "--pin 9");
    bad(2, "--gravity 1,2 is not a vector", "0 1 1\n", "--gravity 1,2");
    bad(2, "stores no Lagrange multipliers", "0 1 1\n", "--strategy jacobi --compliance 1 --iterations 2");
    write_file(at, "0 0 0 0\n1 1 nan 0\n");
    bad(4, "x.txt:2: coordinate \"nan\"", "0 1 1\n");
    write_file(at, "0 0 0 0\n1 1 0\n");
    bad(4, "x.txt:2: found 2 numbers", "0 1 1\n");
    write_file(at, "0 0 0 0\n1 1 0 0\n\n0 5 0 0\n");
    bad(4, "x.txt:4: vertex 0 has a position already, in line 1", "0 1 1\n");
    refused("needs --positions", springs, graph);
    // Coincident points at the start, two separate pieces, a single spring, all particles pinned: all of
    // these run.
    write_file(at, "0 0 0 0\n1 0 0 0\n2 1 0 0\n3 5 5 5\n4 6 5 5\n");
    write_file(graph, "0 1 1\n1 2 1\n3 4 2\n");
    CHECK(parsed(springs, graph, "--json --verify --positions", at)["residual"] < 1);
    CHECK(parsed(springs, graph, "--json --verify --pin 0,1,2,3,4 --positions", at)["pinned"] == 5);
    write_file(folder / "old.txt", "0 1 1\n1 2 -1\n");
    done("lockstep-preprocess -q --ends vertices --shape square --schedule agm-e", folder / "old.txt", "-o",
         folder / "old.h5");
    refused(4, "the spring 1 - 2 has the rest length -1", springs, folder / "old.h5", "--positions", at);
}
