// Tests of failing writes and of a killed writer: no incomplete schedule file is left behind.
#include <omp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/schedules/builders.hpp"
#include "sample_file.hpp"

using namespace lockstep;
namespace fs = std::filesystem;
using Catch::Matchers::Contains;

TEST_CASE("a write that fails leaves the old file and nothing else", "[schedule_file]") {
    const test::TemporaryFolder folder;
    const Dataset d = test::sample_dataset();
    const auto schedules = test::sample_schedules(d.graph);
    const fs::path path = folder / "a.h5";
    write_schedule_file(path, d, schedules, {});
    const std::string before = test::read_file(path);
    const auto refused = [&](const std::vector<TimedSchedule>& s, const std::string& message) {
        CHECK_THROWS_AS(write_schedule_file(path, d, s, {}), OutputError);
        CHECK_THROWS_WITH(write_schedule_file(path, d, s, {}), Contains(message));
        CHECK(test::read_file(path) == before);
        CHECK(test::entries(folder.path()) == std::vector<std::string>{"a.h5"});
    };

    SECTION("names") {
        auto twice = schedules;
        twice.push_back(twice[0]);
        refused(twice, "serial is given twice");
        for (const char* name : {"", "a/b", "..", ".hidden", "a b", "\n"}) {
            auto bad = schedules;
            bad[0].schedule.name = name;
            refused(bad, "cannot name a schedule");
        }
    }
    SECTION("an error when the arrays are already written") {
        auto bad = schedules;
        bad[1].schedule.parameters["too long"] = std::string(70'000, 'x');
        refused(bad, "cannot hold this text");
    }
    SECTION("an id that no reader would accept") {
        Dataset other = d;
        other.col_ids = StringIds{std::string(5000, 'x') + "yz{", {0, 5000, 5001, 5002, 5003}};
        CHECK_THROWS_AS(write_schedule_file(path, other, schedules, {}), OutputError);
        CHECK(test::read_file(path) == before);
    }
    SECTION("the disk is full, at any moment") {
        const rlim_t size = before.size();
        rlimit old{};
        getrlimit(RLIMIT_FSIZE, &old);
        const auto old_handler = signal(SIGXFSZ, SIG_IGN);
        int refusals = 0;
        for (rlim_t limit = 0; limit < size; limit += size / 97) {
            const rlimit low{limit, old.rlim_max};
            setrlimit(RLIMIT_FSIZE, &low);
            try {
                write_schedule_file(path, d, schedules, {});
            } catch (const OutputError& e) {
                refusals += std::string(e.what()).find("File too large") != std::string::npos;
            }
            setrlimit(RLIMIT_FSIZE, &old);
        }
        signal(SIGXFSZ, old_handler);
        CHECK(refusals == 98);
        CHECK(test::read_file(path) == before);
        CHECK(test::entries(folder.path()) == std::vector<std::string>{"a.h5"});
    }
}

TEST_CASE("a writer killed at any moment leaves the old file or the new one", "[schedule_file]") {
    const test::TemporaryFolder folder;
    const fs::path path = folder / "a.h5";
    const Graph graph = test::random_graph(3000, 3000, 200'000, 5);
    const auto write = [&](const std::string& source) {
        Dataset d{graph, RangeIds{0, 3000}, RangeIds{0, 3000}, {}};
        d.source.path = source;
        write_schedule_file(path, d, {{build_shuffle(graph), 0}}, {});
    };
    write("old");
    int replaced = 0;
    // Each child gets one millisecond more. On a busy machine, it may take more than 30 children until one
    // has written its file.
    for (int i = 0; i < 30 || (replaced == 0 && i < 500); ++i) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            omp_set_num_threads(1);  // a forked child does not have the parent's threads
            for (;;) write("new");
        }
        usleep(static_cast<useconds_t>(1000 * i));
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        const auto file = read_schedule_file(path);
        CHECK(file.dataset.graph.col == graph.col);
        CHECK((file.summary.source.path == "old" || file.summary.source.path == "new"));
        replaced += file.summary.source.path == "new";
    }
    CHECK(replaced > 0);  // at least one child replaced the file
}

TEST_CASE("places that cannot be written are refused", "[schedule_file]") {
    const test::TemporaryFolder folder;
    const Dataset d = test::sample_dataset();
    test::write_file(folder / "file", "x");
    for (const fs::path& path : {folder / "no-folder/a.h5", folder / "file/a.h5", fs::path("/dev/full"),
                                 fs::path("/dev/null"), folder.path()}) {
        CHECK_THROWS_AS(write_schedule_file(path, d, {}, {}), OutputError);
    }
    CHECK(fs::is_character_file("/dev/null"));
    CHECK(test::entries(folder.path()) == std::vector<std::string>{"file"});
}

TEST_CASE("a symbolic link is followed, not replaced", "[schedule_file]") {
    const test::TemporaryFolder folder;
    fs::create_directory(folder / "there");
    test::write_file(folder / "there/a.h5", "old");
    fs::create_symlink("there/a.h5", folder / "link.h5");
    write_schedule_file(folder / "link.h5", test::sample_dataset(), {}, {});
    CHECK(fs::is_symlink(folder / "link.h5"));
    CHECK(read_schedule_file(folder / "there/a.h5").summary.edges == 12);
}
