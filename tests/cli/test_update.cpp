// Updates of a user's own from the command line: compiled, run under every strategy, proved, written.
#include <cstring>

#include "cli_support.hpp"
#include "lockstep/formats/npy.hpp"
#include "lockstep/formats/run_record.hpp"

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;

namespace {

constexpr const char* spring = R"(// A spring: "}" in a comment, and in a string, closes nothing.
#include <cmath>
struct Helper { float unused; };
struct Spring {
    struct Vertex { float x, y, z, inverse_mass; };
    struct Edge { float rest; };
    struct Parameters { float compliance = 0; };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e, const Parameters& p) {
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const float length = std::sqrt(dx * dx + dy * dy + dz * dz), weight = a.inverse_mass + b.inverse_mass + p.compliance;
        if (length == 0 || weight == 0) return;
        const float s = (length - e.rest) / (length * weight);
        a.x -= s * a.inverse_mass * dx, a.y -= s * a.inverse_mass * dy, a.z -= s * a.inverse_mass * dz;
        b.x += s * b.inverse_mass * dx, b.y += s * b.inverse_mass * dy, b.z += s * b.inverse_mass * dz;
    }
};
)";
/// Structs with gaps between their fields, and behind them.
constexpr const char* trade = R"(struct Trade {
    struct Row { long long amount; };
    struct Col { int edges; long long amount; char kind; };
    struct Edge { char visits; int last; };
    LOCKSTEP_HD static void update(Row& a, Col& b, Edge& e) {
        Col changed;
        changed.edges = b.edges + 1, changed.amount = b.amount + (a.amount - b.amount) / 2 + 1, changed.kind = 'x';
        a.amount -= changed.amount - b.amount;
        b = changed, ++e.visits, e.last = b.edges;
    }
};
)";
constexpr const char* count = R"(struct Count {
    struct Row { unsigned edges; };
    struct Col { unsigned edges, pad; };
    struct Edge { unsigned visits; };
    static void update(Row& a, Col& b, Edge& e) { ++a.edges, ++b.edges, ++e.visits; }
};
)";

template <class T>
NpyArray array(const char* type, std::vector<std::uint64_t> shape, const std::vector<T>& values) {
    NpyArray made{type, std::move(shape), {}};
    made.bytes.resize(values.size() * sizeof(T));
    std::memcpy(made.bytes.data(), values.data(), made.bytes.size());
    return made;
}
template <class T>
std::vector<T> values_of(const std::filesystem::path& path) {
    const NpyArray read = read_npy(path);
    std::vector<T> values(read.bytes.size() / sizeof(T));
    std::memcpy(values.data(), read.bytes.data(), read.bytes.size());
    return values;
}

/// A strip of squares with both diagonals: ids from 10 on, a spring a line.
struct Strip {
    static constexpr int length = 40, width = 5, first_id = 10;
    TemporaryFolder folder;
    std::vector<float> lengths;  // of the springs, in the order of the file
    std::filesystem::path text = folder / "cloth.txt", file = folder / "cloth.h5",
                          update = folder / "spring.hpp", states = folder / "x.npy";

    Strip() {
        setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1);
        std::string lines;
        std::vector<float> x;
        const auto line = [&](int a, int b, float rest) {
            lengths.push_back(rest);
            lines += std::to_string(first_id + a) + ' ' + std::to_string(first_id + b) + ' ' +
                     std::to_string(rest) + '\n';
        };
        for (int i = 0; i < length; ++i) {
            for (int j = 0; j < width; ++j) {
                const int v = i * width + j;
                if (j + 1 < width) line(v, v + 1, 1);
                if (i + 1 < length) line(v + width, v, 1);
                if (i + 1 < length && j + 1 < width) line(v, v + width + 1, 1.5F);
                if (i + 1 < length && j > 0) line(v + width - 1, v, 1.5F);
                for (const float value : {1.1F * static_cast<float>(i), 0.9F * static_cast<float>(j),
                                          0.1F * static_cast<float>(v % 7), v ? 1.0F : 0.0F})
                    x.push_back(value);
            }
        }
        write_file(text, lines);
        write_file(update, spring);
        write_npy(states, array("<f4", {length * width, 4}, x));
        done("lockstep-preprocess -q --ends vertices --rank 4 --schedule all", text, "-o", file);
    }
    ~Strip() { unsetenv("LOCKSTEP_CACHE"); }
    template <class... Parts>
    ProgramResult run(const Parts&... parts) const {
        return run_program("lockstep-execute", file, "--update", update, "--vertices", states, parts...);
    }
};

}  // namespace

TEST_CASE("update: a spring runs under every strategy, proved, for any number of threads") {
    const Strip cloth;
    const auto record = cloth.folder / "runs.jsonl";
    const ProgramResult all =
        cloth.run("--set compliance=1e-4 --sweeps 5 --strategy all --verify --record", record);
    INFO(all.err);
    REQUIRE(all.code == 0);
    std::vector<std::string> ran;
    for (const RunRecord& run : read_run_records(record)) {
        CHECK(run.run.app == "update");
        CHECK(run.run.parameters.at("set_compliance") == "0.0001");
        CHECK(run.end->status == "ok");
        ran.push_back(run.run.strategy);
        if (!run.run.deterministic) continue;
        const json one = parsed(
            cloth.run("--json --set compliance=1e-4 --sweeps 5 --threads 1 --strategy", run.run.strategy));
        CHECK(one["result_hash"] == run.end->result_hash);
    }
    CHECK(ran == std::vector<std::string>{"agm-e", "diag", "blkdiag", "tiled", "stars", "local", "el",
                                          "el-shuffled", "nl", "nl-marks", "nl-el", "hogwild"});
    // Payloads of a file are by the order of the input, as the weights are that stand for them.
    const auto rest = cloth.folder / "rest.npy";
    write_npy(rest, array("<f4", {cloth.lengths.size()}, cloth.lengths));
    for (const char* strategy : {"agm-e", "local", "stars"}) {
        const json by_weight = parsed(cloth.run("--json --sweeps 5 --strategy", strategy)),
                   by_file = parsed(cloth.run("--json --sweeps 5 --edges", rest, "--strategy", strategy));
        CHECK(by_weight["result_hash"] == by_file["result_hash"]);
    }
    CHECK_THAT(all.err, Catch::Contains("without a schedule of theirs") && Catch::Contains("sgm"));
    // The report compares them as those of any application.
    CHECK_THAT(done("lockstep-report", record).out, Catch::Contains("agm-e") && Catch::Contains("update"));
}

TEST_CASE("update: an edge of a graph without weights has the weight 1, as everywhere") {
    const TemporaryFolder folder;
    write_file(folder / "add.hpp", R"(struct Add {
    struct Vertex { float load; };
    struct Edge { float weight; };
    static void update(Vertex& a, Vertex& b, const Edge& e) { a.load += e.weight, b.load += e.weight; }
};
)");
    write_file(folder / "g.txt", "0 1\n1 2\n2 0\n2 3\n");
    done("lockstep-preprocess -q", folder / "g.txt", "-o", folder / "g.h5",
         "--ends vertices --schedule agm-e");
    done("lockstep-execute -q", folder / "g.h5", "--update", folder / "add.hpp", "--sweeps 2 --output",
         folder / "out.npy");
    CHECK(values_of<float>(folder / "out.npy") == std::vector<float>{4, 4, 6, 2});
}

TEST_CASE("update: states come back in the order of the ids, as they were read") {
    const Strip cloth;
    const auto out = cloth.folder / "y.npy";
    const json told = parsed(cloth.run("--json --sweeps 30 --strategy auto --output", out));
    CHECK(told["update"] == "Spring");
    CHECK(told["auto"]["tried"].size() >= 6);
    const NpyArray read = read_npy(out);
    CHECK(read.type == "<f4");
    CHECK(read.shape == std::vector<std::uint64_t>{Strip::length * Strip::width, 4});
    const auto before = values_of<float>(cloth.states), after = values_of<float>(out);
    for (std::size_t i = 0; i < 4; ++i) CHECK(after[i] == before[i]);  // the first one is held
    CHECK(after[4] != before[4]);
    // By id: a row for every number up to the largest, of which the first ten are of nobody.
    std::vector<float> by_id(4 * Strip::first_id, 7);
    by_id.insert(by_id.end(), before.begin(), before.end());
    const auto wide = cloth.folder / "wide.npy", wide_out = cloth.folder / "wide-out.npy";
    write_npy(wide, array("<f4", {by_id.size() / 4, 4}, by_id));
    const auto strategy = told["strategy"].get<std::string>();
    done("lockstep-execute -q", cloth.file, "--update", cloth.update, "--vertices", wide,
         "--sweeps 30 --strategy", strategy, "--output", wide_out);
    const auto same = values_of<float>(wide_out);
    CHECK(std::equal(after.begin(), after.end(), same.begin() + 4 * Strip::first_id));
    CHECK(std::count(same.begin(), same.end(), 7.0F) == 4 * Strip::first_id);
}

TEST_CASE("update: two sides, and payloads that change") {
    const TemporaryFolder folder;
    setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1);
    write_file(folder / "count.hpp", count);
    write_file(folder / "g.txt", "1 5\n2 5\n1 6\n3 7\n");
    const auto rows = folder / "rows.npy", cols = folder / "cols.npy", edges = folder / "edges.npy";
    write_npy(folder / "start.npy", array<unsigned>("<u4", {4}, {10, 20, 30, 40}));
    done("lockstep-execute -q", folder / "g.txt", "--update", folder / "count.hpp",
         "--strategy nl --sweeps 3 --edges", folder / "start.npy", "-o", rows, "--output-cols", cols,
         "--output-edges", edges, "--verify");
    CHECK(values_of<unsigned>(rows) == std::vector<unsigned>{6, 3, 3});
    CHECK(values_of<unsigned>(cols) == std::vector<unsigned>{6, 0, 3, 0, 3, 0});
    CHECK(values_of<unsigned>(edges) == std::vector<unsigned>{13, 23, 33, 43});
    unsetenv("LOCKSTEP_CACHE");
}

TEST_CASE("update: what is wrong is said, with the user's file") {
    const Strip cloth;
    const auto refused_run = [&](int code, const std::string& words, const auto&... parts) {
        const ProgramResult result = run_program("lockstep-execute", parts...);
        INFO(result.err);
        CHECK(result.code == code);
        CHECK_THAT(result.err, Catch::Contains(words));
    };
    const auto broken = cloth.folder / "broken.hpp";
    write_file(broken,
               "struct Broken {\n    struct Vertex { float x; };\n    static void update(Vertex& a, Vertex& "
               "b) {\n        a.y = 1;\n    }\n};\n");
    refused_run(4, "broken.hpp:4:", cloth.file, "--update", broken);
    refused_run(4, "no struct with a static function update", cloth.file, "--update", cloth.text);
    refused_run(4, "stiffness", cloth.file, "--update", cloth.update, "--vertices", cloth.states,
                "--set stiffness=1");
    refused_run(2, "NAME=NUMBER", cloth.file, "--update", cloth.update, "--set compliance");
    refused_run(2, "needs --update", cloth.file, "--app update");
    refused_run(4, "cannot be read", cloth.file, "--update", cloth.update, "--vertices",
                cloth.folder / "narrow.npy");
    write_npy(cloth.folder / "narrow.npy", array<float>("<f4", {200}, std::vector<float>(200)));
    refused_run(4, "a vertex has 4 bytes", cloth.file, "--update", cloth.update, "--vertices",
                cloth.folder / "narrow.npy");
    write_npy(cloth.folder / "short.npy", array<float>("<f4", {3, 4}, std::vector<float>(12)));
    refused_run(4, "3 rows", cloth.file, "--update", cloth.update, "--vertices", cloth.folder / "short.npy");
    refused_run(2, "two sides", cloth.file, "--update", cloth.update, "--rows", cloth.states);
    // Files of the other kind, either way round.
    const auto sides = cloth.folder / "sides.h5";
    done("lockstep-preprocess -q --shape square", cloth.text, "-o", sides);
    refused_run(4, "--ends vertices", sides, "--update", cloth.update, "--vertices", cloth.states,
                "--strategy agm-e");
    refused_run(4, "--ends sides", cloth.file, "--strategy agm-e --sweeps 1");
    refused_run(4, "--ends sides", cloth.file, "--app bfs");
}

TEST_CASE("update: what lies between the fields of states is not compared, and comes out as zeros") {
    const TemporaryFolder folder;
    setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1);
    const auto graph = folder / "r.txt", file = folder / "r.h5", update = folder / "trade.hpp",
               out = folder / "c.npy";
    write_file(update, trade);
    done("lockstep-generate ratings --users 60 --items 30 --edges 700 --max-degree 50 -q -o", graph);
    done("lockstep-preprocess -q --rank 4 --shape bipartite --schedule agm-e,stars,tiled,sgm", graph, "-o",
         file);
    done("lockstep-execute -q", file, "--update", update, "--strategy all --sweeps 2 --verify");
    done("lockstep-execute -q", file, "--update", update, "--strategy sgm --sweeps 2 --output-cols", out);
    const auto bytes = values_of<unsigned char>(out);
    REQUIRE(bytes.size() == 30 * 24);
    for (std::size_t i = 0; i < bytes.size(); i += 24) {
        for (const std::size_t gap : {4, 5, 6, 7, 17, 20, 23}) CHECK(bytes[i + gap] == 0);
        CHECK(bytes[i + 16] == (bytes[i] ? 'x' : 0));
    }
    unsetenv("LOCKSTEP_CACHE");
}
