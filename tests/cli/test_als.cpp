// Implicit ALS from the command line: the default for implicit feedback, its lists, its verification, new
// users, refusals.
#include <cmath>
#include <sstream>

#include "cli_support.hpp"
#include "lockstep/formats/model_file.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

constexpr const char* feedback = "--device cpu --feedback implicit --positive-from 3.5";

struct AlsPlace {
    TemporaryFolder folder;
    std::string ratings = LOCKSTEP_TOOLS "/../samples/ratings.txt", model = (folder / "m.h5").string(),
                test = (folder / "test.txt").string(), taken = (folder / "taken.txt").string();
    AlsPlace() {
        std::istringstream all(read_file(ratings));
        std::string user, item, weight, text;
        while (all >> user >> item >> weight) {
            if (std::stod(weight) >= 3.5) text += user + ' ' + item + '\n';
        }
        write_file(taken, text);
    }
    template <class... Options>
    nlohmann::json train(const Options&... options) const {
        return parsed("lockstep-train", ratings, "--force --json -m", model, options...);
    }
};

}  // namespace

TEST_CASE("implicit feedback trains by ALS, whose lists are what predict finds them worth", "[als]") {
    const AlsPlace p;
    const auto result = p.train(feedback, "--verify --export-test", p.test);
    CHECK(result["app"] == "als");
    CHECK(result["solver"] == "als");
    CHECK(result["input"]["drawn"] == 0);
    CHECK(result["check"]["ok"] == true);
    CHECK(result["train_edges"].get<int>() + result["test_edges"].get<int>() == result["input"]["edges"]);
    const auto found = parsed("lockstep-predict", p.model, "--json --at 20 --evaluate", p.test, "--exclude",
                              p.taken)["evaluation"];
    CHECK(found["recall"].get<double>() == Approx(result["recall"].get<double>()));
    CHECK(found["ndcg"].get<double>() == Approx(result["ndcg"].get<double>()));
    CHECK(found["users"] == result["users"]);
    CHECK(read_model(p.model).parameters.at("solver") == "als");
    CHECK(parsed("lockstep-inspect", p.model, "--json")["parameters"]["feedback"] == "implicit");

    // Test edges from another file are evaluated with the weights of that file. The result does not depend on
    // the number of threads.
    const auto apart = p.train(feedback, "--test", p.ratings);
    CHECK(apart["test_edges"] == apart["input"]["edges"]);
    refused(4, "no edge of --test has a weight of at least 3.5", "lockstep-train", p.ratings, "-q --force -m",
            p.model, feedback, "--test", p.test);
    const auto one = p.train(feedback, "--test-fraction 0 --threads 1"),
               two = p.train(feedback, "--test-fraction 0 --threads 2");
    CHECK(one["sweeps"].size() == 8);
    CHECK(two["result_hash"] == one["result_hash"]);
    const auto executed = parsed("lockstep-execute", p.taken, "--app als --device cpu --json --sweeps 8");
    CHECK(executed["train_edges"] == one["train_edges"]);
}

TEST_CASE("weights say how surely an item was taken, in any unit", "[als]") {
    const AlsPlace p;
    p.train("--device cpu --solver als --rank 8 --test-fraction 0");
    const Model model = read_model(p.model);
    CHECK(model.parameters.at("confidence") == "weights");
    std::istringstream all(read_file(p.ratings));
    std::string user, item, text;
    for (double weight; all >> user >> item >> weight;)
        text += user + ' ' + item + ' ' + std::to_string(weight * 1000) + '\n';
    write_file(p.folder / "thousand.txt", text);
    done("lockstep-train", p.folder / "thousand.txt", "-q --force -m", p.model,
         "--device cpu --solver als --rank 8 --test-fraction 0");
    const Model thousand = read_model(p.model);
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < model.row_factors.size(); ++i) {
        difference += std::pow(model.row_factors[i] - thousand.row_factors[i], 2);
        norm += std::pow(model.row_factors[i], 2);
    }
    CHECK(difference < 1e-6 * norm);
}

TEST_CASE("a user who took nothing has the mean of the others' vectors, and so a list", "[als]") {
    const AlsPlace p;
    write_file(p.folder / "more.txt", read_file(p.ratings) + "9001 1 1\n9002 1 2\n");
    const auto result = parsed("lockstep-train", p.folder / "more.txt", "--force --json -m", p.model,
                               feedback, "--rank 8 --test-fraction 0 --verify");
    CHECK(result["check"]["ok"] == true);
    const Model model = read_model(p.model);
    const auto vector = [&](std::size_t row, std::size_t j) {
        return double{model.row_factors[row * model.rank + j]};
    };
    const std::size_t others = model.rows - 2;
    for (std::size_t j = 0; j < model.rank; ++j) {
        double sum = 0;
        for (std::size_t row = 0; row < others; ++row) sum += vector(row, j);
        const double mean = sum / static_cast<double>(others);
        CHECK(vector(others, j) == Approx(mean).margin(1e-6));
        CHECK(vector(others + 1, j) == vector(others, j));
    }
    CHECK(run_program("lockstep-predict", p.model, "--quiet --top 1 --users 9001").out.find(" 0 ") ==
          std::string::npos);
}

TEST_CASE("a user who is folded in gets the vector that training would have solved for", "[als]") {
    const AlsPlace p;
    for (const char* const options : {feedback, "--device cpu --solver als"}) {
        p.train(options, "--rank 8 --test-fraction 0 --sweeps 60");
        const std::string ratings = options == feedback ? p.taken : p.ratings,
                          folded = (p.folder / "folded.h5").string();
        done("lockstep-predict", p.model, "-q --force --fold-in", ratings, "--save-model", folded);
        const Model before = read_model(p.model), after = read_model(folded);
        REQUIRE(after.rows == before.rows);
        double difference = 0, norm = 0;
        for (std::size_t i = 0; i < before.row_factors.size(); ++i) {
            difference += std::pow(before.row_factors[i] - after.row_factors[i], 2);
            norm += std::pow(before.row_factors[i], 2);
        }
        CHECK(difference < 1e-3 * norm);  // the columns were updated once more after the rows
    }
}

TEST_CASE("als refuses a graph of one set of vertices, and writes nothing", "[als]") {
    const AlsPlace p;
    const std::string file = (p.folder / "one.h5").string();
    done("lockstep-preprocess", p.taken, "--ends vertices --schedule agm-e -q -o", file);
    refused(
        4,
        "expected two sides (rows and columns): build the file again with lockstep-preprocess --ends sides",
        "lockstep-execute", file, "--app als --device cpu -q --model", p.model);
    CHECK_FALSE(std::filesystem::exists(p.model));
}

TEST_CASE("options of the other solver are refused by name", "[als]") {
    const AlsPlace p;
    for (const char* const option :
         {"--strategy tiled", "--negatives 4", "--nonnegative", "--learning-rate 0.1", "--model-form biased",
          "--keep k.h5", "--search 5", "--checkpoint c.h5", "--init m.h5", "--storage fp16",
          "--order shuffle"}) {
        const std::string name = std::string(option).substr(0, std::string(option).find(' '));
        refused(name + " is an option of --solver sgd, not of als", "lockstep-train", p.ratings, "-m",
                p.model, feedback, option);
    }
    for (const char* const option : {"--unobserved-weight 3", "--verify", "--regularisation-exponent 0",
                                     "--evaluate-users 5", "--at-once 16"})
        refused("is an option of --solver als, not of sgd", "lockstep-train", p.ratings, "-m", p.model,
                "--device cpu", option);
    refused("--regularisation must be above 0", "lockstep-train", p.ratings, "-m", p.model, feedback,
            "--regularisation 0");
    refused("--at-once 40 must be a multiple of 16", "lockstep-train", p.ratings, "-m", p.model, feedback,
            "--at-once 40");
    refused("--device reference is an option of sgd", "lockstep-train", p.ratings, "-m", p.model,
            "--device reference --feedback implicit");
    write_file(p.folder / "zero.txt", "1 2 0\n1 3 1\n");
    refused(4, "expected a weight above 0", "lockstep-train", p.folder / "zero.txt", "-m", p.model,
            "--device cpu --solver als --test-fraction 0 -q");
    CHECK_FALSE(std::filesystem::exists(p.model));
}
