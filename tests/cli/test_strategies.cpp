// lockstep-execute --strategies: one table of facts, which is consistent with help, schedules, report and
// docs.
#include <map>
#include <set>
#include <sstream>

#include "cli_support.hpp"
#include "lockstep/formats/run_record.hpp"
#include "lockstep/schedules/builders.hpp"

using namespace lockstep;
using nlohmann::json;
using test::run_program;

namespace {

json facts_of(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"--strategies", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = test::done("lockstep-execute", arguments);
    return json::parse(result.out)["strategies"];
}

/// Returns a file of the sources.
std::string source(const std::string& name) {
    return test::read_file(std::string(LOCKSTEP_TOOLS) + "/../" + name);
}

}  // namespace

TEST_CASE("strategies: every fact is there, and those that follow from others do") {
    std::set<std::string> builders_known;
    std::map<std::string, std::set<std::string>> names;  // names by application
    std::size_t all = 0;
    for (const Builder& builder : builders()) builders_known.insert(builder.name);
    for (const json& s : facts_of()) {
        INFO(s);
        CHECK(names[s["app"]].insert(s["name"]).second);
        ++all;
        for (const char* key : {"app", "walk", "policy", "class", "source", "summary"})
            CHECK_FALSE(s[key].get<std::string>().empty());
        CHECK((s["schedule"].is_null() || builders_known.contains(s["schedule"])));
        CHECK(s["races"] == (s["policy"] == "racing"));
        CHECK(s["races"] == (s["class"] == "racing"));
        CHECK(s["deterministic"] == (s["policy"] == "none" || s["policy"] == "atomics"));
        CHECK(std::set<std::string>{"", "rounds", "workers", "locks", "hubs", "memory", "half"}.contains(
            s["bound"]));
        // Strips are built for the run; pull-push uses the schedule of another strategy.
        if (s["class"] == "offline" && s["name"] != "pull-push" && s["name"] != "strips")
            CHECK(s["schedule"] == s["name"]);
    }
    CHECK(facts_of({"--app", "bfs"}) == facts_of({"--app", "sssp"}));
    for (const auto& [app, of_app] : names) {
        for (const json& s : facts_of({"--app", app == "frontier" ? "bfs" : app == "edge" ? "sgd" : app}))
            all -= s["app"] == app;  // springs also have the strategies of updates
    }
    CHECK(all == 0);
}

TEST_CASE("attempts: EL with one attempt an edge says which part of a hub a pass gets done, others refuse") {
    const test::TemporaryFolder folder;
    const auto file = folder / "r.h5", record = folder / "r.jsonl";
    test::done("lockstep-generate ratings --users 200 --items 80 --edges 2000 --max-degree 60 -q -o",
               folder / "r.txt");
    test::done("lockstep-preprocess -q", folder / "r.txt", "-o", file, "-s el-sgm,agm-e");
    for (const char* strategy : {"el", "nl-el", "el-sgm"}) {
        INFO(strategy);
        const json result = test::parsed("lockstep-execute -q --json --attempts 1 --device cpu --sweeps 2",
                                         file, "--strategy", strategy, "--record", record);
        CHECK(result["updates"] == 2 * 2000);
        for (const json& sweep : result["sweeps"]) CHECK((sweep["f"] > 0 && sweep["f"] <= 1));
    }
    // If a few edges of a star conflict, an additional pass is made for them: most of the hub was done in the
    // first pass.
    test::write_file(folder / "star.txt", [] {
        std::string text;
        for (int i = 0; i < 50'000; ++i) text += std::to_string(i) + " hub 1\n";
        return text;
    }());
    test::done("lockstep-preprocess -q", folder / "star.txt", "-o", folder / "star.h5");
    for (const char* strategy : {"el", "nl-el"}) {
        const json star = test::parsed("lockstep-execute -q --json --attempts 1 --device cpu --threads 4",
                                       folder / "star.h5", "--strategy", strategy);
        for (const json& sweep : star["sweeps"]) {
            const double f = sweep["f"], by_passes = 1 / sweep["passes"].get<double>();
            CHECK(f <= 1);
            CHECK((by_passes < 1 && strategy == std::string("el") ? f > by_passes : f >= by_passes));
        }
    }
    const std::vector<RunRecord> runs = read_run_records(record);
    REQUIRE(runs.size() == 3);
    CHECK(runs[0].run.parameters.at("attempts") == "1");
    CHECK(runs[0].sweeps[0].metric("f").has_value());
    test::refused("--attempts applies only to el",
                  "lockstep-execute -q --attempts 1 --device cpu --strategy agm-e", file);
    test::refused("--components 1 applies only to",
                  "lockstep-execute -q --components 1 --device cpu --strategy agm-e", file);
}

TEST_CASE("strategies: the text table, help and the documents have what the JSON has") {
    const test::Columns wide("1000");  // a summary on one line
    const std::string help = run_program("lockstep-execute --help-all").out;
    const std::map<std::string, std::string> pages{{"edge", source("docs/research/strategies.md")},
                                                   {"springs", source("docs/guides/springs.md")},
                                                   {"layout", source("docs/guides/layout.md")},
                                                   {"als", source("docs/guides/recommender.md")}};
    const auto page_of = [&](const std::string& app) -> const std::string& {
        // A page for all other applications.
        static const std::string graphs = source("docs/guides/graphs.md");
        const auto found = pages.find(app);
        return found == pages.end() ? graphs : found->second;
    };
    std::istringstream table(run_program("lockstep-execute --strategies").out);
    std::string line;
    std::getline(table, line);
    for (const json& s : facts_of()) {
        INFO(s);
        REQUIRE(std::getline(table, line));
        std::istringstream cells(line);
        std::string name, app, schedule, walk, policy, kind, deterministic;
        cells >> name >> app >> schedule >> walk >> policy >> kind >> deterministic;
        CHECK(name == s["name"].get<std::string>());
        CHECK(schedule == (s["schedule"].is_null() ? "-" : s["schedule"].get<std::string>()));
        CHECK(kind == s["class"].get<std::string>());
        CHECK(deterministic == (s["deterministic"] ? "yes" : "no"));
        CHECK(help.find(name + " ") != std::string::npos);
        CHECK(help.find(s["summary"]) != std::string::npos);
        CHECK(page_of(s["app"]).find("`" + name + "`") != std::string::npos);
        if (s["app"] != "edge") continue;
        // Its row in "Which one?": | [`name`](…) | schedule | … | same bits |
        const std::string& page = pages.at("edge");
        const std::size_t at = page.find("| [`" + name + "`]");
        REQUIRE(at != std::string::npos);
        const std::string row = page.substr(at, page.find('\n', at) - at);
        CHECK(row.ends_with("| " + deterministic + " |"));
        CHECK(row.find(schedule == "-" ? ") | – |" : ") | `" + schedule + "` |") != std::string::npos);
    }
    CHECK_FALSE(std::getline(table, line));
}
