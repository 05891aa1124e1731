#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>

#include "model.hpp"

namespace lockstep::model {

Ended run_bounded(const Session& session, const std::vector<std::string>& words, int seconds) {
    const std::string program = (session.bin / words.at(0)).string(), out = (session.folder / "out").string(),
                      err = (session.folder / "err").string();
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        const auto bound = [](auto resource, rlim_t most) {
            const rlimit limit{most, most};
            setrlimit(resource, &limit);
        };
        bound(RLIMIT_FSIZE, rlim_t{64} << 20);
        bound(RLIMIT_CORE, 0);
        setenv("OMP_NUM_THREADS", "2", 1);
        setenv("GOMP_SPINCOUNT", "0", 1);
        const bool ready = chdir(session.folder.c_str()) == 0 && dup2(open("/dev/null", O_RDONLY), 0) == 0 &&
                           dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1) == 1 &&
                           dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2) == 2;
        if (ready) execv(program.c_str(), argv.data());
        _exit(127);
    }
    int status = 0;
    bool timed_out = false;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    for (auto pause = std::chrono::microseconds(500); waitpid(child, &status, WNOHANG) == 0;
         pause = std::min(2 * pause, std::chrono::microseconds(20000))) {
        if (std::chrono::steady_clock::now() > end) {
            timed_out = true;
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        std::this_thread::sleep_for(pause);
    }
    std::ifstream in(err);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            timed_out,
            {std::istreambuf_iterator<char>(in), {}}};
}

}  // namespace lockstep::model
