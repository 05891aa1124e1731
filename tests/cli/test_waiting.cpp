// A program that waits for a pipe or for standard input ends with a signal, and with the exit code of that
// signal.
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "catch.hpp"
#include "support.hpp"

using namespace lockstep::test;

namespace {

/// Returns the exit code of lockstep-preprocess, which gets `signal` while it waits for `input`.
int interrupted(const std::string& input, int signal) {
    const TemporaryFolder folder;
    const std::string program = std::string(LOCKSTEP_BINARIES) + "/lockstep-preprocess";
    const std::string output = folder / "out.h5", errors = folder / "err";
    int ends[2];  // nothing is ever written to this pipe
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(ends[0], 0);
        dup2(open(errors.c_str(), O_WRONLY | O_CREAT, 0600), 2);
        execl(program.c_str(), program.c_str(), input.c_str(), "-o", output.c_str(),
              static_cast<char*>(nullptr));
        _exit(127);
    }
    // The program prints the name of its input after its signal handlers are installed.
    const auto said = [&] { return std::filesystem::exists(errors) && !read_file(errors).empty(); };
    while (!said()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    close(ends[0]);
    close(ends[1]);
    CHECK_FALSE(std::filesystem::exists(output));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("a signal ends a program that waits on a pipe, a FIFO or standard input") {
    const TemporaryFolder folder;
    REQUIRE(mkfifo((folder / "fifo").c_str(), 0600) == 0);
    for (const std::string& input :
         {std::string("-"), std::string("/dev/stdin"), (folder / "fifo").string()}) {
        INFO(input);
        CHECK(interrupted(input, SIGTERM) == 143);
        CHECK(interrupted(input, SIGINT) == 130);
    }
}
