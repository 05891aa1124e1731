// Errors, kept models and omitted columns in the text of the report.
#include "report_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// Returns the text of the report for runs on one data set.
std::string text_of(const std::vector<Run>& runs) {
    const TemporaryFolder folder;
    for (const Run& run : runs) write_run(folder / "r.jsonl", rating_data, run);
    return done("lockstep-report", folder / "r.jsonl").out;
}

}  // namespace

TEST_CASE("report: the error is that of the kept model") {
    Run run{"agm-e", 1, 0, {1, 1, 1, 1}, "stopped-early"};
    run.kept = 2;  // RMSE 1 / 2 + 0.5
    CHECK_THAT(text_of({run}), Catch::Contains(" 1.0000 "));
}

TEST_CASE("report: what says the same of every row is left out, and a total stands first") {
    const std::string one = text_of({{"el", 0, 0, {1}}, {"agm-e", 1, 0, {1}}});
    CHECK_THAT(one, Catch::Contains("strategy  total s  "));
    for (const char* title : {"runs", "spread", "status", "prove "}) CHECK_THAT(one, !Catch::Contains(title));
    const std::string repeated =
        text_of({{"el", 0, 0, {1}}, {"el", 0, 0, {1.5}}, {"agm-e", 1, 0, {}, "died"}});
    CHECK_THAT(repeated,
               Catch::Contains("runs  spread") && Catch::Contains(" 40 %") && Catch::Contains("died"));
}

TEST_CASE("report: a traversal has neither RMSE nor rank") {
    CHECK_THAT(text_of({{"best", 0, 0, {1}, "ok", "r", "bfs"}}),
               !Catch::Contains("RMSE") && !Catch::Contains("rank 0"));
    CHECK_THAT(text_of({{"el", 0, 0, {1}}}), Catch::Contains("  RMSE test") && Catch::Contains("rank 16"));
}

TEST_CASE("report: an RMSE of 0, of weights that are all one number, is said to compare nothing") {
    Run one{"el", 0, 0, {1, 1}}, other{"agm-e", 1, 0, {1, 1}};
    const std::string note = "An RMSE of 0 is meaningless";
    CHECK_THAT(text_of({one, other}), !Catch::Contains(note));
    one.error = other.error = 1e-7;
    CHECK_THAT(text_of({one, other}), Catch::Contains(note) && Catch::Contains("--feedback implicit"));
}
