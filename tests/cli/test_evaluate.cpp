// lockstep-predict --evaluate and --fold-in, compared with values computed by hand and by an independent
// script.
#include <cmath>

#include "cli_support.hpp"
#include "lockstep/formats/model_file.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Users a, b and items 0 … 4, rank 1. Because of the biases, the scores of a are 5 4 3 2 1 and those of b 1
/// 2 3 4 5.
struct Evaluated {
    TemporaryFolder folder;
    std::string model = (folder / "m.h5").string();
    Evaluated() {
        Model m;
        m.rows = 2, m.cols = 5, m.rank = 1;
        m.row_factors = {-1, 1};
        m.col_factors = {-2, -1, 0, 1, 2};
        m.biases.mean = 3, m.biases.row = {0, 0}, m.biases.col = {0, 0, 0, 0, 0};
        m.row_ids = StringIds{"ab", {0, 1, 2}}, m.col_ids = RangeIds{0, 5};
        m.parameters = {{"regularisation", "0"}};
        write_model(model, m);
    }
    nlohmann::json evaluation(const std::string& test, const auto&... options) const {
        write_file(folder / "test.txt", test);
        return parsed("lockstep-predict", model, "--json --evaluate", folder / "test.txt",
                      options...)["evaluation"];
    }
};

bool has_h5py() { return std::system("/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null") == 0; }

}  // namespace

TEST_CASE("errors and rankings of a model on a file, worked out by hand", "[evaluate]") {
    const Evaluated e;
    // User a has items 0 (predicted 5) and 3 (2); user b has item 4 (5). Unknown: user c, item 9.
    const auto found = e.evaluation("a 0 4\na 3 2\nb 4 3\nc 0 1\na 9 1\n", "--at 2");
    check_holds(found, {{"pairs", 3}, {"unknown", 2}, {"users", 2}, {"at", 2}});
    CHECK(found["rmse"].get<double>() == Approx(std::sqrt((1 + 0 + 4) / 3.0)));
    CHECK(found["mae"].get<double>() == Approx((1 + 0 + 2) / 3.0));
    // The list of a is 0 1: it hits one of two relevant items, at position 1. The list of b is 4 3: it hits
    // the only one, at position 1.
    CHECK(found["precision"].get<double>() == Approx((0.5 + 0.5) / 2));
    CHECK(found["recall"].get<double>() == Approx((0.5 + 1) / 2));
    const double most = 1 + 1 / std::log2(3.0);
    CHECK(found["ndcg"].get<double>() == Approx((1 / most + 1) / 2));
    // With a minimum weight of 3, item 3 of user a is not relevant.
    const auto strict = e.evaluation("a 0 4\na 3 2\nb 4 3\n", "--at 2 --relevant 3");
    CHECK(strict["recall"].get<double>() == 1);
    CHECK(strict["ndcg"].get<double>() == 1);
    // Without item 0, the list of a is 1 2 and has no hit; but test items are never left out.
    write_file(e.folder / "rated.txt", "a 0 1\na 1 1\nb 4 5\n");
    const auto left = e.evaluation("a 2 4\nb 4 3\n", "--at 1 --exclude", e.folder / "rated.txt");
    CHECK(left["precision"].get<double>() == 1);
    CHECK(e.evaluation("a 2 4\nb 4 3\n", "--at 1")["precision"].get<double>() == 0.5);
    // Pairs with an unknown ID are predicted by biases: 3 for each.
    const auto biased = e.evaluation("a 0 4\nc 0 1\na 9 1\n", "--unknown bias --at 0");
    check_holds(biased, {{"pairs", 3}, {"unknown", 2}});
    CHECK(biased["mae"].get<double>() == Approx((1 + 2 + 2) / 3.0));
    CHECK_FALSE(biased.contains("precision"));

    CHECK(run_program("lockstep-predict", e.model, "--at 2 --evaluate -", Input{"a 0 4\nb 4 3\n"}).out ==
          "RMSE 1.58114, MAE 1.50000: 2 pairs\nprecision@2 0.50000, recall@2 1.00000, NDCG@2 1.00000: 2 "
          "users\n");
    // If most IDs are unknown, the file is probably a wrong one.
    const auto warned = [&](const std::string& test) {
        return done("lockstep-predict", e.model, "--at 0 --evaluate -", Input{test}).err;
    };
    CHECK_THAT(warned("a 0 4\nx 0 1\na 9 1\n"),
               Catch::Contains("warning: 2 of 3 pairs have an id that is not in the model"));
    CHECK(warned("a 0 4\na 9 1\n").empty());
    refused(4, "none of its 1 pairs is in the model", "lockstep-predict", e.model, "--evaluate -",
            Input{"x 0 4\n"});
    refused(4, "the column 9 is not in the model", "lockstep-predict", e.model,
            "--unknown error --evaluate -", Input{"a 9 4\n"});
    refused("--at and --relevant require --evaluate", "lockstep-predict", e.model, "--top 1 --at 3");
    refused("expected either", "lockstep-predict", e.model, "--top 1 --evaluate x");
}

TEST_CASE("an evaluation is that of an independent script", "[evaluate]") {
    if (!has_h5py()) return skip("no h5py or no numpy");
    const TemporaryFolder folder;
    const std::string ratings = (folder / "r.txt").string(), schedules = (folder / "r.h5").string(),
                      model = (folder / "m.h5").string(), test = (folder / "test.txt").string();
    done(
        "lockstep-generate ratings --users 400 --items 150 --edges 9000 --max-degree 200 --noise 0.3 --seed "
        "5 -o",
        ratings);
    done("lockstep-preprocess", ratings, "-o", schedules, "-q");
    for (const std::string options : {"--model-form biased", "--model-form plain"}) {
        CAPTURE(options);
        done("lockstep-execute", schedules,
             "--strategy agm-e --device cpu -q --force --sweeps 6 --test-fraction 0.2", options.c_str(), "-m",
             model, "--export-test", test);
        const std::string script = std::string(LOCKSTEP_TEST_DATA) + "/../python/metrics.py";
        for (const std::string more : {"7", "10 3.5"}) {
            const std::string out = (folder / "python.json").string();
            REQUIRE(std::system(("/usr/bin/python3 '" + script + "' " + model + " " + test + " " + ratings +
                                 " " + more + " > " + out)
                                    .c_str()) == 0);
            const auto expected = nlohmann::json::parse(read_file(out));
            const auto found =
                parsed("lockstep-predict", model, "--json --evaluate", test, "--exclude", ratings,
                       more == "7" ? "--at 7" : "--at 10 --relevant 3.5")["evaluation"];
            for (const char* key : {"pairs", "unknown", "users"}) CHECK(found[key] == expected[key]);
            for (const char* key : {"rmse", "mae"})
                CHECK(found[key].get<double>() == Approx(expected[key].get<double>()).epsilon(1e-6));
            for (const char* key : {"precision", "recall", "ndcg"})
                CHECK(found[key].get<double>() == Approx(expected[key].get<double>()).epsilon(1e-12));
        }
    }
}

TEST_CASE("new users are folded in by least squares", "[foldin]") {
    const Evaluated e;
    // Without regularisation two ratings determine bias b and factor p: 4 = 3 + b - 2 p, 2.5 = 3 + b + p.
    const auto predicted =
        done("lockstep-predict", e.model, "--fold-in -", "--top 5", Input{"new 0 4\nnew 3 2.5\n"});
    CHECK(predicted.out == "new 0 4 1\nnew 1 3.5 2\nnew 2 3 3\nnew 3 2.5 4\nnew 4 2 5\n");
    CHECK_THAT(predicted.err, Catch::Contains("1 users folded in"));
    // Known users keep their vectors, unless they are in the file; the IDs of both can be used.
    write_file(e.folder / "new.txt", "new 0 4\nnew 3 2.5\nb 0 5\nb 4 1\nnobody 77 3\n");
    write_file(e.folder / "pairs.txt", "a 0\nb 0\nnew 4\nnobody 2\n");
    const std::string grown = (e.folder / "grown.h5").string();
    CHECK(done("lockstep-predict", e.model, "--fold-in", e.folder / "new.txt", "--pairs",
               e.folder / "pairs.txt", "--save-model", grown)
              .out == "a 0 5\nb 0 5\nnew 4 2\nnobody 2 3\n");
    CHECK(done("lockstep-predict", grown, "--pairs", e.folder / "pairs.txt").out ==
          "a 0 5\nb 0 5\nnew 4 2\nnobody 2 3\n");
    // Ridge regression: (2 + 2 λ) p = …, here for a plain model of rank 1 with items 1 and 2, ratings 1 and
    // 3: p = (1 + 6) / (1 + 4 + 2 λ).
    Model plain;
    plain.rows = 1, plain.cols = 2, plain.rank = 1, plain.row_factors = {1}, plain.col_factors = {1, 2};
    plain.row_ids = RangeIds{0, 1}, plain.col_ids = RangeIds{0, 2};
    plain.parameters = {{"regularisation", "1"}};
    write_model(e.folder / "plain.h5", plain);
    const auto one = [&](const auto&... more) {
        return done("lockstep-predict", e.folder / "plain.h5", "--top 1 --fold-in -", more...,
                    Input{"7 0 1\n7 1 3\n"})
            .out;
    };
    CHECK(one() == "7 1 2 1\n");
    CHECK(one("--regularisation 15") == "7 1 0.4 1\n");
    refused("do not determine its vector", "lockstep-predict", e.model, "--top 1 --fold-in -",
            Input{"new 0 4\n"});
    // With the constraint p ≥ 0, a negative solution becomes zero.
    plain.parameters = {{"regularisation", "0"}, {"nonnegative", "true"}};
    plain.rank = 2, plain.row_factors = {1, 1}, plain.col_factors = {1, 0, 0, 1};
    write_model(e.folder / "plain.h5", plain);
    CHECK(done("lockstep-predict", e.folder / "plain.h5", "--top 2 --fold-in -", Input{"7 0 2\n7 1 -3\n"})
              .out == "7 0 2 1\n7 1 0 2\n");
    refused("require --fold-in", "lockstep-predict", e.model, "--top 1 --save-model x.h5");
}
