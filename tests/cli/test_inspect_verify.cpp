// lockstep-inspect and lockstep-verify on good, wrong and damaged files.

#include "cli_support.hpp"
#include "insight/build_options.hpp"
#include "lockstep/formats/model_file.hpp"
#include "lockstep/formats/result_file.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"

using namespace lockstep;
using Catch::Matchers::Contains;
using nlohmann::json;

namespace {

/// Writes the paper's sample graph with its AGM-E schedule, Diag and a shuffle, for two workers.
void write_paper(const std::filesystem::path& path) {
    Dataset d{test::paper_graph(),
              RangeIds{1, 6},
              StringIds{"ABCD", {0, 1, 2, 3, 4}},
              {"paper.txt", "edge-list", "none", "keep", 12, 0, 0, 0}};
    BuildOptions options = insight::default_build_options();
    options.workers = 2;
    std::vector<TimedSchedule> schedules;
    for (const char* name : {"agm-e", "diag", "shuffle"})
        schedules.push_back({find_builder(name).build(d.graph, options), 0.25});
    schedules.back().schedule.order = {2, 10, 3, 8, 11, 6, 9, 4, 1, 0, 7, 5};  // k e b d j c h g f a i l
    write_schedule_file(path, d, schedules, PreprocessSeconds{1, 0.75, 0, 0});
}

/// Writes two edges of one row in one round: the file is valid, but the schedule is wrong.
void write_conflict(const std::filesystem::path& path) {
    Dataset d{test::graph_of(1, 2, {{0, 0}, {0, 1}}), RangeIds{0, 1}, RangeIds{0, 2}, {}};
    Schedule s;
    s.name = "wrong";
    s.disjoint = Disjoint::both;
    s.order = {0, 1};
    s.level(Level::phase) = {0, 2};
    write_schedule_file(path, d, {{s, 0}}, {});
}

}  // namespace

TEST_CASE("inspect shows graph and schedules", "[inspect]") {
    const test::TemporaryFolder folder;
    write_paper(folder / "p.h5");
    const auto text = test::done("lockstep-inspect", folder / "p.h5");
    CHECK(text.err.empty());
    for (const char* part : {"6 rows × 4 columns, 12 edges", "integers 1 … 6", "agm-e", "diag", "edge-list"})
        CHECK_THAT(text.out, Contains(part));

    const json j = test::parsed("lockstep-inspect", folder / "p.h5", "--json");
    test::check_holds(j,
                      R"({"version": "1.4", "graph": {"rows": 6, "cols": 4, "edges": 12, "shape": "bipartite",
            "max_row_degree": 3, "max_col_degree": 5, "source": {"format": "edge-list"}},
            "seconds": {"schedule": 0.75}})"_json);
    REQUIRE(j["schedules"].size() == 3);
    const json& agm = j["schedules"][0];
    test::check_holds(agm,
                      R"({"name": "agm-e", "rounds": 5, "max_round": 3, "disjoint": "both", "maximal": true,
            "seconds": 0.25})"_json);
    EdgeId rounds = 0;
    for (const auto& bin : agm["histogram"]) rounds += bin["rounds"].get<EdgeId>();
    CHECK(rounds == 5);
}

TEST_CASE("inspect counts the edges of a vertex where rows and columns are one set", "[inspect]") {
    const test::TemporaryFolder folder;
    test::write_file(folder / "ring.txt", "0 1\n1 2\n2 3\n3 4\n4 0\n2 2\n");
    test::done("lockstep-preprocess", folder / "ring.txt", "-o", folder / "r.h5",
               "--shape square --ends vertices -q");
    const auto text = test::done("lockstep-inspect", folder / "r.h5");
    CHECK_THAT(text.out, Contains("Graph   5 vertices, 6 edges") && Contains("largest degree  3\n") &&
                             Contains("vertex ids      integers 0 … 4") && !Contains("of a row"));
    const json graph = test::parsed("lockstep-inspect", folder / "r.h5", "--json")["graph"];
    test::check_holds(graph, R"({"max_vertex_degree": 3, "vertex_degree_squares": 25.0,
                                 "vertex_degree_histogram": [0, 5]})"_json);
}

TEST_CASE("inspect --workers counts the paper's time steps", "[inspect]") {
    const test::TemporaryFolder folder;
    write_paper(folder / "p.h5");
    const json j = test::parsed("lockstep-inspect", folder / "p.h5", "--json --workers 2");
    CHECK(j["schedules"][0]["time_steps"] == 8);  // AGM-E, figure 4
    CHECK_FALSE(j["schedules"][2].contains("time_steps"));
    // The first pass of EL (figure 6a): a c {e f} g i k.
    const json first = j["machine"]["el"]["passes"][0];
    const std::vector<std::vector<std::string>> expected{{"1", "A"}, {"3", "A"}, {"6", "A"}, {"1", "B"},
                                                         {"2", "B"}, {"4", "C"}, {"1", "D"}};
    CHECK(first == json(expected));
    CHECK(j["machine"]["el"]["time_steps"] == 11);
    // The second pass of shuffled EL (figure 6b): d g a.
    const json& shuffled = j["machine"]["el-shuffled"];
    CHECK(shuffled["passes"].size() == 2);
    CHECK(shuffled["passes"][1] == json::parse(R"([["5", "A"], ["2", "B"], ["1", "A"]])"));
    CHECK(shuffled["time_steps"] == 9);
    CHECK(j["machine"]["nl"]["steps"].size() == 9);
    CHECK(j["machine"]["nl"]["deferred"].size() == 2);
    const auto text = test::run_program("lockstep-inspect", folder / "p.h5", "--workers 2");
    CHECK_THAT(text.out, Contains("pass 1    (1, A) (3, A) (6, A)") && Contains("9 time steps") &&
                             Contains("Shuffled EL on 2 threads in lockstep: 9 time steps, 2 passes"));
}

TEST_CASE("inspect --schedule shows one schedule in detail", "[inspect]") {
    const test::TemporaryFolder folder;
    write_paper(folder / "p.h5");
    const auto text = test::done("lockstep-inspect", folder / "p.h5", "--schedule agm-e");
    CHECK_THAT(text.out, Contains("rounds by size") && !Contains("diag"));
    test::refused(4, "no schedule sgm", "lockstep-inspect", folder / "p.h5", "--schedule sgm");
}

TEST_CASE("wrong use and wrong files have their exit codes", "[inspect][verify]") {
    const test::TemporaryFolder folder;
    write_paper(folder / "p.h5");
    test::write_file(folder / "text.h5", "1 2 3\n");
    std::string content = test::read_file(folder / "p.h5");
    test::write_file(folder / "cut.h5", content.substr(0, content.size() - 1));
    for (const char* program : {"lockstep-inspect", "lockstep-verify"}) {
        CAPTURE(program);
        CHECK(test::run_program(program).code == 2);
        CHECK(test::run_program(program, "--nonsense").code == 2);
        for (const char* name : {"text.h5", "cut.h5", "none.h5"}) {
            const auto result = test::run_program(program, folder / name, "--json");
            CAPTURE(name, result.err);
            CHECK(result.code == 4);
            CHECK(result.out.empty());
            CHECK_THAT(result.err, Contains(name) && !Contains("HDF5-DIAG") && !Contains("infinite loop"));
        }
    }
    CHECK(test::run_program("lockstep-inspect", folder / "p.h5", "--workers 0").code == 2);
}

TEST_CASE("damaged metadata: one message, nothing of HDF5's own", "[inspect]") {
    const test::TemporaryFolder folder;
    write_paper(folder / "p.h5");
    const std::string content = test::read_file(folder / "p.h5");
    std::size_t refused = 0;
    for (std::size_t at = 12; at < content.size(); at += content.size() / 61) {
        std::string damaged = content;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
        test::write_file(folder / "d.h5", damaged);
        const auto result = test::run_program("lockstep-verify", folder / "d.h5");
        CAPTURE(at, result.err);
        CHECK((result.code == 0 || result.code == 4));
        CHECK(std::count(result.err.begin(), result.err.end(), '\n') == (result.code ? 1 : 0));
        refused += result.code == 4;
    }
    CHECK(refused > 0);
}

TEST_CASE("verify proves good files and finds the conflict in bad ones", "[verify]") {
    const test::TemporaryFolder folder;
    write_paper(folder / "p.h5");
    write_conflict(folder / "c.h5");
    json j = test::parsed("lockstep-verify", folder / "p.h5", "--json");
    CHECK(j["ok"] == true);
    REQUIRE(j["schedules"].size() == 3);
    CHECK(j["schedules"][0] == json({{"name", "agm-e"},
                                     {"ok", true},
                                     {"rounds", 5},
                                     {"max_round", 3},
                                     {"cover", true},
                                     {"nested", true},
                                     {"disjoint", true},
                                     {"maximal", true},
                                     {"resident", true},
                                     {"problems", json::array()}}));
    const auto one = test::run_program("lockstep-verify", folder / "p.h5", "--json --schedule diag");
    CHECK(json::parse(one.out)["schedules"].size() == 1);

    const auto bad = test::run_program("lockstep-verify", folder / "c.h5", "--json");
    CHECK(bad.code == 7);
    j = json::parse(bad.out);
    CHECK(j["ok"] == false);
    CHECK(j["schedules"][0]["disjoint"] == false);
    CHECK(j["schedules"][0]["problems"].size() == 1);
    const auto text = test::run_program("lockstep-verify", folder / "c.h5");
    CHECK(text.code == 7);
    CHECK_THAT(text.out, Contains("FAILED"));
}

TEST_CASE("verify --input proves that the file was made from a graph", "[verify]") {
    const test::TemporaryFolder folder;
    test::write_file(folder / "g.mtx",
                     "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 4\n2 3 5\n1 2 1\n");
    test::write_file(folder / "other.mtx",
                     "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 4\n2 3 5\n1 2 2\n");
    write_schedule_file(folder / "g.h5", read_dataset(folder / "g.mtx"), {}, {});
    test::done("lockstep-verify", folder / "g.h5", "--input", folder / "g.mtx");
    const auto other =
        test::run_program("lockstep-verify", folder / "g.h5", "--input", folder / "other.mtx", "--json");
    CHECK(other.code == 7);
    CHECK_THAT(other.err, Contains("schedule of another graph"));
    CHECK(json::parse(other.out)["ok"] == false);
    CHECK(test::run_program("lockstep-verify", folder / "g.h5", "--input", folder / "none.mtx").code == 4);
}

TEST_CASE("inspect shows models and ranks, and says what other files are for", "[inspect]") {
    const test::TemporaryFolder folder;
    const std::string model = (folder / "m.h5").string(), ranks = (folder / "r.h5").string();
    write_model(model, {3,
                        2,
                        2,
                        {1, 2, 3, 4, 5, 6},
                        {7, 8, 9, 10},
                        RangeIds{1, 3},
                        StringIds{"ab", {0, 1, 2}},
                        "0123",
                        {{"storage", "fp16"}, {"sweeps", "3"}}});
    write_result(ranks, {"lockstep-ranks",
                         {{"ranks", std::vector{0.25F, 0.75F}}},
                         RangeIds{7, 2},
                         "4567",
                         {{"damping", "0.85"}}});
    const std::string sums = (folder / "s.h5").string();
    const std::vector<std::uint64_t> large{3, std::uint64_t{1} << 40};
    write_result(
        sums,
        {"lockstep-result", {{"sum", large}, {"level", std::vector{1U, 2U}}}, RangeIds{7, 2}, "4567", {}});
    CHECK(std::get<std::vector<std::uint64_t>>(read_result(sums).columns[0].values) == large);
    const json s = test::parsed("lockstep-inspect", sums, "--json");
    CHECK(s["kind"] == "result");
    CHECK(s["columns"] == "sum:u64,level:u32");
    CHECK_THAT(test::run_program("lockstep-inspect", sums).out, Contains("sum:u64,level:u32"));
    const auto of_model = test::done("lockstep-inspect", model);
    for (const char* part : {"model file 1.4", "3 rows (users) × 2 columns (items), rank 2", "integers 1 … 3",
                             "0123", "storage", "fp16", "sweeps"})
        CHECK_THAT(of_model.out, Contains(part));
    const json m = test::parsed("lockstep-inspect", model, "--json");
    test::check_holds(m, R"({"kind": "model", "rank": 2, "rows": 3, "cols": 2, "graph_hash": "0123"})"_json);
    CHECK(m["model_hash"].get<std::string>().size() == 32);
    CHECK(m["parameters"]["storage"] == "fp16");
    CHECK_THAT(test::run_program("lockstep-inspect", ranks).out,
               Contains("of 2 vertices") && Contains("damping"));
    const json r = test::parsed("lockstep-inspect", ranks, "--json");
    CHECK(r["kind"] == "ranks");
    CHECK(r["vertices"] == 2);
    CHECK(test::run_program("lockstep-inspect", model, "--workers 2").code == 2);

    const auto named = [&](const std::string& content, const std::string& message) {
        test::write_file(folder / "other", content);
        test::refused(4, message, "lockstep-inspect", folder / "other");
    };
    named("{\"event\": \"start\"}\n", "lockstep-report");
    named("1 2 3\n", "lockstep-preprocess");
    named("", "not an HDF5 file");
    named(std::string("\x89HDF\r\n\x1a\n", 8) + std::string(100, '\0'), "AnnData");
}
