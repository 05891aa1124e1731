// Reads files one after another, each in a forked process, and prints the outcome. The class `damage` uses
// this program, so that a try costs a fork instead of the start of a program. It reads and writes one line
// per file:
//
//     KIND PATH             input. KIND: graph, schedules, model, result, summary, record, probe
//     ok HASH               output. HASH: hash of everything that was read
//     refused MESSAGE       the reader threw a FormatError that names the file
//     wrong MESSAGE         the reader threw any other exception
//     crashed SIGNAL WHERE  WHERE: "libhdf5" if the crash was in a call of it, otherwise "program"
//     hung WHERE            the reader took 10 s of processor time, or two minutes
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <sstream>

#include "../support/bytes_in_memory.hpp"
#include "content.hpp"
#include "insight/cache.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/result_summary.hpp"
#include "lockstep/formats/run_record.hpp"

namespace lockstep::torture {

namespace {

int answer_to = STDOUT_FILENO;

void answer(const std::string& text) {
    [[maybe_unused]] const auto ignored = write(answer_to, text.data(), text.size());
}

/// Prints whether a call of libhdf5 or the program itself crashed or hung, and ends the process.
extern "C" void on_crash(int signal) {
    void* frames[64];
    const int count = backtrace(frames, 64);
    const char* where = "program";
    for (int i = 0; i < count; ++i) {
        Dl_info info{};
        if (dladdr(frames[i], &info) != 0 && info.dli_fname && std::strstr(info.dli_fname, "libhdf5"))
            where = "libhdf5";
    }
    char text[64];
    const int length = signal == SIGXCPU ? std::snprintf(text, sizeof text, "hung %s", where)
                                         : std::snprintf(text, sizeof text, "crashed %d %s", signal, where);
    [[maybe_unused]] const auto ignored = write(answer_to, text, static_cast<std::size_t>(length));
    _exit(1);
}

std::string seal(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    test::BytesInMemory file;
    file.bytes = text.str();
    const std::vector<std::byte> bytes = hdf5::make_seal(file, file.bytes.size());
    std::ofstream(path, std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return "sealed";
}

std::string lines_of(const std::vector<RunRecord>& runs) {
    std::string text;
    for (const RunRecord& run : runs) {
        text += fmt::format("{} {} {} {} {}\n", run.run.program, run.run.strategy, run.run.graph_hash,
                            run.run.edges, run.run.input.value_or("-"));
        for (const SweepRecord& s : run.sweeps) {
            text += fmt::format("{} {} {}", s.sweep, s.seconds, s.updates);
            for (const Metric& m : s.metrics) text += fmt::format(" {} {}", m.name, m.value);
            text += '\n';
        }
        if (run.end) text += run.end->status + run.end->result_hash;
    }
    return text;
}

const std::map<std::string, std::function<std::string(const std::string&)>> readers{
    {"seal", seal},
    {"graph",
     [](const std::string& path) {
         ReadOptions options;
         options.memory_limit = 1 << 30;
         const Dataset data = read_dataset(path, options);
         validate(data.graph);
         return content(data);
     }},
    {"schedules", [](const std::string& path) { return content(read_schedule_file(path)); }},
    {"model", [](const std::string& path) { return content(read_model(path)); }},
    {"result", [](const std::string& path) { return content(read_result(path)); }},
    {"summary",
     [](const std::string& path) {
         const auto result = read_result_summary(path);
         return result ? result->content_hash : read_schedule_file_summary(path).content_hash;
     }},
    {"record", [](const std::string& path) { return content(lines_of(read_run_records(path))); }},
    {"probe",
     [](const std::string& path) { return content(insight::probe_text(insight::read_probe(path))); }}};

void read_one(const std::string& kind, const std::string& path) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU})
        std::signal(signal, on_crash);
    const rlimit processor{10, 12}, core{0, 0};
    setrlimit(RLIMIT_CPU, &processor);
    setrlimit(RLIMIT_CORE, &core);
#if !defined(LOCKSTEP_SANITIZED)  // sanitizers reserve terabytes of addresses
    const rlimit memory{6UL << 30, 6UL << 30};
    setrlimit(RLIMIT_AS, &memory);
#endif
    alarm(120);
    const auto one_line = [](std::string text) {
        for (char& c : text) c = c == '\n' ? ' ' : c;
        return text;
    };
    try {
        answer("ok " + readers.at(kind)(path));
    } catch (const FormatError& e) {
        const bool named = std::string_view(e.what()).find(path) != std::string_view::npos;
        answer((named ? "refused " : "wrong the file is not named: ") + one_line(e.what()));
    } catch (const std::exception& e) {
        answer(std::string("wrong ") + one_line(e.what()));
    }
}

std::string verdict(const std::string& kind, const std::string& path) {
    int pipes[2];
    if (pipe(pipes) != 0) return "wrong no pipe";
    const pid_t child = fork();
    if (child == 0) {
        const int nowhere = open("/dev/null", O_WRONLY);  // discards the messages of glibc
        dup2(nowhere, STDERR_FILENO);
        answer_to = pipes[1];
        read_one(kind, path);
        _exit(0);
    }
    close(pipes[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t n; (n = read(pipes[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    close(pipes[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGALRM || signal == SIGXCPU || signal == SIGKILL) return "hung program";
        return fmt::format("crashed {} program", signal);
    }
    return text.empty() ? "crashed 0 program" : text;
}

}  // namespace

}  // namespace lockstep::torture

int main() {
    void* frame[1];
    backtrace(frame, 1);  // loads a library that a signal handler must not load
    std::string kind, path;
    while (std::cin >> kind && std::getline(std::cin >> std::ws, path))
        std::cout << lockstep::torture::verdict(kind, path) << std::endl;
}
