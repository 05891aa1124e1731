// Errors, colours and kept models in the page and in the text of the report.
#include <regex>
#include <set>

#include "report_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

/// The text and the page for runs on one data set.
struct Shown {
    std::string text, page;
    explicit Shown(const std::vector<Run>& runs) {
        const TemporaryFolder folder;
        for (const Run& run : runs) write_run(folder / "r.jsonl", rating_data, run);
        text = done("lockstep-report", folder / "r.jsonl", "--html", folder / "r.html").out;
        page = read_file(folder / "r.html");
    }
    /// Returns a figure, from its title on.
    std::string figure(const std::string& title) const {
        const auto begin = page.find("<h3>" + title + "</h3>");
        REQUIRE(begin != std::string::npos);
        return page.substr(begin, page.find("</figure>", begin) - begin);
    }
};

}  // namespace

TEST_CASE("report: the picture of the error has the number of the table, that of the kept model") {
    Run run{"agm-e", 1, 0, {1, 1, 1, 1}, "stopped-early"};
    run.kept = 2;  // RMSE 1 / 2 + 0.5
    const Shown shown({run});
    CHECK_THAT(shown.text, Catch::Contains(" 1.0000 "));
    const std::string figure = shown.figure("Test RMSE over time");
    CHECK_THAT(figure, Catch::Contains("<td>1.0000</td>"));
    CHECK_THAT(figure, !Catch::Contains("0.7500"));  // the RMSE after the last sweep
    CHECK_THAT(figure, Catch::Contains("r=\"4\""));  // the ring at the sweep that was kept
    run.kept = 4;
    CHECK_THAT(Shown({run}).figure("Test RMSE over time"), !Catch::Contains("r=\"4\""));
}

TEST_CASE("report: no two lines of a picture have one colour") {
    std::vector<Run> runs;
    const json known = parsed("lockstep-execute --strategies --app sgd --json");
    for (const json& strategy : known.at("strategies"))
        runs.push_back({strategy.at("name"),
                        strategy.at("class") == "online" ? 0.0 : 1.0,
                        0,
                        {1, 1},
                        "ok",
                        strategy.at("name")});
    const auto colours_of = [](const std::string& figure) {
        const std::string legend = figure.substr(0, figure.find("</ul>"));
        std::multiset<std::string> colours;
        const std::regex stroke("stroke-[a-z]+");
        for (auto i = std::sregex_iterator(legend.begin(), legend.end(), stroke); i != std::sregex_iterator();
             ++i)
            colours.insert(i->str());
        return colours;
    };
    const auto all_differ = [&](std::size_t lines, const std::multiset<std::string>& colours) {
        INFO(nlohmann::json(colours));
        CHECK(colours.size() == lines);
        CHECK(std::set(colours.begin(), colours.end()).size() == lines);
    };
    all_differ(runs.size(), colours_of(Shown(runs).figure("Test RMSE over time")));
    // Two rows of one strategy.
    all_differ(
        2, colours_of(Shown({{"agm-e", 1, 0, {1}}, {"agm-e", 1, 0, {1, 1}}}).figure("Test RMSE over time")));
}

TEST_CASE("report: strategies with the same factors after every sweep are one line, the fastest's") {
    const std::string figure = Shown({{"agm-e", 1, 0, {2, 2}, "ok", "same"},
                                      {"agm-n", 1, 0, {1, 1}, "ok", "same"},
                                      {"diag", 1, 0, {1, 1}, "ok", "other"}})
                                   .figure("Test RMSE over time");
    CHECK_THAT(figure,
               Catch::Contains("agm-n = agm-e") && Catch::Contains("One line for each of 2 strategies"));
}

TEST_CASE("report: what says the same of every row is left out, and a total stands first") {
    const std::string one = Shown({{"el", 0, 0, {1}}, {"agm-e", 1, 0, {1}}}).text;
    CHECK_THAT(one, Catch::Contains("strategy  total s  "));
    for (const char* title : {"runs", "spread", "status", "prove "}) CHECK_THAT(one, !Catch::Contains(title));
    const std::string repeated =
        Shown({{"el", 0, 0, {1}}, {"el", 0, 0, {1.5}}, {"agm-e", 1, 0, {}, "died"}}).text;
    CHECK_THAT(repeated,
               Catch::Contains("runs  spread") && Catch::Contains(" 40 %") && Catch::Contains("died"));
}

TEST_CASE("report: a traversal has neither RMSE nor rank") {
    const Shown bfs({{"best", 0, 0, {1}, "ok", "r", "bfs"}});
    for (const std::string* form : {&bfs.text, &bfs.page}) {
        CHECK_THAT(*form, !Catch::Contains("RMSE"));
        CHECK_THAT(*form, !Catch::Contains("rank 0"));
    }
    CHECK_THAT(Shown({{"el", 0, 0, {1}}}).text, Catch::Contains("  RMSE test") && Catch::Contains("rank 16"));
}

TEST_CASE("report: an RMSE of 0, of weights that are all one number, is said to compare nothing") {
    Run one{"el", 0, 0, {1, 1}}, other{"agm-e", 1, 0, {1, 1}};
    const std::string note = "An RMSE of 0 is meaningless";
    CHECK_THAT(Shown({one, other}).text, !Catch::Contains(note));
    one.error = other.error = 1e-7;
    const Shown flat({one, other});
    CHECK_THAT(flat.text, Catch::Contains(note) && Catch::Contains("--feedback implicit"));
    CHECK_THAT(flat.page, Catch::Contains(note) && !Catch::Contains("RMSE over time"));
}

TEST_CASE("report: the numbers under a picture are narrow enough for half a page") {
    CHECK_THAT(Shown({{"el", 0, 0, {1}}}).page,
               Catch::Contains("figcaption thead th { white-space: normal; }"));
}
