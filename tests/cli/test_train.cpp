// lockstep-train: the work of preprocess and execute in one process.
#include "cli_support.hpp"

using namespace lockstep::test;
namespace fs = std::filesystem;

namespace {

struct TrainPlace {
    TemporaryFolder folder;
    std::string ratings = (folder / "r.txt").string(), model = (folder / "m.h5").string();
    TrainPlace() {
        done(
            "lockstep-generate ratings --users 300 --items 120 --edges 6000 --max-degree 150 --noise 0.3 "
            "--seed 3 -o",
            ratings);
    }
};

}  // namespace

TEST_CASE("train gives what preprocess and execute give", "[train]") {
    const TrainPlace p;
    const std::string schedules = (p.folder / "r.h5").string(), kept = (p.folder / "kept.h5").string();
    const char* const options = "--device cpu --rank 9 --sweeps 7 --test-fraction 0.2 --early-stop 2 --json";
    for (const std::string strategy : {"agm-e", "tiled", "diag"}) {
        CAPTURE(strategy);
        done("lockstep-preprocess", p.ratings, "-o", schedules, "-q --force --rank 9 -s", strategy);
        const auto apart = parsed("lockstep-execute", schedules, "--strategy", strategy, options, "--model",
                                  p.folder / "apart.h5");
        const auto one = parsed("lockstep-train", p.ratings, "-m", p.model, "--strategy", strategy, options,
                                "--keep", kept);
        for (const char* key : {"app", "strategy", "deterministic", "rank", "status", "result_hash",
                                "rmse_train", "rmse_test", "train_edges", "test_edges", "updates"})
            CHECK(one[key] == apart[key]);
        CHECK(one["sweeps"].size() == apart["sweeps"].size());
        CHECK(one["proof"] == "proved");
        double total_seconds = 0;  // the sum of its stages and of the remaining time
        for (const char* stage : {"read", "schedule", "write", "prove", "choose", "load", "plan", "transfer",
                                  "execute", "evaluate", "fit", "result", "other"})
            total_seconds += one["seconds"][stage].get<double>();
        CHECK(one["seconds"]["total"] == Approx(total_seconds));
        for (const char* stage : {"read", "prove", "write", "other"}) CHECK(one["seconds"][stage] > 0);
        CHECK(apart["seconds"]["other"] > 0);
        check_holds(one,
                    {{"input",
                      {{"file", p.ratings}, {"rows", 300}, {"cols", 120}, {"edges", 6000}, {"kept", kept}}}});
        // The kept file is a schedule file, from which train and execute continue; its verification is
        // remembered.
        const auto again = parsed("lockstep-execute", kept, "--strategy", strategy, options);
        CHECK(again["result_hash"] == apart["result_hash"]);
        CHECK(again["proof"] == "remembered");
        CHECK(parsed("lockstep-train", kept, "-m", p.model, "--strategy", strategy, options)["result_hash"] ==
              apart["result_hash"]);
        CHECK(run_program("lockstep-predict", p.model, "--top 1").out ==
              run_program("lockstep-predict", p.folder / "apart.h5", "--top 1").out);
        fs::remove(kept);
    }
}

TEST_CASE("train chooses a deterministic strategy, holds a tenth out, and says what it read", "[train]") {
    const TrainPlace p;
    const auto first = parsed("lockstep-train", p.ratings, "-m", p.model, "--device cpu --sweeps 3 --json");
    CHECK(first["deterministic"] == true);
    CHECK(first["auto"].contains("reason"));
    CHECK(first["test_edges"].get<int>() > 450);
    CHECK(first["test_edges"].get<int>() < 750);
    const auto text = done("lockstep-train", p.ratings, "-m", p.model, "--device cpu --sweeps 3 -q");
    CHECK(text.out.starts_with(first["strategy"].get<std::string>() + ": 3 sweeps in "));
    CHECK(text.err.empty());
    const auto piped =
        parsed("lockstep-train - -m", p.model, "--device cpu --sweeps 3 --json", Input{read_file(p.ratings)});
    CHECK(piped["result_hash"] == first["result_hash"]);
    // A service has no home directory: it runs without a cache.
    CHECK(parsed("/usr/bin/env -u HOME -u XDG_CACHE_HOME -u LOCKSTEP_CACHE " LOCKSTEP_BINARIES
                 "/lockstep-train",
                 p.ratings, "-m", p.model,
                 "--device cpu --sweeps 3 --json")["result_hash"] == first["result_hash"]);
    // The record has the form of a record of lockstep-execute.
    done("lockstep-train", p.ratings, "-m", p.model, "--device cpu --sweeps 3 -q --record",
         p.folder / "runs.jsonl");
    done("lockstep-report", p.folder / "runs.jsonl");
}

TEST_CASE("the strategy that train chooses, and its result, do not depend on the number of threads",
          "[train]") {
    const TemporaryFolder folder;
    const std::string ratings = (folder / "r.txt").string(), model = (folder / "m.h5").string();
    done("lockstep-generate ratings --users 900 --items 600 --edges 60000 --max-degree 500 --seed 3 -o",
         ratings);
    const std::string cache = "LOCKSTEP_CACHE=" + (folder / "cache").string();
    const auto run = [&](const char* surroundings, const char* options) {
        return parsed("/usr/bin/env", cache, surroundings, LOCKSTEP_BINARIES "/lockstep-train", ratings, "-m",
                      model, "--device cpu --force --json", options);
    };
    const auto one = run("", "--threads 1");
    for (const auto& other : {run("", "--threads 2"), run("", "--threads 7"), run("OMP_NUM_THREADS=1", ""),
                              run("OMP_NUM_THREADS=3", ""), run("taskset -c 0", "")}) {
        CHECK(other["strategy"] == one["strategy"]);
        CHECK(other["result_hash"] == one["result_hash"]);
    }
}

TEST_CASE("train refuses what it cannot do, before it reads", "[train]") {
    const TrainPlace p;
    refused("a ratings file is needed", "lockstep-train -m x.h5");
    refused("a model file is needed", "lockstep-train", p.ratings);
    refused("did you mean agm-e?", "lockstep-train", p.ratings, "-m", p.model, "--strategy agm-f");
    refused("", "lockstep-train", p.ratings, "-m", p.ratings);  // the output would replace the input
    refused("--keep", "lockstep-train", p.ratings, "-m", p.model, "--keep", p.model);
    refused(6, "", "lockstep-train", p.ratings, "-m", p.folder / "none/m.h5");
    write_file(p.folder / "bad.txt", "1 2 3\n1 x y\n");
    refused(4, "bad.txt:2", "lockstep-train", p.folder / "bad.txt", "-m", p.model);
    CHECK_FALSE(fs::exists(p.model));
    CHECK(run_program("lockstep-train", p.ratings, "-m", p.model,
                      "--device cpu --learning-rate 1e6 --strategy agm-e --model-form plain")
              .code == 3);
}

TEST_CASE("implicit feedback: one schedule of edges and drawn pairs, lists without what was drawn",
          "[train]") {
    const TrainPlace p;
    const std::string kept = (p.folder / "kept.h5").string(), test = (p.folder / "test.txt").string();
    const char* const feedback = "--feedback implicit --positive-from 3 --negatives 4";
    const char* const options =
        "--device cpu --strategy tiled --rank 8 --sweeps 12 --seed 5 --test-fraction 0.2 --json";
    const auto one = parsed("lockstep-train", p.ratings, "-m", p.model, "--solver sgd", feedback, options,
                            "--keep", kept, "--export-test", test);
    const int taken = one["input"]["edges"].get<int>() - one["input"]["drawn"].get<int>();
    CHECK(one["input"]["drawn"] == 4 * taken);
    done("lockstep-preprocess", p.ratings, "-o", p.folder / "r.h5", "-q --rank 8 --seed 5 -s tiled",
         feedback);
    CHECK(parsed("lockstep-execute", p.folder / "r.h5", options)["result_hash"] == one["result_hash"]);
    CHECK(parsed("lockstep-inspect", kept, "--json")["graph"]["drawn"] == 4 * taken);

    // Only taken items are exported. Excluding the schedule file leaves the same items out of lists as
    // excluding the ratings.
    std::istringstream lines(read_file(test));
    std::string user, item, weight;
    int exported = 0;
    for (; lines >> user >> item >> weight; ++exported) REQUIRE(weight == "1");
    CHECK(exported > taken / 10);
    CHECK(exported < taken / 3);
    write_file(p.folder / "taken.txt", [&] {
        std::istringstream all(read_file(p.ratings));
        std::string text;
        while (all >> user >> item >> weight) {
            if (std::stod(weight) >= 3) text += user + ' ' + item + " 1\n";
        }
        return text;
    }());
    const auto evaluated = [&](const auto& excluded) {
        return parsed("lockstep-predict", p.model, "--json --evaluate", test, "--exclude",
                      excluded)["evaluation"];
    };
    CHECK(evaluated(kept) == evaluated(p.folder / "taken.txt"));
    CHECK(evaluated(kept)["pairs"] == exported);
    // Zeros are drawn for a test file, too, and for new users.
    const auto apart = parsed("lockstep-train", kept, "-m", p.model,
                              "--force --device cpu --strategy tiled --rank 8 --json --test", p.ratings);
    CHECK(apart["test_edges"] == 5 * taken);
    const auto folded = parsed("lockstep-predict", p.model, "--json --at 0 --fold-in", p.folder / "taken.txt",
                               "--evaluate", p.folder / "taken.txt")["evaluation"];
    CHECK(folded["rmse"] < 1);

    // Without --positive-from every edge is a taken item.
    done("lockstep-preprocess", p.ratings, "-o", p.folder / "all.h5", "-q -s agm-e --feedback implicit");
    const auto all = parsed("lockstep-inspect", p.folder / "all.h5", "--json")["graph"];
    CHECK(all["edges"] > 2 * taken);

    refused("require --feedback implicit", "lockstep-train", p.ratings, "-m", p.model, "--negatives 2");
    refused("is a schedule file", "lockstep-train", kept, "-m", p.model, "--force --feedback implicit");
    refused(4, "no weight of 1000 or more", "lockstep-train", p.ratings, "-m", p.model,
            "--force --feedback implicit --positive-from 1000");
}
