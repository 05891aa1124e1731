// Calls that fail lead to an exit code and a message with the error, never to a crash, a different result or
// leftover files. These are the calls that once went wrong, of each kind; tests/torture/faults tries all
// calls.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>

#include "cli_support.hpp"

using namespace lockstep;

namespace {

/// A folder in which calls on files below data/ can be made to fail.
struct FailingPlace {
    const test::TemporaryFolder folder;

    FailingPlace() { std::filesystem::create_directory(folder / "data"); }

    std::string here(const std::string& name) const { return (folder / name).string(); }
    /// Makes data/r.h5, schedules of a sample, and data/m.h5, a model trained on them.
    void make_files(const char* schedules) const {
        test::done("lockstep-preprocess", LOCKSTEP_TOOLS "/../samples/ratings.txt", "-o", here("data/r.h5"),
                   "-q --schedule", schedules);
        test::done("lockstep-execute", here("data/r.h5"), "--strategy agm-e --device cpu --sweeps 1 --model",
                   here("data/m.h5"), "-q");
    }
    /// Runs a program in which call number `call` of `function` on a file in data/ fails.
    test::ProgramResult run(const char* function, int call, const std::string& command) const {
        const std::string out = here("out"), err = here("err");
        const std::string line = fmt::format(
            "cd '{}' && FAILING_FUNCTION={} FAILING_FOLDER='{}/data' FAILING_CALL={} LD_PRELOAD='{}' '{}'/{} "
            ">'{}' 2>'{}'",
            folder.path().string(), function, folder.path().string(), call, LOCKSTEP_FAILING_CALLS,
            LOCKSTEP_BINARIES, command, out, err);
        const int status = std::system(line.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), test::read_file(out),
                test::read_file(err)};
    }
};

/// Returns the line of a run from its result on.
std::string without_times(const std::string& out) {
    const std::size_t result = out.find("RMSE");
    return result == std::string::npos ? out : out.substr(result);
}

}  // namespace

TEST_CASE("a read or close that fails is named, and crashes nothing") {
#if defined(LOCKSTEP_SANITIZED)
    return test::skip("a sanitizer must be the first library of a program");
#endif
    const FailingPlace failing;
    std::filesystem::copy_file(LOCKSTEP_TOOLS "/../samples/ratings.txt", failing.here("data/r.txt"));
    failing.make_files("agm-e");
    for (const std::string& command :
         {std::string("lockstep-verify data/r.h5"), std::string("lockstep-inspect data/r.h5"),
          std::string("lockstep-predict data/m.h5 --users 1 --top 2"),
          std::string("lockstep-preprocess data/r.txt -q --no-times --force -o data/new.h5"),
          std::string("lockstep-execute data/r.h5 --strategy agm-e --device cpu --sweeps 1 -q --force "
                      "--model data/new.h5")}) {
        const auto undisturbed = failing.run("none", 0, command);
        REQUIRE(undisturbed.code == 0);
        for (const char* function : {"read", "close"}) {
            int failures = 0;
            for (int call = 1; call <= 12; ++call) {
                const auto result = failing.run(function, call, command);
                CAPTURE(command, function, call, result.err);
                CHECK((result.code == 0 || result.code == 1 || result.code == 4 || result.code == 6));
                if (result.code == 0) {
                    CHECK(without_times(result.out) == without_times(undisturbed.out));
                    continue;
                }
                ++failures;
                CHECK_THAT(result.err, Catch::Contains("nput/output error") || Catch::Contains("EIO"));
                CHECK_THAT(result.err, !Catch::Contains("is empty"));
            }
            if (std::string(function) == "read") CHECK(failures > 0);
        }
    }
}

TEST_CASE("memory or a thread that lacks ends a program with a message, and leaves no temporary file") {
#if defined(LOCKSTEP_SANITIZED)
    return test::skip("a sanitizer must be the first library of a program");
#endif
    const FailingPlace failing;
    failing.make_files("agm-e,agm-n,blkdiag,metis");

    /// Fails every `step`th of the last `last` allocations of a command, which must never end by a signal.
    const auto fail_last_allocations = [&](const std::string& command, std::uint64_t last,
                                           std::uint64_t step) {
        setenv("FAILING_REPORT", failing.here("report").c_str(), 1);
        const auto reported = [&](std::size_t number) {
            std::uint64_t value = 0;
            std::memcpy(&value, test::read_file(failing.here("report")).data() + number * sizeof value,
                        sizeof value);
            return value;
        };
        REQUIRE(failing.run("none", 0, command).code == 0);
        const std::uint64_t calls = reported(8);
        for (std::uint64_t call = calls - last; call < calls; call += step) {
            const auto result = failing.run("malloc", static_cast<int>(call), command);
            CAPTURE(command, call, calls, result.err);
            // Otherwise the allocation failed in a library that cannot handle it.
            if (reported(1) == 0) CHECK(result.code <= 6);
        }
        unsetenv("FAILING_REPORT");
    };

    SECTION("while options are declared") {
        for (const char* program : {"execute", "preprocess", "predict", "verify", "inspect", "report"}) {
            for (const int call : {5, 50, 500, 5000}) {
                const auto result =
                    failing.run("malloc", call, fmt::format("lockstep-{} --version", program));
                CAPTURE(program, call, result.err);
                if (result.code == 0) continue;
                CHECK(result.code == 1);
                CHECK_THAT(result.err, Catch::Contains("out of memory"));
            }
        }
    }
    SECTION("where libgomp ends the program") {
        setenv("OMP_NUM_THREADS", "2", 1);
        const auto result =
            failing.run("pthread_create", 1, "lockstep-predict data/m.h5 --top 2 -o data/top.txt");
        unsetenv("OMP_NUM_THREADS");
        CHECK(result.code == 1);
        for (const auto& entry : std::filesystem::directory_iterator(failing.here("data")))
            CHECK(entry.path().filename().string()[0] != '.');
    }
    SECTION("while abandoned files are searched") {
        fail_last_allocations("lockstep-predict data/m.h5 --top 2 --force -o data/top.txt", 48, 1);
    }
    SECTION("where threads count, which no exception may leave") {
        std::filesystem::copy_file(LOCKSTEP_TOOLS "/../samples/ratings.txt", failing.here("data/r.txt"));
        fail_last_allocations("lockstep-recommend data/r.txt --device cpu", 680, 20);
    }
    SECTION("while JSON is taken apart") {
        fail_last_allocations("lockstep-inspect data/r.h5 --json", 900, 20);
    }
}

TEST_CASE("a record that cannot be looked into is no record of another kind") {
#if defined(LOCKSTEP_SANITIZED)
    return test::skip("a sanitizer must be the first library of a program");
#endif
    const FailingPlace failing;
    failing.make_files("agm-e");
    const std::string command =
        "lockstep-execute data/r.h5 --strategy agm-e --device cpu --sweeps 1 -q --record data/r.jsonl";
    REQUIRE(failing.run("none", 0, command).code == 0);
    // The schedule file is opened once before, to check whether it is a graph.
    for (const auto& [function, call] : {std::pair{"open", 3}, {"read", 4}}) {
        const auto result = failing.run(function, call, command);
        CAPTURE(function);
        CHECK(result.code == 6);
        CHECK_THAT(result.err, Catch::Contains("cannot be read: Input/output error"));
    }
}
