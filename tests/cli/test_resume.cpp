// Resumed runs: from a checkpoint, with the results of an uninterrupted run; and from a model, with its
// vectors.
#include <fstream>

#include "cli_support.hpp"
#include "lockstep/formats/checkpoint_file.hpp"
#include "lockstep/formats/model_file.hpp"

using namespace lockstep::test;
namespace fs = std::filesystem;
using lockstep::Model;

namespace {

struct ResumePlace {
    TemporaryFolder folder;
    std::string text = (folder / "r.txt").string(), file = (folder / "r.h5").string(),
                state = (folder / "state.h5").string(), model = (folder / "m.h5").string();
    explicit ResumePlace(const char* schedules = "agm-e,tiled,blkdiag,sgm") {
        done(
            "lockstep-generate ratings --users 300 --items 120 --edges 6000 --max-degree 150 --noise 0.3 "
            "--seed 3 -o",
            text);
        done("lockstep-preprocess", text, "-o", file, "-q -s", schedules);
    }
    nlohmann::json run(const auto&... options) const {
        return parsed("lockstep-execute", file, "--device cpu --json --force -q", options...);
    }
};

/// Returns a result without its times.
nlohmann::json timeless(nlohmann::json run) {
    for (const char* key : {"seconds", "updates_per_second", "proof"}) run.erase(key);
    for (auto& sweep : run["sweeps"]) sweep.erase("seconds");
    return run;
}

}  // namespace

TEST_CASE("a run in pieces has the bits of one without a break", "[resume]") {
    const ResumePlace p;
    const char* const options =
        GENERATE("--strategy agm-e -k 5 --model-form plain",
                 "--strategy agm-e -k 16 --test-fraction 0.2 --early-stop 4",
                 "--strategy tiled -k 16 --storage fp16 --test-fraction 0.1 --early-stop 9",
                 "--strategy tiled -k 33 --model-form plain --nonnegative",
                 "--strategy blkdiag -k 9 --evaluate-every 3 --rate-schedule exponential --decay 0.9",
                 "--strategy sgm -k 8 --test-fraction 0.1 --evaluate-every 5 --early-stop 1",
                 "--strategy agm-e -k 8 --learning-rate 0.1 --regularisation 0 --rate-schedule constant "
                 "--test-fraction 0.3 --evaluate-every 4 --early-stop 2",
                 "--strategy agm-e -k 8 --learning-rate 0.1 --regularisation 0 --rate-schedule constant "
                 "--test-fraction 0.3 --early-stop 2");
    CAPTURE(options);
    const auto whole = p.run(options, "--sweeps 20 -m", p.model);
    const std::string right = read_file(p.model);
    for (const char* const piece : {"--sweeps 1", "--sweeps 2", "--sweeps 6"})
        p.run(options, piece, "--resume --checkpoint", p.state);
    const auto rest = p.run(options, "--sweeps 20 --resume --checkpoint", p.state, "-m", p.model);
    CHECK(timeless(rest) == timeless(whole));
    CHECK(rest["result_hash"] == whole["result_hash"]);
    CHECK(read_file(p.model) == right);
    // Resuming a finished run changes nothing.
    CHECK(timeless(p.run(options, "--sweeps 20 --resume --checkpoint", p.state)) == timeless(whole));
}

TEST_CASE(
    "dense ratings of little noise end once sweeps gain little, no worse than with all sweeps, in pieces, "
    "too",
    "[resume][model_form]") {
    const TemporaryFolder folder;
    const std::string text = (folder / "r.txt").string(), file = (folder / "r.h5").string(),
                      state = (folder / "s.h5").string();
    const auto run = [&](const auto&... options) {
        return parsed("lockstep-execute", file,
                      "--device cpu --json --force -q --strategy agm-e -k 8 --test-fraction 0.1", options...);
    };
    const auto make = [&](const char* edges) {
        done("lockstep-generate uniform --users 300 --items 200 --rank 8 --noise 0.5 --force -q -o", text,
             "--edges", edges);
        done("lockstep-preprocess", text, "-q --force -s agm-e -o", file);
    };
    make("60000");  // 108 training ratings per vertex
    const auto dense = run("-m", folder / "m.h5");
    CHECK(dense["status"] == "stopped-early");
    CHECK(dense["sweeps"].size() >= 40);
    CHECK(dense["sweeps"].size() < 60);
    CHECK(lockstep::read_model((folder / "m.h5").string()).parameters.at("dense") == "true");
    const auto usual = run("--regularisation-decay 0.1");  // the default for vertices with fewer ratings
    CHECK(usual["sweeps"].size() > dense["sweeps"].size());
    CHECK(dense["rmse_test"] < 1.001 * usual["rmse_test"].get<double>());
    for (std::size_t i = 0; i <= 35; ++i)
        CHECK(dense["sweeps"][i]["rmse_test"] == usual["sweeps"][i]["rmse_test"]);
    for (const char* const piece : {"--sweeps 20", "--sweeps 38", "--sweeps 41"})
        run(piece, "--resume --checkpoint", state);
    CHECK(timeless(run("--resume --checkpoint", state)) == timeless(dense));
    CHECK(run("--early-stop 100")["sweeps"].size() == 100);

    make("30000");  // 54 training ratings per vertex
    fs::remove(state);
    run("--sweeps 60 -m", folder / "m.h5", "--checkpoint", state);
    CHECK_FALSE(lockstep::read_model((folder / "m.h5").string()).parameters.contains("dense"));
    // The sweeps gain less than 0.05 % here, too, but continue.
    CHECK(timeless(run("--resume --checkpoint", state)) == timeless(run("")));
}

TEST_CASE("dense noisy ratings train as those with fewer a vertex do, very dense ones with a faster decay",
          "[resume][model_form]") {
    const TemporaryFolder folder;
    const std::string text = (folder / "r.txt").string(), file = (folder / "r.h5").string(),
                      model = (folder / "m.h5").string();
    const auto run = [&](const char* options) {
        return parsed("lockstep-execute", file, "--device cpu --json --force -q --strategy agm-e -k 8",
                      "--test-fraction 0.1 -m", model, options);
    };
    const auto make = [&](const char* options) {
        done("lockstep-generate uniform --noise 1 --force -q -o", text, options);
        done("lockstep-preprocess", text, "-q --force -s agm-e -o", file);
    };
    make("--users 600 --items 400 --edges 200000 --rank 32");  // 180 training ratings per vertex
    const auto dense = run("");
    CHECK(dense["sweeps"].size() > 38);  // in ratings with little noise the regularisation decays faster
    CHECK(lockstep::read_model(model).parameters.at("regularisation_decay") == "0.1");
    CHECK(dense["result_hash"] == run("--regularisation-decay 0.1")["result_hash"]);

    make("--users 600 --items 600 --edges 340000 --rank 8");  // 255 training ratings per vertex
    const auto very = run("--sweeps 6");
    CHECK(lockstep::read_model(model).parameters.at("regularisation_decay") == "0.2");
    CHECK(very["result_hash"] == run("--sweeps 6 --regularisation-decay 0.2")["result_hash"]);
}

TEST_CASE("more sweeps go on from where fewer ended", "[resume]") {
    const ResumePlace p;
    const char* const options = "--strategy agm-e -k 8";
    p.run(options, "--sweeps 6 --checkpoint-every 4 --checkpoint", p.state);
    const auto more = p.run(options, "--sweeps 11 --resume --checkpoint", p.state);
    const auto whole = p.run(options, "--sweeps 11");
    CHECK(timeless(more) == timeless(whole));
    CHECK(more["sweeps"].size() == 11);
}

TEST_CASE("a checkpoint is the model of the best factors so far", "[resume]") {
    const ResumePlace p;
    const char* const options =
        "--strategy agm-e -k 8 --learning-rate 0.1 --regularisation 0 --rate-schedule constant "
        "--test-fraction 0.3 "
        "--sweeps 100";
    const auto whole = p.run(options, "--early-stop 2 -m", p.model, "--checkpoint", p.state);
    REQUIRE(whole["status"] == "stopped-early");
    const Model kept = lockstep::read_model(p.state), best = lockstep::read_model(p.model);
    CHECK(kept.row_factors == best.row_factors);
    CHECK(kept.col_factors == best.col_factors);
    CHECK(run_program("lockstep-predict", p.state, "--top 2").out ==
          run_program("lockstep-predict", p.model, "--top 2").out);
    const lockstep::Checkpoint state = lockstep::read_checkpoint(p.state);
    CHECK(state.sweeps.size() == whole["sweeps"].size());
    CHECK(state.kept_sweep == state.sweeps.size() - 2);
    CHECK_FALSE(state.row_factors.empty());  // the current factors differ from the kept ones
    // More patience resumes from the current factors.
    const auto patient = p.run(options, "--early-stop 3 --resume --checkpoint", p.state);
    CHECK(patient["sweeps"].size() > whole["sweeps"].size());
    CHECK(patient["result_hash"] == p.run(options, "--early-stop 3")["result_hash"]);
}

TEST_CASE("early stopping that would have kept or ended otherwise does not go on", "[resume]") {
    const ResumePlace p;
    const char* const options =
        "--strategy agm-e -k 8 --learning-rate 0.1 --regularisation 0 --rate-schedule constant "
        "--test-fraction 0.3 --device cpu -q";
    const auto refused = [&](const char* first, const char* then) {
        fs::remove(p.state);
        REQUIRE(run_program("lockstep-execute", p.file, options, first, "--checkpoint", p.state).code == 0);
        const auto result =
            run_program("lockstep-execute", p.file, options, then, "--resume --checkpoint", p.state);
        CHECK(result.code == 2);
        return result.err;
    };
    CHECK_THAT(refused("--model-form plain --sweeps 90 --early-stop 0",
                       "--model-form plain --sweeps 99 --early-stop 100"),
               Catch::Contains("it keeps sweep 90, but with --early-stop 100 the best is sweep"));
    CHECK_THAT(refused("--sweeps 90 --early-stop 50", "--sweeps 99 --early-stop 2"),
               Catch::Contains("with --early-stop 2 it would have stopped after sweep"));
    CHECK_THAT(refused("--sweeps 3 --early-stop 20", "--sweeps 60 --early-stop 20 --evaluate-every 2"),
               Catch::Contains("sweep 1 was evaluated, but with --evaluate-every 2 it is not"));
}

TEST_CASE("a checkpoint of another run, or a damaged one, is refused", "[resume]") {
    const ResumePlace p;
    const std::string options =
        "--strategy agm-e --device cpu --model-form plain --sweeps 2 --resume --checkpoint";
    const auto run = [&](const auto&... more) {
        return run_program("lockstep-execute", p.file, options.c_str(), p.state, more...);
    };
    const auto first = run();
    CHECK(first.code == 0);
    CHECK_THAT(first.err, Catch::Contains("there is no " + p.state + " yet"));
    const auto second = run();
    CHECK_THAT(second.err, Catch::Contains("continues from " + p.state + " after sweep 2"));
    const auto refuses = [&](const char* words, const auto&... more) {
        const auto result = run(more...);
        INFO(result.err);
        CHECK(result.code == 2);
        CHECK_THAT(result.err, Catch::Contains("another run") && Catch::Contains(words));
    };
    refuses("its rank was 16, not 8", "--rank 8");
    refuses("its seed was 1, not 2", "--seed 2");
    refuses("its learning_rate was 0.01, not 0.02", "--learning-rate 0.02");
    refuses("its storage was fp32, not fp16", "--storage fp16");
    refuses("test", "--test-fraction 0.5");
    const std::string good = read_file(p.state);
    std::string bad = good;
    bad[bad.size() / 2] ^= 1;
    write_file(p.state, bad);
    CHECK(run().code == 4);
    write_file(p.state, "no HDF5 file at all");
    const auto text = run();
    CHECK(text.code == 4);
    CHECK_THAT(text.err, Catch::Contains(p.state));
    CHECK(read_file(p.state) == "no HDF5 file at all");
    write_file(p.state, good);
    done("lockstep-execute", p.file,
         "--strategy agm-e --device cpu --sweeps 2 --model-form plain -q --force -m", p.state);
    const auto model = run();
    CHECK(model.code == 4);
    CHECK_THAT(model.err, Catch::Contains("this is a model, not a checkpoint"));
    refused("--resume requires --checkpoint", "lockstep-execute", p.file, "--strategy agm-e --resume");
    refused("--checkpoint-every requires", "lockstep-execute", p.file,
            "--strategy agm-e --checkpoint x.h5 --checkpoint-every 3m");
    refused("cannot write checkpoints", "lockstep-execute", p.file,
            "--strategy agm-e --device reference --checkpoint x.h5");
}

TEST_CASE("a run begins with a model's vectors, by id, also of other ratings", "[init]") {
    const ResumePlace p;
    const char* const options = "--strategy agm-e -k 8 --model-form plain";
    p.run(options, "--sweeps 5 -m", p.model);
    const Model old = lockstep::read_model(p.model);
    // Without a sweep the vectors are those of the model, all of them, since the graph is the same.
    const auto same = p.run(options, "--sweeps 0 --init", p.model, "-m", p.folder / "same.h5");
    CHECK(lockstep::read_model(p.folder / "same.h5").row_factors == old.row_factors);
    CHECK(same["rmse_train"] == p.run(options, "--sweeps 5")["rmse_train"]);

    // New ratings: user 300 and item "new" are unknown, IDs are strings now, and therefore in another order.
    std::string more = read_file(p.text);
    more += "newcomer 5 3\n1 new 4\n";
    write_file(p.folder / "more.txt", more);
    const std::string file = (p.folder / "more.h5").string();
    done("lockstep-preprocess", p.folder / "more.txt", "-o", file, "-q -s agm-e");
    const auto run = [&](const std::string& to, const auto&... how) {
        const auto result =
            done("lockstep-execute", file, "--device cpu --sweeps 0", options, "-m", p.folder / to, how...);
        return std::pair(lockstep::read_model(p.folder / to), result.err);
    };
    const auto [usual, unused] = run("usual.h5");
    const auto [warm, output] = run("warm.h5", "--init", p.model);
    CHECK_THAT(output, Catch::Contains("of 301 rows") && Catch::Contains("of 121 columns"));
    for (lockstep::VertexId u = 0; u < warm.rows; ++u) {
        const auto known = old.row_ids.find(warm.row_ids.name(u));
        const Model& from = known ? old : usual;
        const std::size_t at = known ? *known : u;
        CHECK(std::equal(warm.row_factors.begin() + u * 8, warm.row_factors.begin() + u * 8 + 8,
                         from.row_factors.begin() + static_cast<std::ptrdiff_t>(at * 8)));
    }
    refused("the model has rank 8; give --rank 8", "lockstep-execute", p.file,
            "--strategy agm-e --device cpu --rank 4 --init", p.model);
    refused("give --model-form plain", "lockstep-execute", p.file,
            "--strategy agm-e --device cpu --rank 8 --init", p.model);
}

TEST_CASE("test edges of a file, the latest ones, and written out again", "[split]") {
    const ResumePlace p;
    const std::string exported = (p.folder / "test.txt").string(), again = (p.folder / "again.txt").string();
    const auto split = p.run("--strategy agm-e --sweeps 3 --test-fraction 0.2 --export-test", exported);
    std::ifstream lines(exported);
    CHECK(std::count(std::istreambuf_iterator<char>(lines), {}, '\n') == split["test_edges"]);
    // The same edges in a file give the same test error of the same model.
    p.run("--strategy agm-e --sweeps 3 --test-fraction 0.2 -m", p.model);
    const auto evaluated = parsed("lockstep-predict", p.model, "--json --at 0 --evaluate", exported);
    CHECK(evaluated["evaluation"]["rmse"].get<double>() ==
          Approx(split["rmse_test"].get<double>()).epsilon(1e-5));
    const auto given = p.run("--strategy agm-e --sweeps 3 --test", exported, "--export-test", again);
    CHECK(given["test_edges"] == split["test_edges"]);
    CHECK(given["train_edges"] == 6000);
    CHECK(read_file(again) == read_file(exported));
    // Here the model is trained on them.
    CHECK(given["rmse_test"].get<double>() < split["rmse_test"].get<double>());
    // If most IDs are unknown, the file is probably a wrong one.
    const std::string strange = (p.folder / "strange.txt").string();
    const std::string known = read_file(exported).substr(0, read_file(exported).find('\n') + 1);
    const auto err = [&](const std::string& edges) {
        write_file(strange, edges);
        return done("lockstep-execute", p.file, "--strategy agm-e --device cpu --sweeps 1 --test", strange)
            .err;
    };
    CHECK_THAT(err(known + "x 1 2\ny 1 2\n"), Catch::Contains("warning: 2 of 3 edges of " + strange));
    CHECK_THAT(err(known + "x 1 2\n"), Catch::Contains("1 of 2 edges") && !Catch::Contains("warning"));

    // Times: 40 of 200 edges are the latest, by a column that is not in the order of the file.
    std::string text, latest;
    for (int i = 0; i < 200; ++i) {
        const int time = (i * 73) % 200;
        const std::string edge = "u" + std::to_string(i / 10) + ",i" + std::to_string(i % 10);
        text +=
            edge + "," + std::to_string(1 + i % 5) + "," + std::to_string(1'000'000'000'000LL + time) + "\n";
        if (time >= 160)
            latest += edge.substr(0, edge.find(',')) + " " + edge.substr(edge.find(',') + 1) + " " +
                      std::to_string(1 + i % 5) + "\n";
    }
    write_file(p.folder / "t.csv", "user,item,rating,timestamp\n" + text);
    const auto lines_of = [](const std::string& s) {
        std::vector<std::string> all;
        std::istringstream in(s);
        for (std::string line; std::getline(in, line);) all.push_back(line);
        std::sort(all.begin(), all.end());
        return all;
    };
    for (const char* column : {"auto", "timestamp", "4"}) {
        CAPTURE(column);
        done("lockstep-train", p.folder / "t.csv", "-m", p.model,
             "--device cpu --force -q --sweeps 2 --test-latest 0.2 --time-column", column, "--export-test",
             exported);
        CHECK(lines_of(read_file(exported)) == lines_of(latest));
    }
    // The schedule file stores the times.
    done("lockstep-preprocess", p.folder / "t.csv", "-o", p.file, "-q --force --time-column auto");
    done("lockstep-execute", p.file,
         "--strategy agm-e --device cpu -q --force --sweeps 2 --test-latest 0.2 --export-test", exported);
    CHECK(lines_of(read_file(exported)) == lines_of(latest));
    refused(4, "which column contains the times", "lockstep-train", p.text, "-m", p.model,
            "--device cpu --force --test-latest 0.2");
    refused("exclude each other", "lockstep-execute", p.file,
            "--strategy agm-e --test-latest 0.2 --test-fraction 0.1");
    refused("exclude each other", "lockstep-execute", p.file, "--strategy agm-e --test-latest 0.2 --test",
            exported);
}
