// Ranked lists of a model: they are written while they are ranked, end with their pipe, and a note names a
// better model for lists.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
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

using Pairs = std::set<std::pair<std::string, std::string>>;

/// Returns the first two fields of every line.
Pairs pairs_of(const std::string& text) {
    std::istringstream lines(text);
    Pairs pairs;
    std::string user, item, rest;
    while (lines >> user >> item && std::getline(lines, rest)) pairs.emplace(user, item);
    return pairs;
}

std::size_t common(const Pairs& a, const Pairs& b) {
    return static_cast<std::size_t>(
        std::ranges::count_if(a, [&](const auto& pair) { return b.contains(pair); }));
}

}  // namespace

TEST_CASE("who reads the first list of everybody ends the ranking of the others", "[predict]") {
    const TemporaryFolder folder;
    // One second of work, whose lists (48 kB) fit in a pipe without a reader: the first list is written
    // before the last is computed.
    const std::string model = saved_model(folder, 3000, 4000, 64);
    const auto first = run_program("/bin/bash", "-c",
                                   "\"" LOCKSTEP_BINARIES "/lockstep-predict\" \"" + model +
                                       "\" --top 1 -q | head -n 1; echo ${PIPESTATUS[0]}");
    CHECK(first.out.starts_with("7 "));
    CHECK(first.out.ends_with(" 1\n141\n"));
    CHECK(first.err.empty());
    CHECK(done("lockstep-inspect", model, "--row-ids").out.starts_with("7\n8\n9\n"));
    refused("--row-ids excludes", "lockstep-inspect", model, "--row-ids --json");
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
    for (const std::uint32_t rank : {1U, 4U, 7U}) {  // at rank 1 most scores occur twice or more
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

TEST_CASE("lists leave out what a user took of the training data, by the model alone", "[predict]") {
    const TemporaryFolder folder;
    const std::string ratings = LOCKSTEP_TOOLS "/../samples/ratings.txt", model = (folder / "m.h5").string();
    const Pairs rated = pairs_of(read_file(ratings));
    std::istringstream all(read_file(ratings));
    std::string user, item, text;
    for (double weight; all >> user >> item >> weight;)
        if (weight >= 3.5) text += user + ' ' + item + '\n';
    const Pairs taken = pairs_of(text);
    const auto lists = [&](const std::string& options) {
        return done("lockstep-predict", model, "-q --top 20", options.c_str()).out;
    };
    for (const std::string fit :
         {"--sweeps 2 --strategy agm-e", "--feedback implicit --positive-from 3.5 --rank 8",
          "--feedback implicit --positive-from 3.5 --solver sgd --sweeps 2 --strategy agm-e"}) {
        done("lockstep-train", ratings, "--device cpu -q --force -m", model, fit.c_str());
        const bool clicks = fit.starts_with("--feedback");
        const std::string found = lists("");
        CHECK(common(pairs_of(found), clicks ? taken : rated) == 0);
        CHECK(common(pairs_of(lists("--include-taken")), rated) > 0);
        CHECK(common(pairs_of(lists("--exclude " + ratings)), rated) == 0);
        // Edges below --positive-from are not part of the training data; --exclude leaves their items out,
        // too.
        CHECK((common(pairs_of(found), rated) > 0) == clicks);
        CHECK((lists("--exclude " + ratings) == found) != clicks);
        CHECK(lists("--include-taken --exclude " + ratings) == lists("--exclude " + ratings));
        CHECK(run_program("lockstep-predict", model, "--top 1").err.find("may contain") == std::string::npos);
    }
    // The taken items of a folded-in user are those in the ratings; those of a user of the model also include
    // the previous ones.
    const std::string known = rated.begin()->first, folded = (folder / "f.h5").string();
    std::string given;
    for (const auto& [someone, thing] : rated)
        if (given.size() < 60) given += "new " + thing + "\n" + known + ' ' + thing + '\n';
    write_file(folder / "new.txt", given);
    Pairs known_pairs = pairs_of(given);
    for (const auto& pair : taken)
        if (pair.first == known) known_pairs.insert(pair);
    const std::string options = "-q --top 1000 --users new," + known;
    const std::string fresh = done("lockstep-predict", model, options.c_str(), "--fold-in",
                                   folder / "new.txt", "--save-model", folded)
                                  .out;
    CHECK(common(pairs_of(fresh), known_pairs) == 0);
    CHECK(done("lockstep-predict", folded, options.c_str()).out == fresh);

    refused("--include-taken requires --top", "lockstep-predict", model, "--include-taken --evaluate",
            ratings);
    refused("--similar excludes", "lockstep-predict", model, "--top 1 --similar 3 --include-taken");
}

TEST_CASE("a model without its training data says that lists may name what was taken", "[predict]") {
    const TemporaryFolder folder;
    const std::string model = saved_model(folder, 10, 20, 2);
    const std::string pair = "7 3\n";
    write_file(folder / "r.txt", pair);
    CHECK_THAT(done("lockstep-predict", model, "--top 1").err,
               Catch::Contains("may contain items that the user"));
    for (const std::string& quiet :
         {std::string("-q"), std::string("--include-taken"), "--exclude " + (folder / "r.txt").string()})
        CHECK(done("lockstep-predict", model, "--top 1", quiet.c_str()).err.find("may contain") ==
              std::string::npos);
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
    // A note warns about errors of ratings if the model does not predict ratings.
    CHECK_THAT(done("lockstep-predict", model, "--evaluate", ratings).err,
               Catch::Contains("RMSE and MAE are meaningless"));
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
