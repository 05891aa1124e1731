// lockstep-preprocess and lockstep-execute from the command line: results, exit codes, no partial files.
#include <sys/wait.h>
#include <unistd.h>

#include "cli_support.hpp"

using namespace lockstep::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A ratings file of 3,000 edges, and its schedule file with every schedule.
struct Prepared {
    TemporaryFolder folder;
    std::string ratings = (folder / "ratings.txt").string(), file = (folder / "ratings.h5").string();
    Prepared() {
        done("lockstep-generate ratings --users 300 --items 120 --edges 3000 --max-degree 200 --seed 7 -o",
             ratings);
        const auto made =
            done("lockstep-preprocess", ratings, "-o", file, "--schedule all --workers 50 --json");
        result = json::parse(made.out);
    }
    json result;
};

const std::vector<std::string> offline{"agm-e", "agm-n", "sgm", "diag", "blkdiag", "tiled", "stars", "local"};
const std::vector<std::string> online{"el",    "el-shuffled", "nl",      "nl-marks",
                                      "nl-el", "el-sgm",      "hogwild", "hogwild-blocked"};

json execute(const Prepared& p, const std::string& strategy, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{p.file, "--strategy", strategy, "--device",
                                       "cpu",  "--json",     "--quiet"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = done("lockstep-execute", arguments);
    REQUIRE(result.err.empty());
    return json::parse(result.out);
}

std::size_t all_files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("the items of a block are as many as the device has workers") {
    const Prepared p;
    const auto items = [&](const char* options) {
        done("lockstep-preprocess", p.ratings, "-o", p.folder / "t.h5", "--force -q -s agm-n,sgm", options);
        std::vector<std::string> found;
        const json inspected = parsed("lockstep-inspect", p.folder / "t.h5", "--json");
        for (const json& s : inspected["schedules"]) found.push_back(s["parameters"]["workers"]);
        return found;
    };
    const auto both = [](const char* workers) { return std::vector<std::string>{workers, workers}; };
    CHECK(items("") == both("16896"));
    CHECK(items("--multiprocessors 2") == both("256"));
    CHECK(items("--probe " LOCKSTEP_PROBES "/k40.json") == both("1920"));
    CHECK(items("--probe " LOCKSTEP_PROBES "/k40.json --multiprocessors 3") == both("384"));
    CHECK(items("--probe " LOCKSTEP_PROBES "/k40.json --workers 7") == both("7"));
}

TEST_CASE("preprocess says what it made, and the file verifies") {
    const Prepared p;
    CHECK(p.result["edges"] == 3000);
    CHECK(p.result["max_col_degree"] == 200);
    CHECK(p.result["peak_bytes"] > 0);
    for (const char* stage : {"read", "schedule", "verify", "write"}) CHECK(p.result["seconds"][stage] > 0);
    CHECK(p.result["seconds"]["other"] >= 0);
    REQUIRE(p.result["schedules"].size() == 18);
    for (const auto& s : p.result["schedules"]) {
        CHECK(s["seconds"] >= 0);
        if (s["name"] == "agm-e") CHECK(s["rounds"] >= 200);
    }
    const auto verified = done("lockstep-verify", p.file, "--json");
    CHECK(json::parse(verified.out)["ok"] == true);
}

TEST_CASE("any number of threads writes the same file, byte for byte") {
    const TemporaryFolder folder;
    const std::string input = (folder / "ratings.txt").string();
    done(
        "lockstep-generate ratings --users 20000 --items 1500 --edges 150000 --max-degree "
        "6000 --seed 3 -o",
        input);
    std::string first;
    for (const char* threads : {"1", "2", "5"}) {
        const fs::path file = folder / (std::string(threads) + ".h5");
        const auto made = done("lockstep-preprocess", input, "-o", file.string(), "--schedule all --threads",
                               threads, "--no-times");
        if (first.empty()) first = read_file(file);
        CHECK(read_file(file) == first);
    }
}

TEST_CASE("an input whose order is forgotten makes a smaller file") {
    const Prepared p;
    const auto made = [&](const std::string& name, std::vector<std::string> more) {
        more.insert(more.begin(), {p.ratings, "-o", (p.folder / name).string()});
        done("lockstep-preprocess", more);
        return (p.folder / name).string();
    };
    const std::string kept = made("kept.h5", {}), forgotten = made("forgotten.h5", {"--no-input-order"});
    CHECK(fs::file_size(forgotten) + 4 * 3000 <= fs::file_size(kept));
    done("lockstep-verify", forgotten);
    done("lockstep-execute", forgotten, "--strategy el --device cpu");
}

TEST_CASE("every strategy runs and reports what it did") {
    const Prepared p;
    std::map<std::string, std::string> hashes;
    for (const auto* group : {&offline, &online}) {
        for (const auto& strategy : *group) {
            INFO(strategy);
            const json r =
                execute(p, strategy, {"--sweeps", "4", "--test-fraction", "0.2", "--model-form", "plain"});
            CHECK(r["status"] == "ok");
            CHECK(r["sweeps"].size() == 4);
            CHECK(r["train_edges"].get<int>() + r["test_edges"].get<int>() == 3000);
            for (const auto& sweep : r["sweeps"]) CHECK(sweep["updates"] == r["train_edges"]);
            CHECK(r["rmse_train"] < r["sweeps"][0]["rmse_train"]);
            CHECK(r["rmse_test"] > 0);
            CHECK(r["result_hash"].get<std::string>().size() == 32);
            CHECK(r["updates_per_second"] > 0);
            for (const char* stage : {"read", "schedule", "write", "load", "plan", "transfer", "execute"})
                CHECK(r["seconds"].contains(stage));
            hashes[strategy] = r["result_hash"];
        }
    }
    for (const auto& strategy : offline)
        CHECK(execute(p, strategy,
                      {"--sweeps", "4", "--test-fraction", "0.2", "--model-form", "plain", "--threads",
                       "3"})["result_hash"] == hashes[strategy]);
}

TEST_CASE("half-precision factors: a result of their own, a schedule made for them, and the record says so") {
    const Prepared p;
    const std::string record = (p.folder / "r.jsonl").string(), model = (p.folder / "m.h5").string();
    const json half = execute(
        p, "tiled", {"--storage", "fp16", "--test-fraction", "0.2", "--record", record, "--model", model});
    const json single = execute(p, "tiled", {"--test-fraction", "0.2"});
    CHECK(half["storage"] == "fp16");
    CHECK(single["storage"] == "fp32");
    CHECK(half["result_hash"] != single["result_hash"]);
    CHECK(half["rmse_test"].get<double>() == Approx(single["rmse_test"].get<double>()).epsilon(2e-3));
    CHECK_THAT(read_file(record), Catch::Contains("\"storage\":\"fp16\""));
    done("lockstep-predict", model, "--top 1");
    const auto reference =
        done("lockstep-execute", p.file, "--strategy tiled --storage fp16 --device reference --json");
    CHECK(json::parse(reference.out)["storage"] == "fp64");

    const std::string file = (p.folder / "fp16.h5").string();
    const auto made =
        done("lockstep-preprocess", p.ratings, "-o", file, "--schedule tiled --storage fp16 --json");
    CHECK(json::parse(made.out)["schedules"][0]["parameters"]["storage"] == "fp16");
}

TEST_CASE("adding a schedule keeps the others, and gives the bytes of a fresh file's") {
    const Prepared p;
    const std::string some = (p.folder / "some.h5").string();
    done("lockstep-preprocess", p.ratings, "-o", some, "--schedule sgm,diag --workers 50 -q");
    const auto refused = run_program("lockstep-execute", some, "--strategy agm-e");
    CHECK(refused.code == 4);
    CHECK_THAT(refused.err, Catch::Contains("needs the schedule \"agm-e\"") && Catch::Contains("diag") &&
                                Catch::Contains("lockstep-preprocess"));
    done("lockstep-preprocess", some, "-o", some, "--schedule agm-e -q");
    const json inspected = parsed("lockstep-inspect", some, "--json");
    REQUIRE(inspected["schedules"].size() == 3);
    for (const auto& s : inspected["schedules"]) {
        for (const auto& fresh : p.result["schedules"]) {
            if (fresh["name"] == s["name"]) CHECK(fresh["hash"] == s["hash"]);
        }
    }
}

TEST_CASE("preprocess refuses bad use and bad input, and leaves nothing behind") {
    const TemporaryFolder folder;
    const std::string good = (folder / "good.txt").string(), bad = (folder / "bad.txt").string(),
                      empty = (folder / "empty.txt").string();
    write_file(good, "0 0 1\n1 1 2\n");
    write_file(bad, "0 0 1\n1 x y z\n");
    write_file(empty, "");
    const std::string out = (folder / "out.h5").string();
    const std::size_t before = all_files_in(folder.path());
    const auto code = [](const auto&... arguments) {
        return run_program("lockstep-preprocess", arguments...).code;
    };
    CHECK(code() == 2);
    CHECK(code(good) == 2);
    // The last one tests that abbreviations are not guessed.
    for (const char* wrong : {"--schedule agm-x", "--schedule agm-e,", "--workers 0", "--block 8",
                              "--storage half", "--deflate 11", "--thr 2"})
        CHECK(code(good, "-o", out, wrong) == 2);
    CHECK(code(folder / "absent.txt", "-o", out) == 4);
    CHECK(code(empty, "-o", out) == 4);
    refused(4, "bad.txt:2:", "lockstep-preprocess", bad, "-o", out);
    CHECK(code(good, "-o", folder / "no" / "such" / "out.h5") == 6);
    CHECK(code(good, "-o", out, "--memory 100") != 0);
    CHECK(all_files_in(folder.path()) == before);
    CHECK(code(good, "-o", out) == 0);
    CHECK(all_files_in(folder.path()) == before + 1);
}

TEST_CASE("execute refuses bad use and bad input") {
    const Prepared p;
    const auto run = [](const auto&... arguments) { return run_program("lockstep-execute", arguments...); };
    CHECK(run().code == 2);
    for (const char* wrong : {"--strategy magic", "--strategy el --rank 0", "--strategy el --rank 300",
                              "--strategy el --rank -1", "--strategy el --device tpu",
                              "--strategy el --app chess", "--app pagerank --strategy pull --storage fp16",
                              "--strategy agm-e --order shuffle", "--strategy el --test-fraction 1"})
        CHECK(run(p.file, wrong).code == 2);
    for (const char* words : {"fp32, fp16", "bf16"})
        refused(words, "lockstep-execute", p.file, "--strategy el --storage bf16");
    CHECK(run(p.ratings, "--strategy agm-e").code == 4);
    CHECK(run(p.folder / "absent.h5", "--strategy el").code == 4);
    CHECK(run(p.file, "--strategy el --order nothing").code == 4);
    CHECK(run(p.file, "--strategy el --model", p.folder / "no" / "m.h5").code == 6);
    CHECK(run(p.file, "--strategy el --record", p.folder / "no" / "r.jsonl").code == 6);
    write_file(p.folder / "damaged.h5", read_file(p.file).substr(0, 5000));
    CHECK(run(p.folder / "damaged.h5", "--strategy el").code == 4);
}

TEST_CASE("groups are made for GPUs, proved, run on the CPU, and asked for where they lack") {
    const Prepared p;
    const std::string grouped = (p.folder / "grouped.h5").string();
    const auto made = done("lockstep-preprocess", p.ratings, "-o", grouped,
                           "--schedule tiled --item-blocks 4 --gpus 3 --json");
    CHECK(json::parse(made.out)["schedules"][0]["parameters"]["groups"] == "3");
    done("lockstep-verify", grouped);
    const auto run = [](const std::string& file, const auto&... more) {
        return run_program("lockstep-execute", file, "--strategy tiled --sweeps 2 --json", more...);
    };
    const auto one = run(grouped, "--device cpu"), two = run(p.file, "--device cpu");
    REQUIRE(one.code == 0);
    CHECK(json::parse(one.out)["updates"] == 6000);
    CHECK(json::parse(one.out)["rmse_train"].get<double>() ==
          Approx(json::parse(two.out)["rmse_train"].get<double>()).epsilon(0.01));
    CHECK(run(grouped, "--device cpu --gpus 3").code == 2);
    CHECK(run(grouped, "--device-memory much").code == 2);
    const auto more = run(grouped, "--gpus 4"), none = run(p.file, "--gpus 2");
    CHECK(more.code == 4);
    CHECK_THAT(more.err, Catch::Contains("--gpus 4"));
    CHECK(none.code == 4);
    CHECK(run_program("lockstep-execute", p.file, "--strategy el --gpus 2").code == 2);
    CHECK(run_program("lockstep-preprocess", p.ratings, "-o", grouped, "--schedule tiled --groups 3 --gpus 2")
              .code == 2);
}

TEST_CASE("divergence is exit code 3, with the last good model and a hint") {
    const Prepared p;
    const std::string model = (p.folder / "m.h5").string(), record = (p.folder / "r.jsonl").string();
    const auto diverged = run_program("lockstep-execute", p.file,
                                      "--strategy sgm --device cpu --learning-rate 5 --sweeps 50 --model",
                                      model, "--record", record);
    CHECK(diverged.code == 3);
    CHECK_THAT(diverged.err, Catch::Contains("learning rate"));
    done("lockstep-predict", model, "--top 1");
    CHECK_THAT(read_file(record), Catch::Contains("\"diverged\""));
}

TEST_CASE("option --device cuda without a GPU is exit code 5, auto says that it runs on the CPU") {
    const Prepared p;
    const auto cuda = run_program("lockstep-execute", p.file, "--strategy agm-e --device cuda");
    if (cuda.code == 0) {
        WARN("skipped: this machine has a GPU");
        return;
    }
    CHECK(cuda.code == 5);
    const auto automatic = done("lockstep-execute", p.file, "--strategy agm-e");
    CHECK_THAT(automatic.err, Catch::Contains("running on the CPU"));
}

TEST_CASE("the model of a run predicts by the ids of the input") {
    const TemporaryFolder folder;
    std::string text;
    for (int u = 0; u < 30; ++u) {
        for (int i = 0; i < 20; ++i) {
            if ((u + i) % 3)
                text += "user" + std::to_string(u) + " item" + std::to_string(i) + " " +
                        std::to_string(1 + (u + i) % 5) + "\n";
        }
    }
    write_file(folder / "r.txt", text);
    const std::string file = (folder / "r.h5").string(), model = (folder / "m.h5").string();
    done("lockstep-preprocess", folder / "r.txt", "-o", file, "-q");
    done("lockstep-execute", file, "--strategy agm-e --model", model, "--device cpu -q");
    write_file(folder / "pairs.txt", "user7 item3 4\nuser0 item0 3\n");
    const auto predicted = done("lockstep-predict", model, "--pairs", folder / "pairs.txt");
    CHECK_THAT(predicted.out, Catch::Contains("user7 item3 "));
    // Two IDs that look like column names are not interpreted by guessing.
    write_file(folder / "names.txt", "user7 item3\nuser0 item0\n");
    const auto unclear = run_program("lockstep-predict", model, "--pairs", folder / "names.txt");
    CHECK(unclear.code == 4);
    CHECK_THAT(unclear.err,
               Catch::Contains("names.txt:1: ") && Catch::Contains("--header yes or --header no"));
    const auto clear = run_program("lockstep-predict", model, "--pairs", folder / "names.txt", "--header no");
    CHECK(clear.out == predicted.out);
    write_file(folder / "unknown.txt", "user7 item99 1\n");
    CHECK(run_program("lockstep-predict", model, "--pairs", folder / "unknown.txt").code == 4);
}

TEST_CASE("help and version answer on every program") {
    for (const char* name : {"preprocess", "execute", "verify", "inspect", "generate", "predict", "report"}) {
        const std::string program = std::string("lockstep-") + name;
        INFO(program);
        const auto help = done(program, "--help");
        CHECK_THAT(help.out, Catch::Contains("Usage: " + program) && Catch::Contains("--json") &&
                                 Catch::Contains("--quiet"));
        const auto version = done(program, "--version");
        CHECK_THAT(version.out,
                   Catch::Contains("HDF5") && Catch::Contains("METIS") && Catch::Contains("CUDA"));
        CHECK(run_program(program, "--no-such-option").code == 2);
    }
}
