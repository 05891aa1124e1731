// Tests of writing and reading the schedule file: everything reads back equal.
#include <cstdlib>

#include "catch.hpp"
#include "insight/build_options.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/schedules/builders.hpp"
#include "sample_file.hpp"

using namespace lockstep;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

namespace {

void check_equal(const Dataset& a, const Dataset& b) {
    CHECK(a.graph.rows == b.graph.rows);
    CHECK(a.graph.cols == b.graph.cols);
    CHECK(a.graph.shape == b.graph.shape);
    CHECK(a.graph.directed == b.graph.directed);
    CHECK(a.graph.row_offsets == b.graph.row_offsets);
    CHECK(a.graph.col == b.graph.col);
    CHECK(a.graph.value == b.graph.value);
    CHECK(a.graph.input_order == b.graph.input_order);
    CHECK(a.row_ids == b.row_ids);
    CHECK(a.col_ids == b.col_ids);
}

void check_equal(const Schedule& a, const Schedule& b) {
    CHECK(a.name == b.name);
    CHECK(a.disjoint == b.disjoint);
    CHECK(a.maximal == b.maximal);
    CHECK(a.locked == b.locked);
    CHECK(a.order == b.order);
    CHECK(a.offsets == b.offsets);
    CHECK(a.residents == b.residents);
    CHECK(a.resident_offsets == b.resident_offsets);
    CHECK(a.row_order == b.row_order);
    CHECK(a.col_order == b.col_order);
    CHECK(a.row_parts == b.row_parts);
    CHECK(a.col_parts == b.col_parts);
    CHECK(a.parameters == b.parameters);
}

}  // namespace

TEST_CASE("a schedule file gives back everything", "[schedule_file]") {
    const test::TemporaryFolder folder;
    const Dataset dataset = test::sample_dataset();
    const auto schedules = test::sample_schedules(dataset.graph);
    const int deflate = GENERATE(0, 1, 9);
    const double written =
        write_schedule_file(folder / "a.h5", dataset, schedules, PreprocessSeconds{1, 2, 3, 99}, deflate);
    const ScheduleFile file = read_schedule_file(folder / "a.h5");
    check_equal(file.dataset, dataset);
    REQUIRE(file.schedules.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        check_equal(file.schedules[i].schedule, schedules[i].schedule);
        CHECK(file.schedules[i].seconds == schedules[i].seconds);
    }
    const auto& s = file.summary;
    CHECK(s.version == "1.4");
    CHECK(s.program.rfind("lockstep ", 0) == 0);
    CHECK(s.graph_hash == graph_hash(dataset));
    CHECK(s.edges == 12);
    CHECK(s.max_degree.row == 3);
    CHECK(s.max_degree.col == 5);
    CHECK(s.source.path == "ratings, 1.csv");
    CHECK(s.source.compression == "zip: ratings.csv");
    CHECK(s.source.lines == 13);
    CHECK(s.source.self_loops == 2);
    CHECK(s.source.seconds == 0.25);
    CHECK(s.seconds.verify == 3);
    CHECK(s.seconds.write <= written);
    CHECK(s.schedules[0].statistics.rounds == 12);
    CHECK(s.schedules[0].statistics.histogram == std::vector<EdgeId>{12});
    CHECK(s.schedules[0].hash != s.schedules[1].hash);
    CHECK(test::fingerprint(read_schedule_file_summary(folder / "a.h5")) == test::fingerprint(s));
    CHECK(test::entries(folder.path()) == std::vector<std::string>{"a.h5"});
}

TEST_CASE("every graph of the battery and every builder survive the file", "[schedule_file]") {
    const test::TemporaryFolder folder;
    BuildOptions options = insight::default_build_options();
    options.workers = 16;
    options.parts = 3;
    for (const auto& [name, graph] : test::graph_battery()) {
        INFO(name);
        Dataset dataset{graph, RangeIds{1, graph.rows}, RangeIds{-4, graph.cols}, {}};
        std::vector<TimedSchedule> schedules;
        for (const Builder& b : builders()) schedules.push_back({b.build(graph, options), 0});
        write_schedule_file(folder / "g.h5", dataset, schedules, {});
        const ScheduleFile file = read_schedule_file(folder / "g.h5");
        check_equal(file.dataset, dataset);
        REQUIRE(file.schedules.size() == schedules.size());
        for (std::size_t i = 0; i < schedules.size(); ++i)
            check_equal(file.schedules[i].schedule, schedules[i].schedule);
    }
}

TEST_CASE("square, undirected and pattern graphs survive the file", "[schedule_file]") {
    const test::TemporaryFolder folder;
    Dataset d;
    d.graph = build_graph({{2, 0, 0}, {0, 2, 0}, {1, 1, 0}}, 3, 3, {GraphShape::square, false, false});
    d.row_ids = d.col_ids = StringIds{"abc", {0, 1, 2, 3}};
    write_schedule_file(folder / "s.h5", d, {}, {});
    const ScheduleFile file = read_schedule_file(folder / "s.h5");
    check_equal(file.dataset, d);
    CHECK_FALSE(file.summary.weighted);
    CHECK_FALSE(file.summary.directed);
    CHECK(file.summary.shape == GraphShape::square);
    CHECK(file.schedules.empty());
    CHECK(file.summary.row_ids == d.row_ids.describe());
    CHECK(file.summary.col_ids == d.row_ids.describe());
}

TEST_CASE("offsets above 2^32 are stored in 64 bits", "[schedule_file]") {
    // The ids are the only array that may contain such numbers in a small valid file.
    const test::TemporaryFolder folder;
    Dataset d = test::sample_dataset();
    d.row_ids = IntegerIds{{INT64_MIN, -1, 0, 1, 2, INT64_MAX}};
    write_schedule_file(folder / "s.h5", d, {}, {});
    CHECK(read_schedule_file(folder / "s.h5").dataset.row_ids == d.row_ids);
}

TEST_CASE("schedules are loaded by name", "[schedule_file]") {
    const test::TemporaryFolder folder;
    const Dataset d = test::sample_dataset();
    write_schedule_file(folder / "a.h5", d, test::sample_schedules(d.graph), {});
    const auto file = read_schedule_file(folder / "a.h5", std::vector<std::string>{"every-level"});
    REQUIRE(file.schedules.size() == 1);
    CHECK(file.schedules[0].schedule.name == "every-level");
    CHECK(file.summary.schedules.size() == 2);
    CHECK(read_schedule_file(folder / "a.h5", std::vector<std::string>{}).schedules.empty());
    ScheduleFile walked = read_schedule_file(folder / "a.h5", std::vector<std::string>{"every-level"}, false);
    CHECK(walked.dataset.graph.input_order.empty());
    walked.dataset.graph.input_order = d.graph.input_order;
    check_equal(walked.dataset, d);
    check_equal(walked.schedules[0].schedule, file.schedules[0].schedule);
    CHECK_THROWS_WITH(read_schedule_file(folder / "a.h5", std::vector<std::string>{"sgm"}),
                      Contains("serial, every-level"));
    CHECK_THROWS_AS(read_schedule_file(folder / "a.h5", std::vector<std::string>{"sgm"}), ScheduleError);
}

TEST_CASE("the graph hash tells graphs apart", "[schedule_file]") {
    const Dataset d = test::sample_dataset();
    std::vector<std::string> hashes{graph_hash(d)};
    const auto change = [&](auto&& f) {
        Dataset changed = d;
        f(changed);
        hashes.push_back(graph_hash(changed));
    };
    change([](Dataset& c) { c.graph.value[3] += 1; });
    change([](Dataset& c) { c.graph.value.clear(); });
    change([](Dataset& c) { std::swap(c.graph.input_order[0], c.graph.input_order[1]); });
    change([](Dataset& c) { c.graph.directed = false; });
    change([](Dataset& c) { c.row_ids = RangeIds{0, 6}; });
    change([](Dataset& c) { c.row_ids = RangeIds{1, 6}; });
    change([](Dataset& c) { c.graph.col[0] = 1; });
    std::sort(hashes.begin(), hashes.end());
    CHECK(std::adjacent_find(hashes.begin(), hashes.end()) == hashes.end());
    Dataset same = d;
    same.source.path = "elsewhere";
    CHECK(graph_hash(same) == graph_hash(d));
}

TEST_CASE("h5py reads the graph and the schedules", "[schedule_file]") {
    const test::TemporaryFolder folder;
    if (std::system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") != 0) {
        test::skip("no h5py");
        return;
    }
    const Dataset d = test::sample_dataset();
    write_schedule_file(folder / "a.h5", d, test::sample_schedules(d.graph), {}, 4);
    test::write_file(folder / "read.py", R"(
import h5py, sys
f = h5py.File(sys.argv[1], "r")
g = f["graph"]
assert f.attrs["format"] == b"lockstep-schedules" and g.attrs["encoding-type"] == b"csr_matrix"
rows, cols = g.attrs["shape"]
edges = [(u, g["indices"][e], g["data"][e]) for u in range(rows) for e in range(g["indptr"][u], g["indptr"][u + 1])]
print(rows, cols, *["%d-%d-%g" % e for e in edges])
print(*f["schedules/every-level/order"][:])
)");
    const std::string command = "/usr/bin/python3 '" + (folder / "read.py").string() + "' '" +
                                (folder / "a.h5").string() + "' > '" + (folder / "out").string() + "'";
    REQUIRE(std::system(command.c_str()) == 0);
    std::string expected = "6 4";
    const auto row = edge_rows(d.graph);
    for (EdgeId e = 0; e < 12; ++e)
        expected += fmt::format(" {}-{}-{:g}", row[e], d.graph.col[e], d.graph.value[e]);
    CHECK(test::read_file(folder / "out") == expected + "\n11 10 9 8 7 6 5 4 3 2 1 0\n");
}
