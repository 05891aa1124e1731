// The environment of a program: closed and unusual descriptors, ignored signals, inherited variables, links,
// pipes, devices, and other programs on the same files.
#include <fmt/format.h>

#include "cli_support.hpp"

using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

const std::string program_prefix = std::string(LOCKSTEP_BINARIES) + "/lockstep-";

/// Ratings and their schedule in a folder, in which shell scripts run with the programs on PATH.
struct ShellPlace {
    TemporaryFolder folder, cache;
    ShellPlace() {
        done("lockstep-generate ratings --users 60 --items 40 --edges 600 --max-degree 40 -q -o",
             name("r.txt"));
        done("lockstep-preprocess", name("r.txt"), "-o", name("r.h5"), "-q");
    }
    std::string name(const std::string& leaf) const { return (folder / leaf).string(); }
    ProgramResult shell(const std::string& script) const {
        return run_program(
            "/bin/bash -c",
            fmt::format("cd '{}'; export PATH='{}':$PATH LOCKSTEP_CACHE='{}'\n{}", folder.path().string(),
                        LOCKSTEP_BINARIES, cache.path().string(), script));
    }
    /// Returns the output of a script, which must succeed.
    std::string out(const std::string& script) const {
        const ProgramResult result = shell(script);
        INFO(result.err);
        CHECK(result.code == 0);
        return result.out;
    }
};

const std::string sgd_run = "lockstep-execute r.h5 --strategy agm-e --device cpu ";

}  // namespace

TEST_CASE("with closed standard descriptors nothing goes into the files of a run", "[surroundings]") {
    const ShellPlace p;
    for (const char* closed : {"2>&-", ">&-", "<&- >&- 2>&-", "<&-"}) {
        INFO(closed);
        const std::string script =
            fmt::format("{} --sweeps 2 --record r.jsonl {}; echo $? >&2", sgd_run, closed);
        CHECK(p.shell(script).err.ends_with("0\n"));
        for (const char* line : {"grep -c '^{' r.jsonl", "wc -l < r.jsonl"})
            CHECK(p.out(line) == p.out("grep -c '' r.jsonl"));
    }
    CHECK_THAT(p.out("lockstep-report r.jsonl --json"), Catch::Contains("\"runs\""));
    CHECK(p.out("lockstep-train r.txt -m m.h5 --device cpu --sweeps 2 --record t.jsonl >&- 2>&-; "
                "grep -vc '^{' t.jsonl || true") == "0\n");
}

TEST_CASE("an ignored signal stays ignored, and SIGHUP leaves a partial model", "[surroundings]") {
    const ShellPlace p;
    const std::string endless = sgd_run + "--sweeps 100000000 --model m.h5 --record r.jsonl -q >/dev/null",
                      sweeps = "until grep -qs '\"sweep\"' r.jsonl; do sleep 0.05; done; ";
    const auto ended = [&](const std::string& before, const std::string& kill) {
        fs::remove(p.folder / "r.jsonl");
        return p.out(fmt::format("{} {} & p=$!; {} {}; wait $p; echo $?", before, endless, sweeps, kill));
    };
    // A shell ignores SIGINT for commands that it starts with &.
    CHECK(ended("", "kill -INT $p; sleep 0.3; kill -TERM $p") == "143\n");
    CHECK(ended("trap '' HUP;", "kill -HUP $p; sleep 0.3; kill -TERM $p") == "143\n");
    fs::remove(p.folder / "m.partial.h5");
    CHECK(ended("", "kill -HUP $p") == "129\n");
    CHECK(fs::exists(p.folder / "m.partial.h5"));
}

TEST_CASE("a signal received before main gives the exit code of the signal", "[surroundings]") {
    const ShellPlace p;
    // The signal is pending when the program is loaded, and the program restarts itself once.
    write_file(
        p.folder / "early.py",
        "import os, signal, subprocess, sys\n"
        "def pending():\n"
        "    signal.pthread_sigmask(signal.SIG_BLOCK, [signum])\n"
        "    os.kill(os.getpid(), signum)\n"
        "for signum in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):\n"
        "    ended = subprocess.run(sys.argv[1:], preexec_fn=pending, capture_output=True)\n"
        "    print(ended.returncode, ended.stdout == b'', ended.stderr.endswith(b': interrupted\\n'))\n");
    for (const char* command :
         {"lockstep-inspect r.h5", "lockstep-preprocess r.txt -o o.h5", "lockstep-verify r.h5",
          "lockstep-train r.txt -m m.h5", "lockstep-generate star --vertices 5"}) {
        INFO(command);
        for (const char* environment : {"", "GOMP_SPINCOUNT=0 "})
            CHECK(p.out(std::string(environment) + "python3 early.py " + command) ==
                  "129 True True\n130 True True\n143 True True\n");
    }
    CHECK_FALSE(fs::exists(p.folder / "o.h5"));
}

TEST_CASE("what a pipe that does not block cannot take at once is written later", "[surroundings]") {
    const ShellPlace p;
    const std::string python =
        "import fcntl, os, subprocess, sys, time\n"
        "r, w = os.pipe()\n"
        "fcntl.fcntl(w, fcntl.F_SETFL, fcntl.fcntl(w, fcntl.F_GETFL) | os.O_NONBLOCK)\n"
        "p = subprocess.Popen(sys.argv[1:], stdout=w)\n"
        "os.close(w)\n"
        "time.sleep(0.3)\n"
        "lines = 0\n"
        "while b := os.read(r, 1 << 16): lines += b.count(b'\\n')\n"
        "print(p.wait(), lines)\n";
    write_file(p.folder / "slow.py", python);
    CHECK(p.out("python3 slow.py lockstep-generate chain --vertices 200000 -q -o -") == "0 199999\n");
    CHECK(p.out("python3 slow.py " + sgd_run + "--sweeps 2000 --evaluate-every 1000 --record -") ==
          "0 2002\n");
}

TEST_CASE("variables that a process of mpirun hands on silence no error", "[surroundings]") {
    const ShellPlace p;
    for (const char* variables : {"OMPI_COMM_WORLD_SIZE=2 OMPI_COMM_WORLD_RANK=1", "PMI_SIZE=2 PMI_RANK=1"}) {
        INFO(variables);
        const auto said = [&](const std::string& command) {
            return p.shell(std::string(variables) + " " + command);
        };
        CHECK(said("lockstep-execute none.h5 --strategy agm-e").err.starts_with("lockstep-execute: "));
        CHECK_THAT(said("lockstep-execute --nonsense").err, Catch::Contains("--nonsense"));
        const ProgramResult train = said("lockstep-train r.txt -m m.h5");
        CHECK(train.code == 2);
        CHECK_THAT(train.err, Catch::Contains("unset OMPI_COMM_WORLD_SIZE and PMI_SIZE"));
        CHECK_THAT(said("lockstep-inspect r.h5").out, Catch::Contains("Graph"));
    }
}

TEST_CASE("runs that append to one record wait for each other, and each line says its run",
          "[surroundings]") {
    const ShellPlace p;
    const std::string err = p.shell("for i in 1 2 3 4; do " + sgd_run +
                                    "--sweeps 3 --seed $i --record r.jsonl > /dev/null & done; wait")
                                .err;
    p.out("lockstep-report r.jsonl");
    CHECK(p.out("cut -d, -f2 r.jsonl | sort | uniq -c | awk '{print $1}'") == "5\n5\n5\n5\n");
    // A run waits for the holder of the lock, until a signal arrives.
    const std::string waits =
        "exec 9>>r.jsonl; flock 9; { " + sgd_run +
        "--sweeps 3 --record r.jsonl 2> err & p=$!; "
        "until grep -q waiting err; do sleep 0.05; done; kill -TERM $p; wait $p; echo $?; } 9>&-";
    CHECK(p.out(waits) == "143\n");
    CHECK_THAT(read_file(p.folder / "err"),
               Catch::Contains("waiting for another program, which has locked r.jsonl"));
}

TEST_CASE("programs that add to one schedule file at once all add", "[surroundings]") {
    const ShellPlace p;
    p.out("for s in diag sgm shuffle degree; do lockstep-preprocess r.h5 -o ./r.h5 -s $s -q & done; wait");
    const std::string listed = p.out("lockstep-verify r.h5");
    for (const char* schedule : {"agm-e", "diag", "sgm", "shuffle", "degree"})
        CHECK_THAT(listed, Catch::Contains(schedule));
    CHECK(p.out("ls -A") == "r.h5\nr.txt\n");
}

TEST_CASE("an output that appears while the program runs is not replaced", "[surroundings]") {
    const ShellPlace p;
    // The input is a FIFO, so that the output appears after the program has checked it.
    const auto appears = [&](const std::string& made, const std::string& more) {
        return p.shell("rm -f in out.h5; mkfifo in; lockstep-preprocess in -o out.h5 -q " + more +
                       " & exec 9> in; sleep 0.3; " + made + " out.h5; cat r.txt >&9; exec 9>&-; wait $!");
    };
    const ProgramResult kept = appears("echo mine >", "");
    CHECK(kept.code == 6);
    CHECK_THAT(kept.err,
               Catch::Contains("out.h5: was created while the program ran and is not a schedule file"));
    CHECK(read_file(p.folder / "out.h5") == "mine\n");
    CHECK(appears("echo mine >", "--force").code == 0);
    CHECK(appears("cp r.h5", "").code == 0);  // an earlier result
    CHECK(p.out("rm in; ls -A") == "out.h5\nr.h5\nr.txt\n");
}

TEST_CASE("outputs may be dangling links and have long names, and have one", "[surroundings]") {
    const ShellPlace p;
    CHECK(p.out("mkdir there; ln -s there/made.h5 link.h5; lockstep-preprocess r.txt -o link.h5 -q; "
                "readlink link.h5; ls there") == "there/made.h5\nmade.h5\n");
    const std::string longest(240, 'n');
    p.out("lockstep-preprocess r.txt -o " + longest + ".h5 -q; lockstep-verify " + longest +
          ".h5; "
          "lockstep-preprocess " +
          longest + ".h5 -o " + longest + ".h5 -s sgm -q");
    for (const char* command : {"lockstep-preprocess r.txt -o ''", "lockstep-train r.txt -m ''",
                                "lockstep-generate star --vertices 5 -o ''"}) {
        const ProgramResult result = p.shell(command);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Catch::Contains("has an empty name"));
    }
}

TEST_CASE("endless zeros and pipes in the cache hold nothing up", "[surroundings]") {
    const ShellPlace p;
    for (const char* device : {"/dev/zero", "/dev/full"}) {
        for (const char* command :
             {"lockstep-preprocess {} -o o.h5", "lockstep-report {}", "lockstep-inspect {}",
              "lockstep-execute {} --strategy agm-e", "lockstep-predict {} --top 1",
              "lockstep-recommend {} --device cpu --probe {}", "lockstep-verify {}"}) {
            const ProgramResult result = p.shell("ulimit -v 4000000; timeout 20 " +
                                                 fmt::format(fmt::runtime(command), device, device));
            INFO(command << " " << device << ": " << result.err);
            CHECK(result.code == 4);
        }
    }
    CHECK(p.out("rm -f $LOCKSTEP_CACHE/proved; mkfifo $LOCKSTEP_CACHE/proved; timeout 20 " + sgd_run +
                "--sweeps 1 -q >/dev/null; echo $?") == "0\n");
}

TEST_CASE("programs that read HDF5 files use no memory after they have freed it", "[surroundings]") {
    const ShellPlace p;
    p.out("cp r.h5 copy.h5; lockstep-train r.txt -m m.h5 --strategy agm-e --device cpu --sweeps 2 -q");
    // With these variables both allocators overwrite freed memory; the programs use jemalloc if it was found.
    for (const std::string command :
         {"inspect r.h5", "verify r.h5", "preprocess copy.h5 -o copy.h5 -s diag -q",
          "predict m.h5 --top 1 -q", "execute r.h5 --strategy agm-e --sweeps 1 --device cpu -q",
          "recommend r.h5 --device cpu",
          "train r.h5 -m m.h5 --strategy agm-e --device cpu --sweeps 1 -q --force"}) {
        const ProgramResult result = p.shell("MALLOC_CONF=junk:true MALLOC_PERTURB_=165 lockstep-" + command);
        INFO(command << ": " << result.err);
        CHECK(result.code == 0);
    }
}

TEST_CASE("options of reading are refused where the input is a schedule file", "[surroundings]") {
    const ShellPlace p;
    for (const char* option : {"--undirected", "--shape square", "--repeats refuse", "--value-column none",
                               "--nonnegative", "--header yes", "--no-input-order"}) {
        INFO(option);
        refused("r.h5 is a schedule file, which contains the graph as it was read", "lockstep-preprocess",
                p.name("r.h5"), "-o", p.name("o.h5"), option);
    }
    refused("--shape: ", "lockstep-train", p.name("r.h5"), "-m", p.name("m.h5"), "--shape square");
    refused("--shape: ", "lockstep-recommend", p.name("r.h5"), "--shape square");
    CHECK_FALSE(fs::exists(p.name("o.h5")));
    done("lockstep-preprocess", p.name("r.h5"), "-o", p.name("o.h5"), "--memory 8G -q");
}
