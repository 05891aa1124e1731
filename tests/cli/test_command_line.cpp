// The command line of every program: bounds, names, help, destinations of output, and text made safe for
// terminals.
#include <pty.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "cli_support.hpp"

using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

const std::string bin = LOCKSTEP_BINARIES;

struct CommandLineFixture {
    TemporaryFolder folder;
    std::string text = (folder / "r.txt").string(), file = (folder / "r.h5").string();
    CommandLineFixture() {
        done("lockstep-generate ratings --users 60 --items 40 --edges 600 --max-degree 40 -o", text);
        done("lockstep-preprocess", text, "-o", file, "-q");
    }
};

/// Runs a shell command. Returns its output and its exit code.
std::pair<std::string, int> shell(const std::string& command) {
    FILE* const pipe = popen(("PATH='" + bin + "':$PATH; " + command).c_str(), "r");
    REQUIRE(pipe);
    std::string text;
    for (int c; (c = fgetc(pipe)) != EOF;) text += static_cast<char>(c);
    const int status = pclose(pipe);
    return {text, WEXITSTATUS(status)};
}

}  // namespace

TEST_CASE("numbers out of their bounds are refused with option and bounds", "[options]") {
    const CommandLineFixture p;
    const auto execute = [&](const std::string& option, const std::string& value, const std::string& words) {
        refused(words, "lockstep-execute", p.file, "--strategy agm-e", option, value);
    };
    execute("--sweeps", "-1", "--sweeps must be 0 to 1000000000, not -1");
    execute("--rank", "-3", "--rank must be 1 to 256, not -3");
    execute("--seed", "-1", "--seed must be 0 to 18446744073709551615, not -1");
    execute("--evaluate-every", "-1", "--evaluate-every must be 1 to");
    execute("--threads", "100000", "--threads must be 0 to 1024, not 100000");
    execute("--learning-rate", "nan", "--learning-rate must be 0 to");
    execute("--sweeps", "3x", "not 3x");
    // Boost would replace these placeholders in its messages without end.
    execute("--sweeps", "%value%", "--sweeps: the option or its value cannot be right");
    execute("--device", "%canonical_option%%value%", "--device: the option or its value cannot be right");
    execute("--early-stop", "-1", "--early-stop must be");
    execute("--gpus", "99999999999", "--gpus must be 1 to");
    refused("--rank must be 1 to 256, not -3", "lockstep-execute", p.file, "--strategy agm-e --rank=-3");
    refused("--iterations must be 1 to", "lockstep-execute", p.file,
            "--app pagerank --strategy pull --iterations -1");
    const auto preprocess = [&](const std::string& option, const std::string& value,
                                const std::string& words) {
        refused(words, "lockstep-preprocess", p.text, "-o", p.folder / "x.h5", "-s all", option, value);
    };
    preprocess("--workers", "-1", "--workers must be 1 to 4294967294, not -1");
    preprocess("--block", "-1x5", "--block requires ROWSxCOLUMNS");
    preprocess("--block", "5x", "--block requires ROWSxCOLUMNS");
    preprocess("--on-chip", "0", "--on-chip must be 1 to");
    preprocess("--item-blocks", "4000000000", "--item-blocks 4000000000: the graph has 40 items");
    preprocess("--groups", "1000000", "--groups 1000000: the graph has 40");
    preprocess("--user-blocks", "4000000000", "the graph has 60 users");
    preprocess("--seed", "-1", "--seed must be");
    refused("--workers must be 1 to", "lockstep-inspect", p.file, "--workers -1");
    refused("--top must be 1 to", "lockstep-predict m.h5 --top -1");
    refused("--rank must be 1 to 256", "lockstep-probe --rank -1");
    refused("--sweeps must be 1 to", "lockstep-recommend", p.file, "--sweeps -1");
    refused("--vertices must be 1 to", "lockstep-generate star --vertices -1 -o -");
    CHECK_FALSE(fs::exists(p.folder / "x.h5"));
}

TEST_CASE("an environment of too many threads is refused, not crashed on", "[options]") {
    const CommandLineFixture p;
    const auto [text, code] = shell("OMP_NUM_THREADS=100000 lockstep-preprocess '" + p.text + "' -o '" +
                                    (p.folder / "x.h5").string() + "' 2>&1");
    CHECK(code == 2);
    CHECK(text.find("OMP_NUM_THREADS must be 1 to 1024, not 100000") != std::string::npos);
}

TEST_CASE("threads that wait do not spin, whatever the environment", "[options]") {
    // libgomp prints the settings that it uses.
    const std::string said = "OMP_DISPLAY_ENV=VERBOSE lockstep-verify --version 2>&1";
    const auto spins = [&](const std::string& environment, const std::string& count) {
        const std::string text = shell("unset GOMP_SPINCOUNT OMP_WAIT_POLICY; " + environment + said).first;
        INFO(text);
        const auto at = text.rfind("GOMP_SPINCOUNT = '");
        REQUIRE(at != std::string::npos);
        CHECK_THAT(text.substr(at), Catch::StartsWith("GOMP_SPINCOUNT = '" + count + "'"));
    };
    spins("", "1000");
    spins("OMP_WAIT_POLICY=active ", "1000");
    spins("GOMP_SPINCOUNT=7 ", "7");  // an explicit setting is kept
}

TEST_CASE("a wrong name is answered with the one that was meant", "[options]") {
    const CommandLineFixture p;
    refused("did you mean sgm?", "lockstep-execute", p.file, "--strategy sgn");
    refused("did you mean --regularisation?", "lockstep-execute", p.file,
            "--strategy agm-e --regularization 1");
    refused("did you mean --sweeps?", "lockstep-execute", p.file, "--strategy agm-e --Sweeps 1");
    refused("one of auto, cpu, cuda, reference, not tpu", "lockstep-execute", p.file,
            "--strategy agm-e --device tpu");
    refused("pull is a strategy of pagerank, bp, kcore, not of sgd; give --app pagerank or bp or kcore",
            "lockstep-execute", p.file, "--strategy pull");
    refused("all is a strategy of sgd, update, springs, not of bfs; give --app sgd or update or springs",
            "lockstep-execute", p.file, "--app bfs --strategy all");
    refused("did you mean pagerank?", "lockstep-execute", p.file, "--app page-rank --strategy pull");
    refused("unexpected argument sgm; did you mean --strategy sgm?", "lockstep-execute", p.file, "sgm");
    refused("did you mean --verbose?", "lockstep-inspect", p.file, "verbos");
    refused("did you mean agm-e?", "lockstep-preprocess", p.text, "-o x.h5 --schedule agm-f");
    refused("did you mean matrix-market?", "lockstep-preprocess", p.text, "-o x.h5 --format matrix-markt");
    refused("did you mean first?", "lockstep-preprocess", p.text, "-o x.h5 --repeats frst");
    refused("did you mean h200?", "lockstep-recommend", p.text, "--device h20");
    refused("", "lockstep-probe cpu");
    refused("did you mean ratings?", "lockstep-generate ratinsg -o -");
}

TEST_CASE("capitals and blanks after commas are understood", "[options]") {
    const CommandLineFixture p;
    const std::string out = (p.folder / "x.h5").string();
    for (const std::vector<std::string>& list : {std::vector<std::string>{"AGM-E,", "Sgm"},
                                                 {"agm-e", ",sgm"},
                                                 {"agm-e, sgm"},
                                                 {"agm-e", "-s", "sgm"}}) {
        CHECK(parsed("lockstep-preprocess", p.text, "-o", out, "--json -s", list)["schedules"].size() == 2);
    }
    done("lockstep-execute", out, "--strategy SGM --device CPU --sweeps 1");
}

TEST_CASE("no sweeps at all: the errors of the initial factors", "[options]") {
    const CommandLineFixture p;
    const auto result = done("lockstep-execute", p.file, "--strategy agm-e --device cpu --sweeps 0");
    CHECK(result.out.starts_with("agm-e: 0 sweeps: the initial factors, RMSE "));
}

TEST_CASE("quiet programs write nothing but what was asked for", "[options]") {
    const CommandLineFixture p;
    const auto quiet = [&](const std::string& program, const std::vector<std::string>& arguments,
                           bool result) {
        const auto run = run_program("lockstep-" + program, arguments, "--quiet");
        INFO(program << ": " << run.out << run.err);
        CHECK(run.code == 0);
        CHECK(run.err.empty());
        CHECK(run.out.empty() != result);
    };
    const std::string model = (p.folder / "m.h5").string(), record = (p.folder / "r.jsonl").string();
    quiet("generate", {"star", "--vertices", "5", "-o", (p.folder / "s.txt").string()}, false);
    quiet("generate", {"star", "--vertices", "5", "-o", "-"}, true);
    quiet("preprocess", {p.text, "-o", p.file}, false);
    quiet("preprocess", {p.text, "-o", p.file, "--json"}, true);
    quiet("execute", {p.file, "--strategy", "el", "--sweeps", "1", "--model", model, "--record", record},
          true);
    quiet("execute", {p.file, "--strategy", "el", "--sweeps", "1", "--json"}, true);
    quiet("predict", {model, "--top", "1", "-o", (p.folder / "top.txt").string()}, false);
    quiet("predict", {model, "--top", "1"}, true);
    quiet("report", {record, "--csv", (p.folder / "r.csv").string()}, false);
    quiet("report", {record}, true);
    quiet("inspect", {p.file}, true);
    quiet("verify", {p.file}, true);
}

TEST_CASE("a reader of standard output that goes away is no error to speak of", "[options]") {
    const CommandLineFixture p;
    for (const std::string command :
         {"lockstep-generate uniform --users 3000 --items 3000 --edges 300000 -o -",
          "lockstep-execute --help", "lockstep-report --help-all"}) {
        // The reader of the pipe ends before a byte is written.
        shell("bash -c '(sleep 0.3; " + command + " 2>\"" + (p.folder / "err").string() + "\"; echo $? >\"" +
              (p.folder / "code").string() + "\") | true; while [ ! -s \"" + (p.folder / "code").string() +
              "\" ]; do sleep 0.05; done'");
        INFO(command);
        CHECK(read_file(p.folder / "err").empty());
        CHECK(read_file(p.folder / "code") == "141\n");
        fs::remove(p.folder / "code");
    }
}

TEST_CASE("escape codes of names never reach a terminal, and JSON stays UTF-8", "[options]") {
    const CommandLineFixture p;
    const std::string evil = "\x1b]0;owned\x07\xff\xc2\x9b";
    for (const char* program :
         {"lockstep-inspect", "lockstep-verify", "lockstep-recommend", "lockstep-report"}) {
        const auto result = run_program(program, p.folder / evil);
        INFO(program);
        CHECK(result.code == 4);
        CHECK(result.err.find('\x1b') == std::string::npos);
        CHECK(result.err.find("\\x1b]0;owned\\x07\\xff\\xc2\\x9b") != std::string::npos);
    }
    fs::copy_file(p.text, p.folder / evil);
    const auto made = done("lockstep-preprocess", p.folder / evil, "-o", p.file, "--json");
    CHECK(made.err.find('\x1b') == std::string::npos);
    CHECK_NOTHROW(nlohmann::json::parse(made.out));
    for (const char* form : {"", "--json"}) {
        const auto shown = done("lockstep-inspect", p.file, form);
        CHECK(shown.out.find('\x1b') == std::string::npos);
        CHECK(shown.out.find("\xc2\x9b") == std::string::npos);
        if (*form) CHECK_NOTHROW(nlohmann::json::parse(shown.out));
    }
}

TEST_CASE("a terminal shows the progress of a long run", "[options]") {
    const CommandLineFixture p;
    int terminal = -1;
    const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
    REQUIRE(child >= 0);
    if (child == 0) {
        execl((bin + "/lockstep-execute").c_str(), "lockstep-execute", p.file.c_str(), "--strategy", "agm-e",
              "--device", "cpu", "--sweeps", "100000000", static_cast<char*>(nullptr));
        _exit(127);
    }
    std::string text;
    char buffer[4096];
    for (ssize_t size;
         text.find(" s left") == std::string::npos && (size = read(terminal, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(size));
    kill(child, SIGTERM);
    while (read(terminal, buffer, sizeof buffer) > 0) {
    }
    int status = 0;
    waitpid(child, &status, 0);
    close(terminal);
    CHECK(text.find("agm-e: 0 % (") != std::string::npos);
    CHECK(text.find(" of 100,000,000), RMSE ") != std::string::npos);
}

TEST_CASE("bash completes options, names of lists and files", "[options]") {
    const auto completed = [](const std::string& words) {
        const auto [text, code] =
            shell("bash -c 'source \"" LOCKSTEP_TOOLS "/completion.bash\"; COMP_WORDS=(" + words +
                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _lockstep ${COMP_WORDS[0]}; echo \" "
                  "${COMPREPLY[*]} \"'");
        CHECK(code == 0);
        return text;
    };
    CHECK(completed("lockstep-execute --sw").find(" --sweeps ") != std::string::npos);
    CHECK(completed("lockstep-execute r.h5 --strategy hog").find(" hogwild hogwild-blocked ") !=
          std::string::npos);
    CHECK(completed("lockstep-execute r.h5 --strategy edge-t").find(" edge-tiled ") != std::string::npos);
    CHECK(completed("lockstep-execute r.h5 --app p").find(" pagerank ") != std::string::npos);
    CHECK(completed("lockstep-preprocess r.txt -s ag").find(" agm-e agm-n ") != std::string::npos);
    CHECK(completed("lockstep-preprocess r.txt --schedule sgm,blk").find(" sgm,blkdiag ") !=
          std::string::npos);
    CHECK(completed("lockstep-probe --device c").find(" cpu cuda ") != std::string::npos);
}
