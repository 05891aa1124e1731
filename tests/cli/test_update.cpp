// User-defined updates from the command line: they run with every strategy, are verified, and are written.
#include <cmath>
#include <cstring>

#include "lockstep/formats/run_record.hpp"
#include "update_support.hpp"

using namespace lockstep;
using namespace lockstep::test;
using nlohmann::json;

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
    CHECK_THAT(all.err, Catch::Contains("without a schedule in") && Catch::Contains("sgm"));
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
    const json result = parsed(cloth.run("--json --sweeps 30 --strategy tune --output", out));
    CHECK(result["update"] == "Spring");
    CHECK(result["tune"]["tried"].size() >= 6);
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
    const auto strategy = result["strategy"].get<std::string>();
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
    refused_run(4, "no field stiffness; the fields are float32 compliance", cloth.file, "--update",
                cloth.update, "--vertices", cloth.states, "--set stiffness=1");
    refused_run(2, "NAME=NUMBER", cloth.file, "--update", cloth.update, "--set compliance");
    refused_run(2, "needs --update", cloth.file, "--app update");
    refused_run(4, "cannot be read", cloth.file, "--update", cloth.update, "--vertices",
                cloth.folder / "narrow.npy");
    write_npy(cloth.folder / "narrow.npy", array<float>("<f4", {200}, std::vector<float>(200)));
    refused_run(
        4,
        "a vertex has 1 × float32 there, but Spring::Vertex has float32 x, float32 y, float32 z, float32 "
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
    path.refuses(4,
                 "have no field speed; the fields are int32 i, int64 l, uint32 u, int8 c, bool b, "
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
        "a vertex has 1 × float64 there, but S::Vertex has float32 x, float32 y; expected 2 numbers in a "
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
    refuses("its field m is not a field of the struct", mixed,
            structured("[('kind', '|i1'), ('m', '<f4')]", 5));
    refuses("its field n is 1 × int32", mixed,
            structured("[('kind', '|i1'), ('at', '<f4', (2, 2)), ('n', '<i4')]", 21));
    refuses("some fields of the struct are missing", mixed, structured("[('kind', '|i1'), ('n', '<i8')]", 9));
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
    Path("0 1 3\n1 2 2.5\n").refuses(4, "has the weight 2.5, which S::Edge (int32 k) cannot represent", text);
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
               requested = parsed(cloth.run("--json --sweeps 3 --strategy agm-e"));
    CHECK(made["strategy"] == "agm-e");
    CHECK(made["deterministic"] == true);
    CHECK(made["result_hash"] == requested["result_hash"]);
}

TEST_CASE("update: of one set there are no columns to write") {
    const Path path;
    path.refuses(2, "--output-cols requires an update of two sides", plus_one, "--output-cols",
                 path.folder / "cols.npy");
    CHECK(!std::filesystem::exists(path.folder / "cols.npy"));
}
