// Lists of a model: they come as they are ranked, end with their pipe, and say where others would be better.
#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include "cli_support.hpp"
#include "lockstep/formats/model_file.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string saved_model(const TemporaryFolder& folder, VertexId rows, VertexId cols, std::uint32_t rank) {
    Model model;
    model.rows = rows, model.cols = cols, model.rank = rank;
    for (std::size_t i = 0; i < std::size_t{rows} * rank; ++i)
        model.row_factors.push_back(static_cast<float>(i * 7919 % 101) - 50);
    for (std::size_t i = 0; i < std::size_t{cols} * rank; ++i)
        model.col_factors.push_back(static_cast<float>(i * 104729 % 103) - 51);
    model.row_ids = RangeIds{7, rows}, model.col_ids = RangeIds{0, cols};
    write_model(folder / "m.h5", model);
    return (folder / "m.h5").string();
}

}  // namespace

TEST_CASE("who reads the first list of everybody ends the ranking of the others", "[predict]") {
    const TemporaryFolder folder;
    // A second of work, whose lists (48 kB) a pipe takes without a reader: the first comes before the last is
    // made.
    const std::string model = saved_model(folder, 3000, 4000, 64);
    const auto first = run_program("/bin/bash", "-c",
                                   "\"" LOCKSTEP_BINARIES "/lockstep-predict\" \"" + model +
                                       "\" --top 1 -q | head -n 1; echo ${PIPESTATUS[0]}");
    CHECK(first.out.starts_with("7 "));
    CHECK(first.out.ends_with(" 1\n141\n"));
    CHECK(first.err.empty());
    CHECK(done("lockstep-inspect", model, "--row-ids").out.starts_with("7\n8\n9\n"));
    refused("--row-ids goes without", "lockstep-inspect", model, "--row-ids --json");
}

TEST_CASE("lists are the same whole as by user, whatever the blocks", "[predict]") {
    const TemporaryFolder folder;
    const std::string model = saved_model(folder, 100, 20, 3);
    const std::string all = done("lockstep-predict", model, "--top 2").out;
    std::string apart;
    for (int user = 7; user < 107; ++user)
        apart += done("lockstep-predict", model, "--top 2 --users", std::to_string(user)).out;
    CHECK(all == apart);
}

TEST_CASE("a short list is the beginning of the whole one, of every rank and with equal scores",
          "[predict]") {
    for (const std::uint32_t rank : {1U, 4U, 7U}) {  // at rank 1 most scores are there twice or more
        const TemporaryFolder folder;
        const std::string model = saved_model(folder, 40, 300, rank);
        const auto lists_of = [&](int items) {
            std::map<std::string, std::string> lists;
            std::istringstream all(done("lockstep-predict", model, "--top", std::to_string(items)).out);
            for (std::string line; std::getline(all, line);) {
                std::string& list = lists[line.substr(0, line.find(' '))];
                if (std::ranges::count(list, '\n') < 9) list += line + '\n';
            }
            return lists;
        };
        const auto whole = lists_of(300);
        CHECK(whole.size() == 40);
        for (const int items : {9, 10, 150, 299}) CHECK(lists_of(items) == whole);
    }
}

TEST_CASE("stages of verify, recommend and predict add up to their time", "[predict][verify][recommend]") {
    const TemporaryFolder folder;
    const std::string model = saved_model(folder, 30, 20, 2);
    const std::string ratings = LOCKSTEP_TOOLS "/../samples/ratings.txt", file = (folder / "r.h5").string();
    done("lockstep-preprocess", ratings, "-q -o", file);
    const auto check = [](const nlohmann::json& said, const std::string& stage) {
        double sum = 0;
        for (const auto& [name, seconds] : said.at("seconds").items()) {
            CHECK(seconds >= 0);
            sum += name == "total" ? 0 : seconds.get<double>();
        }
        CHECK(said["seconds"].at(stage) > 0);
        CHECK(said["seconds"].at("read") > 0);
        CHECK(std::abs(sum - said["seconds"]["total"].get<double>()) < 1e-9);
        CHECK(said.at("peak_bytes") > 1'000'000);
    };
    check(parsed("lockstep-verify", file, "--json"), "prove");
    check(parsed("lockstep-recommend", file, "--json --device cpu"), "predict");
    check(parsed("lockstep-predict", model, "--json --at 0 --unknown nan --evaluate", ratings), "evaluate");
    CHECK_THAT(done("lockstep-predict", model, "--top 1 --verbose").err, Catch::Contains("peak memory"));
}

TEST_CASE("lists of a model of ratings say what makes better ones", "[predict]") {
    const TemporaryFolder folder;
    const std::string ratings = LOCKSTEP_TOOLS "/../samples/ratings.txt";
    const std::string model = (folder / "m.h5").string(), lists = "--feedback implicit";
    const char* const options = "--device cpu --strategy agm-e --sweeps 2 -q --force -m";
    done("lockstep-train", ratings, options, model);
    CHECK_THAT(done("lockstep-predict", model, "--top 1").err, Catch::Contains(lists));
    for (const std::string quiet : {"--top 1 -q", "--top 1 --similar 3"})
        CHECK(done("lockstep-predict", model, quiet.c_str()).err.empty());
    done("lockstep-train", ratings, options, model, "--solver sgd --feedback implicit --positive-from 3.5");
    CHECK_THAT(done("lockstep-predict", model, "--top 1").err, Catch::Contains("--solver als"));
    done("lockstep-train", ratings, "--device cpu --sweeps 2 -q --force -m", model,
         "--feedback implicit --positive-from 3.5");
    CHECK(done("lockstep-predict", model, "--top 1").err.empty());
    // Of errors of ratings by a model that knows none a line warns.
    CHECK_THAT(done("lockstep-predict", model, "--evaluate", ratings).err,
               Catch::Contains("RMSE and MAE mean nothing"));
    CHECK(done("lockstep-predict", model, "-q --evaluate", ratings).err.empty());
}

TEST_CASE("equal weights are no ratings: train says what to do instead of making a model of zeros",
          "[train]") {
    const TemporaryFolder folder;
    const std::string model = (folder / "m.h5").string();
    for (const char* const weight : {"", " 5"}) {
        std::string text;
        for (int user = 0; user < 20; ++user) {
            for (int item = 0; item < 5; ++item)
                text +=
                    std::to_string(user) + ' ' + std::to_string((user + item * item) % 17) + weight + '\n';
        }
        write_file(folder / "r.txt", text);
        const auto train = [&](const char* options) {
            return run_program("lockstep-train", folder / "r.txt", "-m", model, "-q --force --device cpu",
                               options);
        };
        refused(4, (folder / "r.txt").string() + " -m " + model + " --feedback implicit", "lockstep-train",
                folder / "r.txt", "-m", model, "--device cpu -q");
        CHECK_FALSE(std::filesystem::exists(model));
        for (const char* const insists :
             {"--feedback implicit", "--model-form plain", "--model-form biased"}) {
            CHECK(train(insists).code == 0);
            std::filesystem::remove(model);
        }
    }
}
