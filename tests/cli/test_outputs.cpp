// Files that programs write, files that they never overwrite (inputs, files of others, good results), and
// files that they leave behind.
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli_support.hpp"

using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

/// Ratings, their schedules, a model and a record in a folder.
struct OutputPlace {
    TemporaryFolder folder;
    std::string text = name("r.txt"), file = name("r.h5"), model = name("m.h5"), record = name("runs.jsonl");
    OutputPlace() {
        done("lockstep-generate ratings --users 60 --items 40 --edges 600 --max-degree 40 -o", text);
        done("lockstep-preprocess", text, "-o", file, "-q");
        REQUIRE(execute("--model", model, "--record", record).code == 0);
    }
    std::string name(const std::string& leaf) const { return (folder / leaf).string(); }
    ProgramResult execute(const auto&... more) const {
        return run_program("lockstep-execute", file, "--strategy agm-e --device cpu --sweeps 2 -q", more...);
    }
};

/// Checks that a command is refused with these words, and that the file is unchanged.
void keeps(const std::string& path, const std::string& words, const auto&... command) {
    const std::string before = read_file(path);
    refused(words, command...);
    CHECK(read_file(path) == before);
}

std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    return names;
}

}  // namespace

TEST_CASE("an output that is an input of the run is refused, through links too", "[outputs]") {
    const OutputPlace p;
    fs::create_symlink("r.h5", p.folder / "soft.h5");
    fs::create_hard_link(p.file, p.folder / "hard.h5");
    const std::string overwrite = "would overwrite the input";
    for (const auto& name : {p.file, p.name("soft.h5"), p.name("hard.h5"), p.name("./r.h5")}) {
        keeps(p.file, overwrite, "lockstep-execute", p.file, "--strategy agm-e --model", name);
        keeps(p.file, overwrite, "lockstep-execute", p.file, "--strategy agm-e --model", name, "--force");
        keeps(p.file, overwrite, "lockstep-execute", p.file, "--strategy agm-e --record", name);
    }
    keeps(p.text, overwrite, "lockstep-preprocess", p.text, "-o", p.text, "--force");
    keeps(p.record, overwrite, "lockstep-report", p.record, "--csv", p.record);
    keeps(p.record, overwrite, "lockstep-report", p.record, "--html", p.record, "--force");
    write_file(p.folder / "pairs.txt", "1 1\n");
    keeps(p.name("pairs.txt"), overwrite, "lockstep-predict", p.model, "--pairs", p.name("pairs.txt"), "-o",
          p.name("pairs.txt"));
    keeps(p.model, overwrite, "lockstep-predict", p.model, "--top 1 -o", p.model, "--force");
    // The file that an interrupted run would write is an output of the run, too.
    fs::copy_file(p.file, p.folder / "x.partial.h5");
    keeps(p.name("x.partial.h5"), overwrite, "lockstep-execute", p.name("x.partial.h5"),
          "--strategy agm-e --model", p.name("x.h5"));
    const auto both = p.execute("--model", p.name("new"), "--record", p.name("new"));
    CHECK(both.code == 2);
    CHECK(both.err.find("would both write") != std::string::npos);
}

TEST_CASE("a file that Lockstep did not write is replaced with --force alone", "[outputs]") {
    const OutputPlace p;
    const std::string notes = p.name("notes");
    write_file(notes, "what I must not lose\n");
    const std::string there = "exists already";
    keeps(notes, there, "lockstep-preprocess", p.text, "-o", notes);
    keeps(notes, there, "lockstep-execute", p.file, "--strategy agm-e --model", notes);
    keeps(notes, "nothing is appended", "lockstep-execute", p.file, "--strategy agm-e --record", notes);
    keeps(notes, there, "lockstep-generate star --vertices 5 -o", notes);
    keeps(notes, there, "lockstep-predict", p.model, "--top 1 -o", notes);
    keeps(notes, there, "lockstep-report", p.record, "--html", notes);
    keeps(notes, there, "lockstep-report", p.record, "--csv", notes);
    keeps(notes, there, "lockstep-probe --device cpu -o", notes);
    // A file of Lockstep of another kind is not an earlier result.
    keeps(p.model, "is not a schedule file", "lockstep-preprocess", p.text, "-o", p.model);
    done("lockstep-generate star --vertices 5 -o", notes, "--force");
    CHECK(read_file(notes) != "what I must not lose\n");
}

TEST_CASE("an earlier result of the same kind is replaced, and an empty file", "[outputs]") {
    const OutputPlace p;
    done("lockstep-preprocess", p.text, "-o", p.file);
    done("lockstep-preprocess", p.file, "-o", p.file, "-s sgm");  // adds a schedule to the file
    CHECK(p.execute("--model", p.model, "--record", p.record).code == 0);
    for (int i = 0; i < 2; ++i) {
        done("lockstep-report", p.record, "--html", p.name("r.html"), "--csv", p.name("r.csv"));
        done("lockstep-predict", p.model, "--top 1 --json -o", p.name("top.json"));
    }
    write_file(p.folder / "empty", "");
    done("lockstep-predict", p.model, "--top 1 -o", p.name("empty"));
    CHECK(fs::file_size(p.folder / "empty") > 0);
}

TEST_CASE("outputs are checked before the work", "[outputs]") {
    const OutputPlace p;
    const std::string record = p.name("new.jsonl");
    const auto late = p.execute("--record", record, "--model", p.name("no/such/m.h5"));
    INFO(late.err);
    CHECK(late.code == 6);
    CHECK(late.err.find("there is no folder") != std::string::npos);
    CHECK_FALSE(fs::exists(record));  // no run began
    CHECK(p.execute("--model", p.folder.path()).code == 6);
    // Also if the input is missing, which would be exit code 4.
    CHECK(run_program("lockstep-preprocess", p.name("absent"), "-o", p.name("no/r.h5")).code == 6);
    CHECK(run_program("lockstep-predict", p.name("absent.h5"), "--top 1 -o", p.name("no/x")).code == 6);
    CHECK(run_program("lockstep-report", p.name("absent"), "--html", p.name("no/x.html")).code == 6);
    CHECK(run_program("lockstep-generate star --vertices 9 -o", p.name("no/x")).code == 6);
    CHECK(run_program("lockstep-probe --device cpu -o", p.name("no/x")).code == 6);
}

TEST_CASE("a dash is standard output for text, and refused for HDF5", "[outputs]") {
    const OutputPlace p;
    refused("cannot be written to standard output", "lockstep-preprocess", p.text, "-o -");
    refused("cannot be written to standard output", "lockstep-execute", p.file, "--strategy agm-e --model -");
    refused("cannot be read from standard input", "lockstep-execute - --strategy agm-e");
    refused("cannot be read from standard input", "lockstep-predict - --top 1");
    refused("cannot be read from standard input", "lockstep-verify -");
    refused("both write to standard output", "lockstep-report", p.record, "--html - --csv -");
    refused("both write to standard output", "lockstep-report", p.record, "--html - --json");
    refused("both write to standard output", "lockstep-execute", p.file,
            "--strategy agm-e --record - --json");
    const auto record = p.execute("--record -");
    CHECK(record.code == 0);
    CHECK(record.out.starts_with("{\"record\":\"run\""));
    CHECK(std::count(record.out.begin(), record.out.end(), '\n') == 4);  // and no other output
    CHECK(run_program("lockstep-report", p.record, "--html -").out.starts_with("<!DOCTYPE html>"));
    for (const auto& name : names_in(fs::current_path())) CHECK(name != "-");
}

TEST_CASE("an interrupted run leaves the model that was there and writes beside it", "[outputs]") {
    const OutputPlace p;
    const std::string before = read_file(p.model),
                      program = std::string(LOCKSTEP_BINARIES) + "/lockstep-execute",
                      record = p.name("long.jsonl"), errors = p.name("errors");
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), 1);
        dup2(open(errors.c_str(), O_WRONLY | O_CREAT, 0600), 2);
        execl(program.c_str(), program.c_str(), p.file.c_str(), "--strategy", "agm-e", "--device", "cpu",
              "--sweeps", "100000000", "--model", p.model.c_str(), "--record", record.c_str(),
              static_cast<char*>(nullptr));
        _exit(127);
    }
    while (!fs::exists(record) || read_file(record).find("\"sweep\"") == std::string::npos) usleep(10000);
    kill(child, SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 143);
    CHECK(read_file(p.model) == before);
    CHECK(fs::exists(p.folder / "m.partial.h5"));
    CHECK(read_file(errors).find("m.partial.h5") != std::string::npos);
    done("lockstep-predict", p.name("m.partial.h5"), "--top 1");
}

TEST_CASE("temporary files of runs that are gone are removed, those of running ones are not", "[outputs]") {
    const OutputPlace p;
    const fs::path gone = p.folder / ".m.h5.lockstep-tmp-1-0", running = p.folder / ".m.h5.lockstep-tmp-1-1",
                   foreign = p.folder / ".m.h5.tmp";
    for (const auto& path : {gone, running, foreign}) write_file(path, "half");
    const int file = open(running.c_str(), O_RDONLY);
    REQUIRE(flock(file, LOCK_EX) == 0);
    CHECK(p.execute("--model", p.model).code == 0);
    CHECK_FALSE(fs::exists(gone));
    CHECK(fs::exists(running));
    CHECK(fs::exists(foreign));
    close(file);
    CHECK(p.execute("--model", p.model).code == 0);
    CHECK_FALSE(fs::exists(running));
}

TEST_CASE("many runs that write one file at once tidy up without taking each other's", "[outputs]") {
    const OutputPlace p;
    const std::string program = std::string(LOCKSTEP_BINARIES) + "/lockstep-predict",
                      out = p.name("top.json");
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        children.push_back(fork());
        if (children.back() == 0) {
            dup2(open("/dev/null", O_WRONLY), 2);
            execl(program.c_str(), program.c_str(), p.model.c_str(), "--top", "3", "--json", "-o",
                  out.c_str(), static_cast<char*>(nullptr));
            _exit(127);
        }
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    for (const auto& name : names_in(p.folder.path())) CHECK(name.find("lockstep-tmp") == std::string::npos);
}
