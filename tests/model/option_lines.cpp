// Runs every program with random command lines. It must end with an exit code and, unless the code is 0, a
// message. It must not end by a signal, and must not leave a half-written file.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>

#include "model.hpp"

namespace lockstep::model {
namespace fs = std::filesystem;

namespace {

constexpr const char* programs[] = {
    "lockstep-preprocess", "lockstep-execute", "lockstep-inspect",   "lockstep-verify", "lockstep-generate",
    "lockstep-predict",    "lockstep-report",  "lockstep-recommend", "lockstep-probe",  "lockstep-train"};

/// Returns the long options of a program from its help, each with the name of its value ("" if it has no
/// value).
std::vector<std::pair<std::string, std::string>> options_of(const Session& session,
                                                            const std::string& program) {
    static std::map<std::string, std::vector<std::pair<std::string, std::string>>> known;
    auto& options = known[program];
    if (!options.empty()) return options;
    run_bounded(session, {program, "--help-all"});
    std::ifstream in(session.folder / "out");
    const std::regex line(R"(^\s+(?:-\w, )?--([a-z0-9-]+)(?: (\[=arg[^ ]*|[^ ]+))?)");
    for (std::string text; std::getline(in, text);) {
        std::smatch found;
        if (!std::regex_search(text, found, line)) continue;
        const std::string value = found[2];
        // Excludes the first word of the explanation, which is in lower case.
        options.emplace_back(
            found[1], value == "arg" || value.find_first_of("abcdefghijklmnopqrstuvwxyz") == value.npos ||
                              value.find('|') != value.npos
                          ? value
                          : "");
    }
    return options;
}

rc::Gen<std::string> values() {
    using namespace rc;
    return gen::oneOf(
        gen::element<std::string>("0", "1", "2", "3", "7", "16", "0.1", "0.5", "100"),
        gen::element<std::string>("-1", "nan", "inf", "1e999", "99999999999999999999", "", "0x10", "1.5",
                                  " 3", "3,", "-", "--", "1e-320", "+2"),
        gen::element<std::string>("ratings.txt", "schedules.h5", "model.h5", "runs.jsonl", "missing.h5", ".",
                                  "/dev/null", "new.h5", "new.txt", "folder/new.h5", "/proc/self/mem/x"),
        gen::element<std::string>("agm-e", "sgm,agm-n", "all", "auto", "tiled", "el", "hogwild", "pagerank",
                                  "bfs", "sgd", "cpu", "cuda", "square", "bipartite", "edge-list", "euler",
                                  "fp16", "8G", "1K", "4x4", "0x0", "yes", "mean", "ratings", "road", "u1",
                                  ",", "\x1b[2J", "\xff"));
}

/// Restores the folder: it then contains exactly the files that option lines name. The first call makes them.
void set_up(const Session& session) {
    static std::map<fs::path, std::string> files;
    const auto bytes = [](const fs::path& path) {
        std::ifstream in(path, std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    if (files.empty()) {
        std::ofstream(session.folder / "ratings.txt") << "0 1 2\n1 0 3\n1 2 1\n2 2 5\n2 0 4\n";
        for (const auto& words :
             {std::vector<std::string>{"lockstep-preprocess", "ratings.txt", "-o", "schedules.h5", "-s",
                                       "agm-e,sgm,blkdiag", "--shape", "square", "--quiet"},
              {"lockstep-execute", "schedules.h5", "--device", "cpu", "--strategy", "agm-e", "--sweeps", "1",
               "--model", "model.h5", "--record", "runs.jsonl", "--quiet"}}) {
            const Ended made = run_bounded(session, words);
            if (made.code != 0) throw Error("model: " + words[0] + ": " + made.err);
        }
        for (const char* name : {"ratings.txt", "schedules.h5", "model.h5", "runs.jsonl"})
            files[session.folder / name] = bytes(session.folder / name);
    }
    for (const auto& entry : fs::directory_iterator(session.folder))
        if (!files.contains(entry.path())) fs::remove_all(entry.path());
    for (const auto& [path, content] : files)
        if (bytes(path) != content) std::ofstream(path, std::ios::binary) << content;
}

/// Returns the name of a temporary file that a program has left behind; empty if there is none.
std::string left_behind(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with('.')) return name;
    }
    return {};
}

}  // namespace

bool option_lines_end_with_a_code(Session& session, std::uint64_t seed, int tries) {
    return check("a random option line ends with an exit code and a message", seed, tries, [&] {
        if (!session.next()) return;
        const std::string program =
            *rc::gen::elementOf(std::vector<std::string>(std::begin(programs), std::end(programs)));
        RC_PRE(fs::exists(session.bin / program));
        const auto options = options_of(session, program);
        RC_ASSERT(!options.empty());
        std::vector<std::string> words{program};
        const std::string first = *rc::gen::element<std::string>(
            "", "schedules.h5", "schedules.h5", "ratings.txt", "ratings", "runs.jsonl", "model.h5");
        if (!first.empty()) words.push_back(first);
        const int count = *rc::gen::inRange(0, 6);
        for (int i = 0; i < count; ++i) {
            const auto [name, value] = *rc::gen::elementOf(options);
            words.push_back("--" + name);
            const bool takes = *rc::gen::weightedElement<bool>({{9, !value.empty()}, {1, value.empty()}});
            if (!takes) continue;
            const std::string word = *values();
            if (*rc::gen::arbitrary<bool>())
                words.back() += "=" + word;
            else
                words.push_back(word);
        }
        // lockstep-probe would measure the device, which takes long, with any other options.
        if (program == "lockstep-probe") words.push_back("--help");

        set_up(session);
        const Ended run = run_bounded(session, words);
        std::ostringstream line;
        for (const std::string& word : words) line << '"' << word << "\" ";
        RC_LOG() << line.str() << "\nexit code " << run.code << (run.timed_out ? ", out of time\n" : "\n")
                 << run.err;
        RC_ASSERT(!run.timed_out);
        RC_ASSERT(run.code >= 0);
        RC_ASSERT(run.code <= 7);
        RC_ASSERT((run.code == 0 || run.err.ends_with('\n')));
        RC_ASSERT(left_behind(session.folder).empty());
        session.refused += run.code != 0;
    });
}

}  // namespace lockstep::model
