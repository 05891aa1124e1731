#include "apps/update/command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "lockstep/schedules/error.hpp"

namespace lockstep::update {

namespace {

/// A running process group. The destructor kills it, unless it has ended.
class Child {
public:
    explicit Child(pid_t id) : id_(id) {}
    ~Child() {
        if (id_ < 0) return;
        kill(-id_, SIGTERM);
        wait();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    int wait() {
        int status = 0;
        while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
        }
        id_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t id_;
};

struct Pipe {
    int end[2] = {-1, -1};
    Pipe() {
        if (pipe2(end, O_CLOEXEC) < 0)
            throw Error(fmt::format("cannot create a pipe to the compiler: {}", std::strerror(errno)));
    }
    ~Pipe() { close(0), close(1); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    void close(int which) {
        if (end[which] >= 0) ::close(end[which]);
        end[which] = -1;
    }
};

/// Starts a command in its own process group, with its output connected to the pipe. Returns its process ID,
/// or -1 if there is no such program.
pid_t start(const std::vector<std::string>& command, const Pipe& pipe) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files), posix_spawnattr_init(&attributes);
    for (const int descriptor : {1, 2}) posix_spawn_file_actions_adddup2(&files, pipe.end[1], descriptor);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t child = -1;
    const int error = posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&files), posix_spawnattr_destroy(&attributes);
    if (error == ENOENT || error == EACCES || error == ENOTDIR) return -1;
    if (error) throw Error(fmt::format("cannot start {}: {}", command[0], std::strerror(error)));
    return child;
}

}  // namespace

std::optional<CommandResult> run_command(const std::vector<std::string>& command,
                                         const std::function<void()>& check) {
    constexpr int wait_ms = 100;
    Pipe pipe;
    const pid_t id = start(command, pipe);
    if (id < 0) return {};
    Child child(id);
    pipe.close(1);
    CommandResult ran;
    for (;;) {
        check();
        pollfd output{pipe.end[0], POLLIN, 0};
        if (poll(&output, 1, wait_ms) <= 0) continue;
        char some[4096];
        const ssize_t count = read(pipe.end[0], some, sizeof some);
        if (count == 0) break;
        if (count > 0) ran.printed.append(some, static_cast<std::size_t>(count));
    }
    ran.code = child.wait();
    // throws if the user interrupted the run; otherwise the interrupted command would be reported as a
    // failure
    check();
    return ran;
}

}  // namespace lockstep::update
