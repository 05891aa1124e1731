// lockstep-execute as several processes under mpirun: results bitwise identical to those of one process, for
// SGD and for applications on arcs; refusals. If a process fails, lacks the file or is killed, all processes
// end with one message, and no partial file is left.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "cli_support.hpp"

using namespace lockstep;

namespace {

/// Lets Open MPI run as root, with more processes than cores, only on this host; Intel MPI and MPICH ignore
/// these variables.
void prepare_mpi() {
    for (const auto& [name, value] : {std::pair{"OMPI_ALLOW_RUN_AS_ROOT", "1"},
                                      {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"},
                                      {"OMPI_MCA_rmaps_base_oversubscribe", "1"},
                                      {"OMPI_MCA_hwloc_base_binding_policy", "none"},
                                      {"OMPI_MCA_plm", "isolated"},
                                      {"OMPI_MCA_btl", "self,vader"},
                                      {"OMPI_MCA_btl_vader_single_copy_mechanism", "none"},
                                      {"ASAN_OPTIONS", "detect_leaks=0"},  // leaks of Open MPI itself
                                      {"OMP_NUM_THREADS", "1"}})
        setenv(name, value, 1);
}

const std::string program = std::string(LOCKSTEP_BINARIES) + "/lockstep-execute";

/// A schedule with four groups, and runs on it with several processes.
class Together {
public:
    Together() {
        prepare_mpi();
        test::done("lockstep-generate ratings --users 300 --items 120 --edges 6000 --max-degree 200 -q -o",
                   here("r.txt"));
        test::done("lockstep-preprocess", here("r.txt"), "-o", here("r.h5"),
                   "--schedule tiled --gpus 4 --item-blocks 2 --user-blocks 6 -q");
    }
    std::string here(const std::string& name) const { return (folder_ / name).string(); }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
            names.push_back(entry.path().filename());
        std::ranges::sort(names);
        return names;
    }
    /// Returns a command prefix for a program in which this folder's disk appears full.
    std::vector<std::string> full_disk() const {
        return {"env",
                std::string("LD_PRELOAD=") + LOCKSTEP_FAILING_CALLS,
                "FAILING_FUNCTION=write",
                "FAILING_ERROR=28",
                "FAILING_ON=1",
                "FAILING_CALL=1",
                "FAILING_FOLDER=" + here("")};
    }
    /// Runs mpirun with these arguments.
    template <class... Parts>
    static test::ProgramResult mpirun(const Parts&... words) {
#if defined(LOCKSTEP_MPIEXEC)
        return test::run_program(std::string(LOCKSTEP_MPIEXEC), words...);
#else
        return test::run_program("lockstep-execute", words...);
#endif
    }

private:
    test::TemporaryFolder folder_;
};

/// Returns our own lines of standard error; mpirun adds some.
std::vector<std::string> messages(const test::ProgramResult& result) {
    std::vector<std::string> found;
    std::istringstream lines(result.err);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("lockstep-")) found.push_back(line);
    }
    return found;
}
void check_message(const test::ProgramResult& result, int code, const std::string& words) {
    INFO(result.err);
    CHECK(result.code == code);
    CHECK(result.out.empty());
    const std::vector<std::string> said = messages(result);
    REQUIRE(said.size() == 1);
    CHECK_THAT(said[0], Catch::Contains(words));
}

bool has_mpi() {
#if defined(LOCKSTEP_MPIEXEC)
    return true;
#else
    test::skip("this build has no MPI");
    return false;
#endif
}

}  // namespace

TEST_CASE("two and four processes come to the bits of one, whatever is asked for") {
    if (!has_mpi()) return;
    const Together run;
    const std::string file = run.here("r.h5");
    const auto compare = [](const nlohmann::json& one, const nlohmann::json& several) {
        for (const char* key : {"result_hash", "rmse_train", "rmse_test", "rmse_baseline", "kept_sweep",
                                "train_edges", "test_edges", "updates", "status"}) {
            INFO(key);
            CHECK(one.at(key) == several.at(key));
        }
        REQUIRE(one.at("sweeps").size() == several.at("sweeps").size());
        for (std::size_t s = 0; s < one.at("sweeps").size(); ++s)
            CHECK(one.at("sweeps")[s].at("rmse_test") == several.at("sweeps")[s].at("rmse_test"));
    };
    // A biased model with early stopping.
    const char* const biased =
        "--strategy tiled --device cpu -q --json --test-fraction 0.2 --early-stop 1 --learning-rate 0.25";
    const auto whole = test::parsed("lockstep-execute", file, biased);
    const auto four = test::parsed(Together::mpirun("-n 4", program, file, biased, "--model",
                                                    run.here("m.h5"), "--record", run.here("run.jsonl")));
    compare(whole, four);
    CHECK(four.at("processes") == 4);
    CHECK(test::done("lockstep-predict", run.here("m.h5"), "--evaluate", run.here("r.txt")).code == 0);
    const std::string record = test::read_file(run.here("run.jsonl"));
    CHECK(static_cast<std::size_t>(std::ranges::count(record, '\n')) == four.at("sweeps").size() + 2);
    // Half precision and a checkpoint, from which another number of processes resumes.
    const std::string halves =
        "--strategy tiled --device cpu -q --json --storage fp16 --rank 20 --model-form plain --checkpoint " +
        run.here("c.h5");
    const auto three = test::parsed("lockstep-execute", file, halves.c_str(), "--sweeps 3 --force");
    std::filesystem::remove(run.here("c.h5"));
    test::parsed(Together::mpirun("-n 2", program, file, halves.c_str(), "--sweeps 2"));
    compare(three,
            test::parsed(Together::mpirun("-n 3", program, file, halves.c_str(), "--sweeps 3 --resume")));
    // Users in shared memory, which is too small for all of them, so that they take turns.
    const std::string users = run.here("users.h5");
    const auto made =
        test::parsed("lockstep-preprocess", run.here("r.txt"), "-o", users,
                     "--schedule tiled --resident users --gpus 4 --multiprocessors 2 --on-chip 48 "
                     "--rank 64 -q --json");
    CHECK(std::stoi(made.at("schedules")[0].at("parameters").at("laps").get<std::string>()) > 1);
    compare(test::parsed("lockstep-execute", users, biased),
            test::parsed(Together::mpirun("-n 4", program, users, biased)));
}

TEST_CASE("processes that share edge tiles come to the values of one") {
    if (!has_mpi()) return;
    const Together run;
    test::done("lockstep-generate rmat --scale 9 --edge-factor 6 --seed 3 -q -o", run.here("g.txt"));
    test::write_file(run.here("few.txt"), "0 1 0.5\n1 2 2\n5 0 1\n");
    const auto same = [&](const char* count, const std::string& options) {
        const auto comparable = [&](const nlohmann::json& line) {
            nlohmann::json rounds = line.at("rounds");
            for (auto& round : rounds) round.erase("seconds");
            return std::pair(line.at("result_hash"), rounds);
        };
        const std::string words = options + " --strategy edge-tiled --device cpu -q --json --output ";
        const auto one = test::parsed("lockstep-execute", words.c_str(), run.here("one.txt"));
        const auto several =
            test::parsed(Together::mpirun(count, program, words.c_str(), run.here("several.txt")));
        CHECK(comparable(one) == comparable(several));
        CHECK(several.at("parameters").at("processes") == std::string(count).substr(3));
        CHECK(test::read_file(run.here("one.txt")) == test::read_file(run.here("several.txt")));
        for (const char* file : {"one.txt", "several.txt"}) std::filesystem::remove(run.here(file));
    };
    for (const char* graph : {"g", "few"})
        test::done("lockstep-preprocess", run.here(graph + std::string(".txt")), "-o",
                   run.here(graph + std::string(".h5")), "--shape square --schedule edge-tiled -q");
    const std::string file = run.here("g.h5");
    same("-n 4", file + " --app pagerank --tolerance 1e-4");
    same("-n 2", file + " --app pagerank --until 1e-3 --repeat 2");
    same("-n 3", run.here("few.h5") + " --app bp --iterations 2");  // two of the processes have no target
    const auto before = run.files();
    const std::string options =
        "--app pagerank --strategy edge-tiled --device cpu -q --output " + run.here("ranks.txt");
    const char* const words = options.c_str();
    check_message(Together::mpirun("-n 2", program, file, words, "--gpus 2"), 2, "a single process");
    check_message(
        Together::mpirun("-n 3", program, file, words, ": -n 1", program, run.here("none.h5"), words), 4,
        "process 3 of 4 (");
#if !defined(LOCKSTEP_SANITIZED)  // a sanitizer must be the first library of a program
    check_message(
        Together::mpirun("-n 1", run.full_disk(), program, file, words, ": -n 3", program, file, words), 6,
        "No space left on device");
#endif
    CHECK(run.files() == before);
}

TEST_CASE("what several processes cannot share is refused once") {
    if (!has_mpi()) return;
    const Together run;
    const auto before = run.files();
    const std::string file = run.here("r.h5");
    check_message(Together::mpirun("-n 2", program, file, "--strategy hogwild --model", run.here("m.h5")), 2,
                  "2 processes were started, but only --app sgd --strategy tiled, --app "
                  "pagerank --strategy edge-tiled, --app bp --strategy edge-tiled runs on several processes, "
                  "not sgd with strategy hogwild");
    // Each process prints the message, since only processes that communicate agree on which one prints.
    const auto train = Together::mpirun("-n 2", std::string(LOCKSTEP_BINARIES) + "/lockstep-train",
                                        run.here("r.txt"), "-m", run.here("m.h5"));
    CHECK(train.code == 2);
    CHECK_THAT(messages(train).at(0),
               Catch::Contains(
                   "2 processes were started, but each would train the same model: start one process, or"));
    check_message(
        Together::mpirun("-n 5", program, file, "--strategy tiled --device cpu -q"), 4,
        "5 processes need at least one group each, but the schedule has 4; preprocess with --gpus 5");
    CHECK(run.files() == before);
}

TEST_CASE("one of two or four processes that lacks the file, finds a full disk or is killed ends all") {
    if (!has_mpi()) return;
    const Together run;
    const std::string file = run.here("r.h5"), none = run.here("none.h5"), model = run.here("m.h5");
    const auto before = run.files();
    const std::string tiled = "--strategy tiled --device cpu -q --model " + model,
                      once = tiled + " --sweeps 1",
                      endless = tiled + " --sweeps 100000000 --evaluate-every 1000";
    /// Runs `processes` processes, with these words before the program of the first one (or, below, of the
    /// last one).
    const auto first_of = [&](int processes, const std::vector<std::string>& words, const std::string& read,
                              const std::string& options) {
        return Together::mpirun("-n 1", words, program, read, options.c_str(), ": -n",
                                std::to_string(processes - 1), program, file, options.c_str());
    };
    const auto last_of = [&](int processes, const std::vector<std::string>& words, const std::string& read,
                             const std::string& options) {
        return Together::mpirun("-n", std::to_string(processes - 1), program, file, options.c_str(), ": -n 1",
                                words, program, read, options.c_str());
    };
    check_message(last_of(2, {}, none, once), 4, "process 1 of 2 (");
    check_message(first_of(4, {}, none, once), 4, none + ": ");
    CHECK(run.files() == before);

    // One process is killed while all of them sweep.
    const std::vector<std::string> dies{"timeout", "-s", "KILL", "0.7"};
    CHECK(first_of(2, dies, file, endless).code == 137);
    CHECK(last_of(4, dies, file, endless).code == 137);
    CHECK(run.files() == before);
#if !defined(LOCKSTEP_SANITIZED)  // a sanitizer must be the first library of a program
    const std::vector<std::string> full = run.full_disk();
    const std::string kept = endless + " --checkpoint-every 3 --checkpoint " + run.here("c.h5");
    check_message(first_of(2, full, file, once), 6, "No space left on device");
    check_message(first_of(4, full, file, kept), 6, "No space left on device");
    CHECK(run.files() == before);
    CHECK(last_of(4, full, file, once).code == 0);  // only the first process writes
    CHECK(std::filesystem::remove(model));
    CHECK(run.files() == before);
#endif
}
