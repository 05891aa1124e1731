// User-defined updates from the command line: compiled, run with every strategy, verified, written.
#include <cmath>
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

/// A path of three vertices with the weights 3 and 5, and updates on it. The test has a cache of its own.
struct Path {
    TemporaryFolder folder;
    std::filesystem::path file = folder / "g.h5", update = folder / "update.hpp", out = folder / "out.npy";

    explicit Path(const char* edges = "0 1 3\n1 2 5\n") {
        setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1);
        write_file(folder / "g.txt", edges);
        done("lockstep-preprocess -q --ends vertices", folder / "g.txt", "-o", file);
    }
    ~Path() { unsetenv("LOCKSTEP_CACHE"), unsetenv("CXX"); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

    template <class... Parts>
    ProgramResult run(const std::string& text, const Parts&... parts) const {
        write_file(update, text);
        std::filesystem::remove(out);
        return run_program("lockstep-execute", file, "--update", update,
                           "--strategy agm-e --sweeps 1 --device cpu --output", out, parts...);
    }
    template <class... Parts>
    void refuses(int code, const std::string& words, const std::string& text, const Parts&... parts) const {
        const ProgramResult result = run(text, parts...);
        INFO(result.err);
        CHECK(result.code == code);
        CHECK_THAT(result.err, Catch::Contains(words));
        CHECK(!std::filesystem::exists(out));
    }
    template <class T, class... Parts>
    std::vector<T> states(const std::string& text, const Parts&... parts) const {
        const ProgramResult result = run(text, parts...);
        INFO(result.err);
        REQUIRE(result.code == 0);
        return values_of<T>(out);
    }
    /// Runs a script in the folder, with the programs on PATH.
    ProgramResult shell(const std::string& script) const {
        return run_program("/bin/bash -c", "cd '" + folder.path().string() + "'; export PATH='" +
                                               LOCKSTEP_BINARIES + "':$PATH\n" + script);
    }
};
/// Adds one to each endpoint of an edge.
const std::string plus_one =
    "struct S { struct Vertex { float x, y; }; static void update(Vertex& a, Vertex& b) { ++a.x, ++b.x; } "
    "};\n";

/// A strip of squares with both diagonals: IDs start at 10, one spring per line.
struct Strip {
    static constexpr int length = 40, width = 5, first_id = 10;
    TemporaryFolder folder;
    std::vector<float> lengths;  // lengths of the springs, in the order of the file
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
    // Payloads in a file are in input order, like the weights that they replace.
    const auto rest = cloth.folder / "rest.npy";
    write_npy(rest, array("<f4", {cloth.lengths.size()}, cloth.lengths));
    for (const char* strategy : {"agm-e", "local", "stars"}) {
        const json by_weight = parsed(cloth.run("--json --sweeps 5 --strategy", strategy)),
                   by_file = parsed(cloth.run("--json --sweeps 5 --edges", rest, "--strategy", strategy));
        CHECK(by_weight["result_hash"] == by_file["result_hash"]);
    }
    CHECK_THAT(all.err, Catch::Contains("without a schedule of theirs") && Catch::Contains("sgm"));
    // The report compares the runs like those of any application.
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
    const json told = parsed(cloth.run("--json --sweeps 30 --strategy tune --output", out));
    CHECK(told["update"] == "Spring");
    CHECK(told["tune"]["tried"].size() >= 6);
    const NpyArray read = read_npy(out);
    CHECK(read.type == "<f4");
    CHECK(read.shape == std::vector<std::uint64_t>{Strip::length * Strip::width, 4});
    const auto before = values_of<float>(cloth.states), after = values_of<float>(out);
    for (std::size_t i = 0; i < 4; ++i) CHECK(after[i] == before[i]);  // the first particle is pinned
    CHECK(after[4] != before[4]);
    // States by ID: one row for every number up to the largest; the first ten rows belong to no vertex.
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
    refused_run(4, "no field stiffness, which --set names; they have float32 compliance", cloth.file,
                "--update", cloth.update, "--vertices", cloth.states, "--set stiffness=1");
    refused_run(2, "NAME=NUMBER", cloth.file, "--update", cloth.update, "--set compliance");
    refused_run(2, "needs --update", cloth.file, "--app update");
    refused_run(4, "cannot be read", cloth.file, "--update", cloth.update, "--vertices",
                cloth.folder / "narrow.npy");
    write_npy(cloth.folder / "narrow.npy", array<float>("<f4", {200}, std::vector<float>(200)));
    refused_run(
        4,
        "a vertex has 1 × float32 there, and Spring::Vertex has float32 x, float32 y, float32 z, float32 "
        "inverse_mass; expected 4 numbers in a row",
        cloth.file, "--update", cloth.update, "--vertices", cloth.folder / "narrow.npy");
    write_npy(cloth.folder / "short.npy", array<float>("<f4", {3, 4}, std::vector<float>(12)));
    refused_run(4, "3 rows", cloth.file, "--update", cloth.update, "--vertices", cloth.folder / "short.npy");
    refused_run(2, "two sides", cloth.file, "--update", cloth.update, "--rows", cloth.states);
    // Files of the other kind, in both directions.
    const auto sides = cloth.folder / "sides.h5";
    done("lockstep-preprocess -q --shape square", cloth.text, "-o", sides);
    refused_run(4, "--ends vertices", sides, "--update", cloth.update, "--vertices", cloth.states,
                "--strategy agm-e");
    refused_run(4, "--ends sides", cloth.file, "--strategy agm-e --sweeps 1");
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

TEST_CASE("update: a changed header is seen, and an unchanged update is compiled once") {
    const Path path;
    const std::string text =
        "#include \"step.hpp\"\nstruct S { struct Vertex { float x; }; static void update(Vertex& a, Vertex& "
        "b) "
        "{ a.x += step; b.x += step; } };\n";
    const auto compiles = [&](const char* step) {
        write_file(path.folder / "step.hpp", std::string("constexpr float step = ") + step + ";\n");
        const ProgramResult result = path.run(text);
        INFO(result.err);
        REQUIRE(result.code == 0);
        CHECK(values_of<float>(path.out)[0] == std::stof(step));
        return result.err.find("compiling") != std::string::npos;
    };
    CHECK(compiles("1"));
    CHECK(compiles("10"));
    CHECK(!compiles("10"));
    CHECK(!compiles("1"));  // both are kept
    const ProgramResult set = path.run(text + "// the same with a word more\n");
    CHECK_THAT(set.err, Catch::Contains("compiling"));
}

TEST_CASE("update: a damaged library of the cache is compiled again") {
    const Path path;
    const std::vector<float> expected = path.states<float>(plus_one);
    std::filesystem::path library;
    for (const auto& entry : std::filesystem::directory_iterator(path.folder / "cache" / "updates"))
        if (entry.path().extension() == ".so") library = entry.path();
    const std::string whole = read_file(library);
    std::string turned = whole;
    turned[whole.size() / 2] = static_cast<char>(turned[whole.size() / 2] ^ 1);
    for (const std::string& damaged :
         {std::string(), whole.substr(0, 15), whole.substr(0, whole.size() / 2),
          whole.substr(0, whole.size() - 1), turned, std::string(whole.size(), '\0')}) {
        write_file(library, damaged);
        const ProgramResult result = path.run(plus_one);
        INFO(result.err);
        CHECK(result.code == 0);
        CHECK_THAT(result.err, Catch::Contains("compiling"));
        CHECK(values_of<float>(path.out) == expected);
        CHECK(read_file(library).size() == whole.size());
    }
    for (const auto& entry : std::filesystem::directory_iterator(path.folder / "cache" / "updates"))
        if (entry.path().extension() == ".files") write_file(entry.path(), "/nowhere\n");
    CHECK(path.states<float>(plus_one) == expected);
}

TEST_CASE("update: --set takes what the field can hold, and nothing else") {
    const Path path;
    const std::string text =
        "#include <cstdint>\nenum class Kind : short { some };\nstruct S {\n"
        "    struct Vertex { double i, u, c, b, f, d, k; std::int64_t l; };\n"
        "    struct Parameters { int i; std::int64_t l; unsigned u; signed char c; bool b; float f; double d "
        "= 7; "
        "Kind k; float pair[2]; };\n"
        "    static void update(Vertex& a, Vertex&, const Parameters& p) {\n"
        "        a = {double(p.i), double(p.u), double(p.c), double(p.b), double(p.f), p.d, double(p.k), "
        "p.l};\n"
        "    }\n};\n";
    for (const char* set :
         {"i=2.7", "i=nan", "i=2147483648", "i=-2147483649", "u=-1", "u=4294967296", "c=128", "c=-129",
          "c=inf", "b=0.5", "b=2", "f=1e300", "f=1e400", "d=1e5000", "l=9223372036854775808", "k=40000"})
        path.refuses(2, "cannot hold", text, "--set", set);
    path.refuses(2, "is not one number", text, "--set pair=1");
    path.refuses(
        4,
        "have no field speed, which --set names; they have int32 i, int64 l, uint32 u, int8 c, bool b, "
        "float32 f, float64 d, int16 k, float32 pair[2]",
        text, "--set speed=1");
    const auto states = path.states<double>(
        text, "--set i=-2147483648,u=4294967295,c=-128,b=1,f=0.1,k=-2 --set l=9007199254740993");
    CHECK(std::vector<double>(states.begin(), states.begin() + 7) ==
          std::vector<double>{-2147483648.0, 4294967295.0, -128, 1, static_cast<double>(0.1F), 7, -2});
    CHECK(values_of<std::int64_t>(path.out)[7] == 9007199254740993);
    CHECK(std::isinf(path.states<double>(text, "--set f=inf")[4]));
}

TEST_CASE(
    "update: states of another type are refused, and structured ones are taken by the names of their "
    "fields") {
    const Path path;
    const auto given = path.folder / "x.npy";
    const auto refuses = [&](const std::string& words, const std::string& text, const NpyArray& states,
                             const char* option = "--vertices") {
        write_npy(given, states);
        path.refuses(4, words, text, option, given);
    };
    refuses(
        "a vertex has 1 × float64 there, and S::Vertex has float32 x, float32 y; expected 2 numbers in a "
        "row: "
        "array.astype(\"float32\")",
        plus_one, array("<f8", {3}, std::vector<double>{1, 2, 3}));
    refuses("2 × int32", plus_one, array("<i4", {3, 2}, std::vector<int>(6)));
    const std::string mixed =
        "struct Vec { float x, y; };\nstruct S { struct Vertex { char kind; Vec at[2]; long long n; };\n"
        "    static void update(Vertex& a, Vertex& b) { a.n += 1, b.n += 1, a.at[1].y += 2; } };\n";
    refuses(
        "S::Vertex has int8 kind, float32 at[4], int64 n; expected a structured array with these fields, or "
        "32",
        mixed, array("<f4", {3, 8}, std::vector<float>(24)));
    const auto structured = [](const std::string& type, std::size_t bytes) {
        NpyArray made{type, {3}, {}};
        made.bytes.assign(3 * bytes, std::byte{1});
        return made;
    };
    refuses("its field m is none of the struct's", mixed, structured("[('kind', '|i1'), ('m', '<f4')]", 5));
    refuses("its field n is 1 × int32", mixed,
            structured("[('kind', '|i1'), ('at', '<f4', (2, 2)), ('n', '<i4')]", 21));
    refuses("it lacks fields of the struct", mixed, structured("[('kind', '|i1'), ('n', '<i8')]", 9));
    // In another order, with a gap; the result has the fields at the same positions.
    const std::string type = "[('n', '<i8'), ('', '|V3'), ('at', '<f4', (4,)), ('kind', '|i1')]";
    write_npy(given, structured(type, 28));
    const ProgramResult result = path.run(mixed, "--vertices", given);
    INFO(result.err);
    REQUIRE(result.code == 0);
    const NpyArray read = read_npy(path.out);
    CHECK(read.type == type);
    for (std::size_t v = 0; v < 3; ++v) {
        std::int64_t n = 0;
        std::memcpy(&n, read.bytes.data() + 28 * v, 8);
        CHECK(n == 0x0101010101010101 + (v == 1 ? 2 : 1));
        for (const std::size_t same : {8, 9, 10, 11, 22, 27})
            CHECK(read.bytes[28 * v + same] == std::byte{1});
        float y = 0;
        std::memcpy(&y, read.bytes.data() + 28 * v + 23, 4);
        CHECK((y > 1.9F) == (v != 2));  // changed only for the first endpoint of an edge
    }
    // Rows of bytes are the structs themselves.
    write_npy(given, array("|u1", {3, 8}, std::vector<unsigned char>(24)));
    CHECK(path.states<float>(plus_one, "--vertices", given) == std::vector<float>{1, 0, 2, 0, 1, 0});
}

TEST_CASE("update: an edge of one integer has the weight as a number, or is refused") {
    const std::string text =
        "struct S { struct Vertex { int x; }; struct Edge { int k; };\n"
        "    static void update(Vertex& a, Vertex& b, const Edge& e) { a.x += e.k, b.x += e.k; } };\n";
    CHECK(Path().states<int>(text) == std::vector<int>{3, 8, 5});
    Path("0 1 3\n1 2 2.5\n").refuses(4, "has the weight 2.5, which S::Edge (int32 k) cannot hold", text);
}

TEST_CASE("update: auto is deterministic, and takes the same strategy each time") {
    const Strip cloth;
    const json first = parsed(cloth.run("--json --sweeps 3"));
    CHECK(first["strategy"] == "local");
    for (int i = 0; i < 3; ++i)
        CHECK(parsed(cloth.run("--json --sweeps 3"))["result_hash"] == first["result_hash"]);
    // Also for a graph file, which has no schedule.
    const json made = parsed(run_program("lockstep-execute", cloth.text, "--update", cloth.update,
                                         "--vertices", cloth.states, "--json --sweeps 3")),
               asked = parsed(cloth.run("--json --sweeps 3 --strategy agm-e"));
    CHECK(made["strategy"] == "agm-e");
    CHECK(made["deterministic"] == true);
    CHECK(made["result_hash"] == asked["result_hash"]);
}

TEST_CASE("update: of one set there are no columns to write") {
    const Path path;
    path.refuses(2, "--output-cols is for an update of two sides", plus_one, "--output-cols",
                 path.folder / "cols.npy");
    CHECK(!std::filesystem::exists(path.folder / "cols.npy"));
}

TEST_CASE("update: a signal ends the compiler, and the program with the signal's code") {
    const Path path;
    write_file(path.update, plus_one);
    write_file(path.folder / "slow", "#!/bin/sh\necho $$ > compiler\nexec sleep 1000\n");
    for (const auto& [signal, code] : {std::pair{"INT", 130}, {"TERM", 143}, {"HUP", 129}}) {
        INFO(signal);
        const ProgramResult result = path.shell(
            std::string(
                "set -m; chmod +x slow; rm -f compiler; CXX=$PWD/slow lockstep-execute g.h5 --update "
                "update.hpp --device cpu & p=$!\nuntil [ -s compiler ]; do sleep 0.05; done\nkill -") +
            signal + " -$p; wait $p; echo $?; kill -0 $(cat compiler) 2>/dev/null && echo runs still");
        CHECK(result.out == std::to_string(code) + "\n");
        CHECK_THAT(result.err, Catch::Contains("interrupted") && !Catch::Contains("does not compile"));
    }
}

TEST_CASE("update: one that throws has no result, and its words are said") {
    const Path path;
    const std::string text =
        "#include <stdexcept>\nstruct S { struct Vertex { float x; };\n    static void update(Vertex& a, "
        "Vertex& b) "
        "{ if (a.x > 1) throw std::runtime_error(\"too far: 7\"); a.x += 1, b.x += 1; } };\n";
    for (const char* strategy : {"agm-e", "nl", "el"}) {
        INFO(strategy);
        const ProgramResult result =
            run_program("lockstep-execute", (write_file(path.update, text), path.file), "--update",
                        path.update, "--sweeps 9 --device cpu --output", path.out, "--strategy", strategy);
        CHECK(result.code == 1);
        CHECK_THAT(result.err, Catch::Contains("threw an exception") && Catch::Contains("too far: 7"));
        CHECK(!std::filesystem::exists(path.out));
    }
}

TEST_CASE("update: the struct is found in what C++ allows") {
    const Path path;
    const std::string body =
        "{ struct Vertex final { float x, y; };\n    static void update(Vertex& a, Vertex& b) { ++a.x, "
        "++b.x; } };\n";
    const std::vector<float> expected{1, 0, 2, 0, 1, 0};
    for (const std::string& text :
         {"struct S final " + body, "constexpr int many = 1'000, more = 0x1'0;\nstruct S " + body,
          "constexpr const char* raw = R\"(struct T { } update \" ' {)\";\nstruct S " + body,
          "constexpr char quote = '\"', other = u8'{';\nstruct S " + body,
          "#define OPEN {\nstruct [[maybe_unused]] alignas(8) S " + body,
          "namespace cloth { namespace inner {\nstruct S " + body + "} }\n",
          "namespace cloth::inner {\nstruct S " + body + "}\n", "namespace {\nstruct S " + body + "}\n",
          "struct Outer { struct S " + body + "};\n"}) {
        INFO(text);
        CHECK(path.states<float>(text) == expected);
    }
    const std::string two = "namespace a { struct S " + body + "}\nnamespace b { struct T " + body + "}\n";
    path.refuses(2, "several updates (a::S, b::T)", two);
    for (const char* name : {":b::T", ":T"}) {
        const ProgramResult result = run_program("lockstep-execute -q --force", path.file, "--update",
                                                 path.update.string() + name, "--device cpu");
        INFO(result.err);
        CHECK(result.code == 0);
    }
}

TEST_CASE("update: CXX may have options, and a cache that cannot be written costs a compilation alone") {
    const Path path;
    setenv("CXX", "g++ -O1", 1);
    const std::vector<float> expected = path.states<float>(plus_one);
    setenv("CXX", "no-such-compiler", 1);
    path.refuses(1, "there is no compiler no-such-compiler", plus_one);
    unsetenv("CXX");
    const auto used = path.folder / "used";
    write_file(used, "a file");
    setenv("LOCKSTEP_CACHE", used.c_str(), 1);
    const ProgramResult result = path.run(plus_one);
    INFO(result.err);
    CHECK(result.code == 0);
    CHECK_THAT(result.err, Catch::Contains("is not kept") && Catch::Contains("LOCKSTEP_CACHE"));
    CHECK(values_of<float>(path.out) == expected);
}
