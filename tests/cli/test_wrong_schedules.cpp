// Valid, correctly hashed files whose schedules do not have the form of their names: execute and verify
// refuse them, without a crash, and without a run that claims to be deterministic.
#include <cstdlib>
#include <fstream>

#include "cli_support.hpp"
#include "insight/build_options.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"
#include "schedule_arrays.hpp"

using namespace lockstep;
using nlohmann::json;
using test::run_program;

namespace {

const std::vector<std::string> known_offline{"agm-e", "agm-n", "sgm",   "diag",   "blkdiag",
                                             "tiled", "stars", "local", "el-sgm", "hogwild-blocked"};

std::string schedule_of(const std::string& strategy) {
    return strategy == "hogwild-blocked" ? "blocked" : strategy;
}

/// A square graph, so that both families of strategies can use it, and all of its schedules.
struct WrongSchedulePlace {
    test::TemporaryFolder folder;
    std::string file = (folder / "s.h5").string();
    Dataset dataset;
    std::vector<Schedule> schedules;

    WrongSchedulePlace() {
        REQUIRE(setenv("LOCKSTEP_CACHE", (folder / "cache").c_str(), 1) == 0);
        std::vector<Triple> triples;
        for (VertexId i = 0; i < 600; ++i)
            triples.push_back({i * i % 61, (i * 7 + i / 61) % 61, 1.0F + i % 5});
        dataset = {build_graph(triples, 61, 61, {GraphShape::square, true, true}),
                   RangeIds{0, 61},
                   RangeIds{0, 61},
                   {}};
        BuildOptions options = insight::default_build_options();
        options.workers = 9, options.item_blocks = 4, options.hub_items = 2;
        for (const Builder& builder : builders()) schedules.push_back(builder.build(dataset.graph, options));
    }
    const Schedule& of(const std::string& name) const {
        return *std::find_if(schedules.begin(), schedules.end(),
                             [&](const Schedule& s) { return s.name == name; });
    }
    void write(const Schedule& schedule) const { write_schedule_file(file, dataset, {{schedule, 0}}, {}); }

    /// Runs the strategy; the exit code must be 0, or 4 with one line that names file and schedule.
    int execute(const std::string& strategy, const std::string& schedule,
                std::vector<std::string> more = {}) const {
        std::vector<std::string> arguments{file,       "--strategy", strategy,    "--device", "cpu",
                                           "--sweeps", "2",          "--threads", "2",        "--quiet"};
        if (strategy == "edge-tiled")
            arguments = {file, "--app", "pagerank", "--strategy", strategy, "--device", "cpu", "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto r = run_program("lockstep-execute", arguments);
        INFO(strategy << ": " << r.err);
        CHECK((r.code == 0 || r.code == 4));
        if (r.code == 4) {
            CHECK(std::count(r.err.begin(), r.err.end(), '\n') == 1);
            CHECK_THAT(r.err, Catch::Contains(file) && Catch::Contains(schedule) &&
                                  Catch::Contains("lockstep-preprocess"));
        }
        return r.code;
    }
};

}  // namespace

TEST_CASE("arrays of every schedule under every other name run rightly or are refused", "[wrong]") {
    const WrongSchedulePlace place;
    std::vector<std::string> strategies = known_offline;
    strategies.emplace_back("edge-tiled");
    std::size_t pairs = 0;
    for (const std::string& strategy : strategies) {
        const std::string name = schedule_of(strategy);
        for (const Schedule& arrays : place.schedules) {
            // All names and all arrays, but only a third of the pairs: test_forms.cpp tests all pairs in one
            // process.
            if (arrays.name != name && ++pairs % 3) continue;
            INFO(arrays.name << " as " << name);
            Schedule schedule = arrays;
            schedule.name = name;
            place.write(schedule);
            const int verified = run_program("lockstep-verify", place.file).code;
            CHECK((verified == 0 || verified == 7));
            std::filesystem::remove_all(place.folder / "cache");  // verifications that verify has remembered
            const int code = place.execute(strategy, name);
            CHECK((code == 0) == (verified == 0));
            if (arrays.name == name) CHECK(code == 0);
        }
    }
}

TEST_CASE("a schedule without one of its arrays is refused", "[wrong]") {
    const WrongSchedulePlace place;
    for (const std::string& strategy : known_offline) {
        const Schedule& whole = place.of(schedule_of(strategy));
        for (const auto& [array, clear] : test::arrays_of(whole)) {
            Schedule lacking = whole;
            clear(lacking);
            INFO(whole.name << " without " << array);
            place.write(lacking);
            // An error that is found while reading suggests no remedy.
            const auto r =
                run_program("lockstep-execute", place.file, "--strategy", strategy, "--device cpu");
            INFO(r.err);
            CHECK(r.code == 4);
            CHECK_THAT(r.err, Catch::Contains(place.file) && Catch::Contains(whole.name));
            CHECK(run_program("lockstep-verify", place.file).code != 0);
        }
    }
    Schedule degree = place.of("degree");
    degree.col_order.clear();
    place.write(degree);
    for (const char* strategy : {"el", "nl", "hogwild"}) {
        test::refused(4, "lacks its order of the columns", "lockstep-execute", place.file, "--strategy",
                      strategy, "--order degree");
    }
}

TEST_CASE("a planted conflict is found when the file is loaded, for every offline strategy", "[wrong]") {
    const WrongSchedulePlace place;
    for (const std::string& strategy : known_offline) {
        if (strategy == "hogwild-blocked") continue;  // races on purpose
        Schedule schedule = place.of(strategy);
        // The first concurrent unit gets edges of the other units of its round, or all rounds become one.
        auto& phases = schedule.level(Level::phase);
        if (schedule.has(Level::tile)) {
            std::swap(schedule.order.front(), schedule.order.back());
        } else {
            phases = {phases.front(), phases.back()};
            if (schedule.has(Level::block)) {
                schedule.level(Level::block) = {0, 1};
                schedule.resident_offsets = {0, schedule.residents.size()};
            }
        }
        schedule.maximal = false;
        INFO(strategy);
        place.write(schedule);
        CHECK(place.execute(strategy, strategy) == 4);
        const auto verified = run_program("lockstep-verify", place.file);
        CHECK(verified.code == 7);
    }
}

TEST_CASE("a proof is made once, remembered, and may be left out with a word", "[wrong]") {
    const WrongSchedulePlace place;
    place.write(place.of("agm-e"));
    const auto run = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {place.file, "--strategy", "agm-e", "--device", "cpu", "--json"});
        const auto r = test::done("lockstep-execute", more);
        json j = json::parse(r.out);
        j["err"] = r.err;
        return j;
    };
    const json trusted = run({"--trust"}), first = run({}), second = run({}), online = [&] {
        return test::parsed("lockstep-execute", place.file, "--strategy el --device cpu --json");
    }();
    CHECK(trusted["proof"] == "unproved");
    CHECK_THAT(trusted["err"].get<std::string>(), Catch::Contains("was not verified"));
    CHECK(first["proof"] == "proved");
    CHECK(first["seconds"]["prove"] > 0);
    CHECK(second["proof"] == "remembered");
    CHECK(second["seconds"]["prove"] == 0);
    CHECK(online["proof"].is_null());
    CHECK(first["result_hash"] == second["result_hash"]);
    // Another file of the same graph is not known to be verified.
    Schedule conflict = place.of("agm-e");
    conflict.level(Level::phase) = {0, conflict.order.size()};
    conflict.maximal = false;
    place.write(conflict);
    CHECK(place.execute("agm-e", "agm-e") == 4);
    CHECK(run({"--trust"})["proof"] == "unproved");
    // Schedules that preprocess and verify have verified are remembered.
    std::filesystem::remove_all(place.folder / "cache");
    place.write(place.of("diag"));
    test::done("lockstep-preprocess", place.file, "-o", place.file, "--schedule agm-e -q");
    CHECK(run({})["proof"] == "remembered");
}

TEST_CASE("preprocess says of a square graph whose states its schedules keep apart") {
    const test::TemporaryFolder folder;
    const std::filesystem::path ring = folder / "ring.txt";
    std::ofstream(ring) << "1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n";
    const auto output = [&](const char* shape, const char* schedule) {
        return test::done("lockstep-preprocess", ring, "-o", folder / "ring.h5", "--force", "--shape", shape,
                          "-s", schedule)
            .err;
    };
    const auto of_two_sides = Catch::Contains("note: the schedules are for two sides");
    CHECK_THAT(output("square", "shuffle,agm-e"), of_two_sides);
    CHECK_THAT(output("square", "hubs,edge-tiled,shuffle"), !of_two_sides);
    CHECK_THAT(output("bipartite", "agm-e"), !of_two_sides);
}
