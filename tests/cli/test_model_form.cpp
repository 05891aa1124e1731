// The form of an SGD model on the command line: predictions, messages and defaults.
#include <algorithm>
#include <cmath>

#include "cli_support.hpp"
#include "lockstep/formats/model_file.hpp"

using namespace lockstep;
using Catch::Matchers::Contains;
using json = nlohmann::json;

namespace {

struct Ratings {
    test::TemporaryFolder folder;
    std::string schedules = (folder / "r.h5").string(), model = (folder / "m.h5").string();

    Ratings() {
        const auto text = folder / "r.txt";
        test::done("lockstep-generate",
                   "ratings --users 300 --items 100 --edges 9000 --max-degree 250 --noise 0.3 --seed 3 -q -o",
                   text);
        test::done("lockstep-preprocess", text, "-q -s agm-e -o", schedules);
    }
    json run(const auto&... more) const {
        return test::parsed("lockstep-execute", schedules, "--strategy agm-e --device cpu -k 8 --json",
                            more...);
    }
};

}  // namespace

TEST_CASE(
    "a model is biased unless it is told otherwise, better than its biases, and predicts as it was measured",
    "[model_form]") {
    const Ratings ratings;
    const json run =
        ratings.run("--test-fraction 0.1 --model", ratings.model, "--record", ratings.folder / "run.jsonl");
    CHECK(run["model_form"] == "biased");
    CHECK(run["rmse_test"] < run["rmse_baseline"]);
    const auto& kept = run["sweeps"][run["kept_sweep"].get<std::size_t>() - 1];
    CHECK(run["rmse_test"] == kept["rmse_test"]);
    for (const auto& sweep : run["sweeps"]) CHECK(sweep["rmse_test"] >= run["rmse_test"]);
    const auto record = test::read_file(ratings.folder / "run.jsonl");
    CHECK_THAT(record, Contains(R"("model_form":"biased")") && Contains(R"("rmse_baseline":")"));

    const Model model = read_model(ratings.model);
    CHECK(model.biases.row.size() == 300);
    CHECK(model.biases.col.size() == 100);
    CHECK(model.parameters.at("model_form") == "biased");
    // The RMSE over all pairs of the input, held out or not, is between the training and the test error.
    const json predicted =
        test::parsed("lockstep-predict", ratings.model, "--json --pairs", ratings.folder / "r.txt");
    std::istringstream input(test::read_file(ratings.folder / "r.txt"));
    double squares = 0;
    std::size_t count = 0;
    long user = 0, item = 0;
    for (double weight = 0; input >> user >> item >> weight; ++count)
        squares += std::pow(weight - predicted["predictions"][count]["prediction"].get<double>(), 2);
    const double rmse = std::sqrt(squares / static_cast<double>(count));
    CHECK(rmse > run["rmse_train"].get<double>());
    CHECK(rmse < run["rmse_test"].get<double>());

    const json report = test::parsed("lockstep-report", ratings.folder / "run.jsonl", "--json");
    // The RMSE of the best sweep, not of the last one.
    CHECK(report["groups"][0]["rows"][0]["rmse_test"] == run["rmse_test"]);

    const auto text =
        test::done("lockstep-execute", ratings.schedules, "--strategy agm-e --device cpu -k 8 --sweeps 2");
    CHECK_THAT(text.out, Contains("(biases alone: "));
}

TEST_CASE("the plain form is as it was", "[model_form]") {
    const Ratings ratings;
    const json plain = ratings.run("--model-form plain --sweeps 3 --model", ratings.model);
    CHECK(plain["model_form"] == "plain");
    CHECK(plain["rmse_baseline"].is_null());
    const Model model = read_model(ratings.model);
    CHECK(model.biases.empty());
    CHECK(model.parameters.at("learning_rate") == "0.01");
    CHECK(model.parameters.at("regularisation") == "0.1");
    CHECK(model.parameters.at("rate_schedule") == "constant");
    CHECK(ratings.run("--model-form plain --test-fraction 0.1")["sweeps"].size() == 10);
    CHECK(
        ratings.run("--model-form plain --sweeps 3 --learning-rate 0.01 --regularisation 0.1 --early-stop 0")
            ["result_hash"] == plain["result_hash"]);
}

TEST_CASE("rates that are given are in the unit of the weights, others are taken from them", "[model_form]") {
    const Ratings ratings;
    test::done("lockstep-execute", ratings.schedules,
               "--strategy agm-e --device cpu --sweeps 1 --quiet --learning-rate "
               "0.02 --regularisation 0.3 --model",
               ratings.model);
    Model model = read_model(ratings.model);
    CHECK(model.parameters.at("learning_rate") == "0.02");
    CHECK(model.parameters.at("regularisation") == "0.3");
    test::done("lockstep-execute", ratings.schedules,
               "--strategy agm-e --device cpu --sweeps 1 --quiet --force --model", ratings.model);
    model = read_model(ratings.model);
    // The defaults are 0.03 / s and 0.15 s, where s is the standard deviation of the residuals of the biases.
    CHECK(std::stod(model.parameters.at("learning_rate")) *
              std::stod(model.parameters.at("regularisation")) ==
          Approx(0.03 * 0.15).epsilon(1e-4));
}

TEST_CASE("predictions keep to the scale that the ratings lie on, unless they are asked for as they are",
          "[model_form]") {
    const test::TemporaryFolder folder;
    const auto stars = folder / "s.txt", model = folder / "m.h5", prices = folder / "p.txt";
    test::done("lockstep-generate",
               "ratings --users 200 --items 80 --edges 5000 --max-degree 90 --noise 0.2 --scale 2.5..3.5 "
               "--seed 3 -q -o",
               stars);
    test::done("lockstep-train", stars, "--device cpu --strategy agm-e -k 8 -q -m", model);
    CHECK(read_model(model).parameters.at("scale") == "2.5..3.5");
    const auto predicted = [&](const char* more) {
        const json found = test::parsed("lockstep-predict", model, "--json --pairs", stars, more);
        std::vector<double> all;
        for (const json& p : found["predictions"]) all.push_back(p["prediction"].get<double>());
        return all;
    };
    const std::vector<double> held = predicted(""), as_they_are = predicted("--no-clip");
    for (std::size_t i = 0; i < held.size(); ++i) REQUIRE(held[i] == std::clamp(as_they_are[i], 2.5, 3.5));
    CHECK(held != as_they_are);
    const auto error = [&](const char* more) {
        return test::parsed("lockstep-predict", model, "--json --at 0 --evaluate", stars,
                            more)["evaluation"]["rmse"]
            .get<double>();
    };
    CHECK(error("") < error("--no-clip"));
    CHECK(test::run_program("lockstep-predict", model, "--top 3 --no-clip").code == 2);

    test::done("lockstep-generate", "ratings --users 200 --items 80 --edges 5000 --max-degree 90 -q -o",
               prices);
    test::done("lockstep-train", prices, "--device cpu --strategy agm-e -k 8 -q --force -m", model);
    CHECK(!read_model(model).parameters.contains("scale"));
}

TEST_CASE("ratings measured by a model of what is taken say so", "[model_form]") {
    const test::TemporaryFolder folder;
    const auto stars = folder / "s.txt", taken = folder / "t.txt", model = folder / "m.h5";
    test::done("lockstep-generate",
               "ratings --users 60 --items 40 --edges 900 --max-degree 50 --scale 1..5 -q -o", stars);
    test::done("lockstep-train", stars,
               "--device cpu --strategy agm-e -k 4 -q --feedback implicit --solver sgd -m", model);
    CHECK_THAT(test::done("lockstep-predict", model, "--at 0 --evaluate", stars).err,
               Contains("and not ratings"));
    test::write_file(taken, "1 1 1\n2 2 1\n");
    CHECK_THAT(test::done("lockstep-predict", model, "--at 0 --unknown nan --evaluate", taken).err,
               !Contains("and not ratings"));
    CHECK(!read_model(model).parameters.contains("scale"));
}

TEST_CASE("factors at or above zero are so from the start, also where no edge leads", "[model_form]") {
    const test::TemporaryFolder folder;
    const auto text = folder / "r.txt", file = folder / "r.h5", model = folder / "m.h5";
    test::write_file(text, "a x 1\nb y 2\na y 1\nb x 3\nc z 1\n");
    test::done("lockstep-preprocess", text, "-o", file, "--schedule agm-e -q");
    test::done("lockstep-execute", file, "--strategy agm-e --device cpu --model-form plain --sweeps 1 -q -m",
               model);
    Model of_negative = read_model(model);
    for (float& x : of_negative.row_factors) x = -1;
    for (float& x : of_negative.col_factors) x = -1;
    write_model(model, of_negative);
    // Sweeps would clip the factors that they update. Vertices whose edges are held out are never updated,
    // and without sweeps no vertex is.
    test::done("lockstep-execute", file, "--strategy agm-e --device cpu --nonnegative --sweeps 0 -q --init",
               model, "-m", folder / "n.h5");
    const Model clamped = read_model(folder / "n.h5");
    CHECK(*std::ranges::min_element(clamped.row_factors) == 0);
    CHECK(*std::ranges::min_element(clamped.col_factors) == 0);
}

TEST_CASE("factors at or above zero are a plain model's", "[model_form]") {
    const Ratings ratings;
    CHECK(ratings.run("--nonnegative --sweeps 1")["model_form"] == "plain");
    const auto refused = test::run_program("lockstep-execute", ratings.schedules,
                                           "--strategy agm-e --nonnegative --model-form biased");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, Contains("plain form"));
}
