// Programs that read and write HDF5 under a memory limit: they succeed, or print one line and end with exit
// code 1.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "cli_support.hpp"

using namespace lockstep;

namespace {

/// Runs a program that may use `kib` KiB of address space.
test::ProgramResult run_within(std::uint64_t kib, const std::string& program, const std::string& arguments,
                               const test::TemporaryFolder& folder) {
    const std::string err = (folder / "err").string();
    const std::string command = fmt::format("ulimit -v {}; OMP_NUM_THREADS=2 '{}/{}' {} >/dev/null 2>'{}'",
                                            kib, LOCKSTEP_BINARIES, program, arguments, err);
    // Runs in a separate shell, whose messages on how the program ended are discarded.
    const int status = std::system(("sh -c \"" + command + "\" 2>/dev/null").c_str());
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return {code, "", test::read_file(err)};
}

constexpr std::uint64_t step = 2048, most = 1 << 20;  // KiB

/// Returns the memory that the program and its libraries need, to within two steps, plus a step for the
/// stack, without which no program can print a message; sanitizers need terabytes.
std::uint64_t min_memory(const std::string& program, const test::TemporaryFolder& folder) {
    std::uint64_t least = 16 * step;
    while (least < most && run_within(least, program, "--version", folder).code != 0) least += 2 * step;
    return least + step;
}

}  // namespace

TEST_CASE("too little memory for HDF5 is one line and exit code 1", "[memory]") {
    const test::TemporaryFolder folder;
    const std::string schedules = (folder / "s.h5").string(), model = (folder / "m.h5").string();
    const std::string sample = LOCKSTEP_TOOLS "/../samples/ratings.txt";
    test::done("lockstep-preprocess", sample, "-o", schedules, "--schedule agm-e");
    test::done("lockstep-execute", schedules, "--strategy agm-e --device cpu --sweeps 1 --model", model);
    const std::vector<std::pair<std::string, std::string>> runs{
        {"lockstep-inspect", "'" + schedules + "'"},
        {"lockstep-verify", "'" + schedules + "'"},
        {"lockstep-predict", "'" + model + "' --top 1"}};
    for (const auto& [program, arguments] : runs) {
        const std::uint64_t least = min_memory(program, folder);
        if (least >= most) return test::skip("programs of this build do not run under a limit");

        std::size_t done = 0, refused = 0;
        for (std::uint64_t kib = least; kib < least + 80 * step; kib += step * 7 / 3) {
            const auto result = run_within(kib, program, arguments, folder);
            CAPTURE(program, kib, result.err);
            CHECK((result.code == 0 || result.code == 1));
            if (result.code == 1) CHECK(result.err == std::string(program) + ": out of memory\n");
            ++(result.code == 0 ? done : refused);
        }
        CHECK(refused > 5);
        CHECK(done > 0);
    }
}

TEST_CASE("too little memory for scheduling and for runs is one line and exit code 1", "[memory]") {
    const test::TemporaryFolder folder;
    const std::string input = (folder / "r.txt").string(), schedules = (folder / "s.h5").string(),
                      again = (folder / "t.h5").string();
    test::done("lockstep-generate ratings --users 9000 --items 3000 --edges 120000 --max-degree 5000 -q -o",
               input);
    const std::string all =
        "agm-e,agm-n,sgm,diag,blkdiag,tiled,stars,blocked,shuffle,el-sgm,degree,metis,edge-tiled,"
        "hubs,hubs-weight";
    test::done("lockstep-preprocess", input, "-o", schedules, "-q --schedule", all);
    std::vector<std::pair<std::string, std::string>> runs;
    for (const char* schedule :
         {"agm-e", "agm-e --matching euler", "sgm", "blkdiag", "tiled", "stars", "blocked,el-sgm",
          "edge-tiled", "local", "shuffle,diag,degree", "hubs,hubs-weight"}) {
        runs.push_back({"lockstep-preprocess",
                        fmt::format("'{}' -o '{}' -q --memory 8G --schedule {}", input, again, schedule)});
    }
    for (const char* strategy :
         {"agm-e", "sgm", "blkdiag", "tiled", "stars", "el", "nl-el", "el-sgm", "hogwild-blocked"}) {
        runs.push_back({"lockstep-execute",
                        fmt::format("'{}' -q --device cpu --sweeps 1 --strategy {}", schedules, strategy)});
    }
    std::map<std::string, std::uint64_t> least_of;
    for (const auto& [program, arguments] : runs) {
        if (!least_of.contains(program)) least_of[program] = min_memory(program, folder);
        const std::uint64_t least = least_of[program];
        if (least >= most) return test::skip("programs of this build do not run under a limit");
        std::size_t refused = 0;
        for (std::uint64_t kib = least; kib < least + 70 * step; kib += 14 * step + 300) {
            const auto result = run_within(kib, program, arguments, folder);
            CAPTURE(program, arguments, kib, result.err);
            // The graph has no locality: exit code 4, if the memory suffices to find that out.
            CHECK((result.code == 0 || result.code == 1 || result.code == 4));
            if (result.code == 0) continue;
            // libgomp itself ends a program whose threads cannot start, and prints a blank line before its
            // message.
            if (!result.err.starts_with("\nlibgomp: "))
                CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
            refused += result.code == 1;
        }
        CHECK(refused > 0);
    }
}
