// Weights of any magnitude: the learning rate that a diverged run suggests converges at the first attempt; an
// RMSE that does not exist is shown as a dash.
#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "cli_support.hpp"

using namespace lockstep;
using nlohmann::json;
using test::run_program;

namespace {

/// Writes ratings of 1 to 5 times `unit`, with or without a hub, as a schedule file. Returns its path.
std::string prepared(const test::TemporaryFolder& folder, double unit, bool skewed) {
    std::string text;
    for (int u = 0; u < 200; ++u) {
        for (int i = 0; i < 60; ++i) {
            if ((u * 31 + i * 17) % 11 == 0 || (skewed && i == 7))
                text += fmt::format("u{} i{} {:g}\n", u, i, unit * (1 + (u * 7 + i * i * 3) % 5));
        }
    }
    test::write_file(folder / "r.txt", text);
    const std::string file = (folder / "r.h5").string();
    test::done("lockstep-preprocess", folder / "r.txt", "-o", file, "-q");
    return file;
}

test::ProgramResult execute(const std::string& file, std::vector<std::string> more) {
    more.insert(more.begin(), {file, "--strategy", "agm-e", "--device", "cpu"});
    return run_program("lockstep-execute", more);
}

double last_rmse(const test::ProgramResult& r) {
    INFO(r.err);
    REQUIRE(r.code == 0);
    return json::parse(r.out)["rmse_train"].get<double>();
}

}  // namespace

TEST_CASE("the rate that a diverged run hints at converges when it is tried", "[divergence]") {
    for (const bool skewed : {false, true}) {
        for (const double unit : {0.001, 1.0, 100.0, 1e6}) {
            INFO(unit << ", skewed " << skewed);
            const test::TemporaryFolder folder;
            const std::string file = prepared(folder, unit, skewed);
            for (const double times : {30.0, 1e4}) {
                const std::string rate = fmt::format("{:g}", times / unit);
                const auto diverged = execute(file, {"--learning-rate", rate, "--sweeps", "40"});
                INFO(diverged.err);
                REQUIRE(diverged.code == 3);
                CHECK_THAT(diverged.out, Catch::Contains("RMSE – (diverged)") && !Catch::Contains("nan"));
                CHECK(json::parse(execute(file, {"--learning-rate", rate, "--sweeps", "40", "--json"})
                                      .out)["rmse_note"] == "diverged");
                std::smatch hint;
                REQUIRE(std::regex_search(diverged.err, hint, std::regex("Try ((--[a-z-]+ [0-9.e+-]+ ?)+)")));
                std::vector<std::string> options;
                std::istringstream words(hint[1].str());
                for (std::string word; words >> word;) options.push_back(word);
                options.insert(options.end(), {"--json", "--quiet", "--sweeps"});
                auto start = options, later = options;
                start[1] = "1e-30", start.push_back("1");  // the initial factors
                later.push_back("40");
                CHECK(last_rmse(execute(file, later)) < 0.95 * last_rmse(execute(file, start)));
            }
        }
    }
}

TEST_CASE("where there is no RMSE a dash and a null say so, no run without training edges", "[divergence]") {
    const test::TemporaryFolder folder;
    const std::string file = prepared(folder, 1, false);
    const auto all_held = execute(file, {"--test-fraction", "0.999999999"});
    CHECK(all_held.code == 2);
    CHECK_THAT(all_held.err, Catch::Contains("leaves none to train on"));
    const auto none_held = execute(file, {"--test-fraction", "1e-9", "--early-stop", "2"});
    CHECK(none_held.code == 2);
    CHECK_THAT(none_held.err, Catch::Contains("holds out none"));
    const auto untested = execute(file, {"--test-fraction", "1e-9", "--json"});
    REQUIRE(untested.code == 0);
    CHECK(json::parse(untested.out)["rmse_test"].is_null());
    const auto verbose = execute(file, {"--sweeps", "3", "--evaluate-every", "3", "-v"});
    CHECK_THAT(verbose.err, Catch::Contains("RMSE – (not evaluated)") && !Catch::Contains("nan"));
    CHECK_THAT(verbose.out, Catch::Contains("3 sweeps in ") && Catch::Contains(", evaluated in "));
}

TEST_CASE("factors that fp16 cannot hold end as diverged, with nothing written", "[divergence]") {
    const test::TemporaryFolder folder;
    const std::string file = prepared(folder, 1e10, false), model = (folder / "m.h5").string();
    const auto result = execute(file, {"--storage", "fp16", "--model-form", "plain", "--model", model});
    INFO(result.err);
    CHECK(result.code == 3);
    CHECK(result.err.find("the maximum of fp16") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(model));
}
