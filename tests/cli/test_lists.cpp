// Lists of a model: they come as they are ranked, end with their pipe, and say where others would be better.
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
