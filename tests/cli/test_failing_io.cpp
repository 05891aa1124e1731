// Files whose reads and closes fail with EIO: an exit code and a message that names the error, never a crash,
// and no result that differs.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>

#include "cli_support.hpp"

using namespace lockstep;

namespace {

struct Failing {
    const test::TemporaryFolder& folder;

    /// A program whose call number `call` of `function` on a file of the folder fails.
    test::ProgramResult run(const char* function, int call, const std::string& command) const {
        const std::string out = (folder / "out").string(), err = (folder / "err").string();
        const std::string line = fmt::format(
            "cd '{}' && FAILING_FUNCTION={} FAILING_FOLDER='{}/data' FAILING_CALL={} LD_PRELOAD='{}' '{}'/{} "
            ">'{}' 2>'{}'",
            folder.path().string(), function, folder.path().string(), call, LOCKSTEP_FAILING_IO,
            LOCKSTEP_BINARIES, command, out, err);
        const int status = std::system(line.c_str());
        return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), test::read_file(out),
                test::read_file(err)};
    }
};

}  // namespace

TEST_CASE("a read or close that fails is named, and crashes nothing") {
#if defined(LOCKSTEP_SANITIZED)
    return test::skip("a sanitizer must be the first library of a program");
#endif
    const test::TemporaryFolder folder;
    const Failing failing{folder};
    std::filesystem::create_directory(folder / "data");
    const auto here = [&](const char* name) { return (folder / name).string(); };
    const std::string sample = LOCKSTEP_TOOLS "/../samples/ratings.txt";
    std::filesystem::copy_file(sample, here("data/r.txt"));
    test::done("lockstep-preprocess", sample, "-o", here("data/r.h5"), "-q");
    test::done("lockstep-execute", here("data/r.h5"), "--strategy agm-e --device cpu --sweeps 1 --model",
               here("data/m.h5"), "-q");
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
                    CHECK(result.out == undisturbed.out);
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
