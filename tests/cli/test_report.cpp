// lockstep-report on synthetic run records, against numbers worked out by hand.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "catch.hpp"
#include "lockstep/formats/run_record.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"
#include "support.hpp"

using namespace lockstep;
using nlohmann::json;
using test::run_program;

namespace {

/// A strategy as the generator runs it: preprocessing in seconds, seconds of each sweep.
struct Run {
    std::string strategy;
    double schedule = 0, write = 0;
    std::vector<double> sweeps;
    std::string status = "ok";  ///< "died": no end line
    std::string result = "r";
    std::string app = "sgd", order = "given";
};

struct DataSet {
    std::string name;
    VertexId rows, cols;
    EdgeId edges, max_degree;
    std::optional<std::string> input = {};
};
const DataSet rating_data{"ratings", 1000, 500, 20'000, 400};
const DataSet road{"road", 10'000, 10'000, 25'000, 8};

void write_run(const std::filesystem::path& path, const DataSet& data, const Run& what) {
    RunHeader run;
    run.program = "lockstep-execute 0.1.0 (revision abc)";
    run.command = {"lockstep-execute", data.name + ".h5", "--strategy", what.strategy};
    run.started = "2025-01-02T03:04:05Z";
    run.app = what.app;
    run.strategy = what.strategy;
    run.deterministic = what.schedule > 0 && what.strategy != "el-shuffled";
    run.device = {"cpu", "Test <CPU> & co", 2, ""};
    run.rank = 16;
    run.seed = 1;
    run.sweeps = what.sweeps.size();
    run.schedule_file = "some/" + data.name + ".h5";
    run.graph_hash = "graph-" + data.name;
    run.input = data.input;
    run.schedule_hash = what.schedule > 0 ? "schedule-" + what.strategy : "";
    run.rows = data.rows, run.cols = data.cols;
    run.edges = data.edges, run.train_edges = data.edges * 9 / 10, run.test_edges = data.edges / 10;
    run.max_row_degree = data.max_degree, run.max_col_degree = data.max_degree;
    run.parameters = {{"learning_rate", "0.01"}, {"order", what.order}};
    RunRecorder recorder(path);
    recorder.write(run);
    double total = 0;
    for (std::size_t i = 0; i < what.sweeps.size(); ++i) {
        total += what.sweeps[i];
        const double rmse = what.status == "diverged" ? std::numeric_limits<double>::quiet_NaN()
                                                      : 1 / static_cast<double>(i + 1);
        recorder.write(SweepRecord{i + 1,
                                   what.sweeps[i],
                                   {{"rmse_train", rmse}, {"rmse_test", rmse + 0.5}},
                                   run.train_edges,
                                   1 + i});
    }
    if (what.status == "died") return;
    recorder.write(RunEnd{what.status,
                          what.result,
                          {0.5, what.schedule, what.write, 0.25, 0.125, total, 0.0625},
                          static_cast<double>(run.train_edges * what.sweeps.size()) / total});
}

std::vector<Run> all_strategies(double scale) {
    const auto sweeps = [&](double seconds) { return std::vector<double>(5, seconds * scale); };
    return {{"hogwild", 0, 0, sweeps(1)}, {"agm-e", 10, 2, sweeps(2)},      {"agm-n", 10, 2, sweeps(5)},
            {"sgm", 8, 2, sweeps(3)},     {"diag", 4, 2, sweeps(400)},      {"blkdiag", 5, 2, sweeps(4)},
            {"el", 0, 0, sweeps(4)},      {"el-shuffled", 1, 0, sweeps(5)}, {"nl", 0, 0, sweeps(6)},
            {"nl-el", 0, 0, sweeps(8)}};
}

/// Two data sets × ten strategies in one file a data set.
struct Records {
    test::TemporaryFolder folder;
    std::string first = (folder / "first.jsonl").string(), second = (folder / "second.jsonl").string();
    Records() {
        for (const Run& run : all_strategies(1)) write_run(first, rating_data, run);
        for (const Run& run : all_strategies(0.5)) write_run(second, road, run);
    }
};

json report(std::vector<std::string> arguments) {
    arguments.push_back("--json");
    const auto result = run_program("lockstep-report", arguments);
    INFO(result.err);
    REQUIRE(result.code == 0);
    return json::parse(result.out);
}

json row(const json& group, const std::string& strategy) {
    for (const json& one : group.at("rows")) {
        if (one.at("strategy") == strategy) return one;
    }
    FAIL("no row " + strategy);
    return {};
}

/// The report on runs of one data set.
json report_on(const std::vector<Run>& runs, const std::vector<std::string>& arguments = {}) {
    test::TemporaryFolder folder;
    for (const Run& run : runs) write_run(folder / "r.jsonl", rating_data, run);
    std::vector<std::string> all{(folder / "r.jsonl").string()};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return report(all);
}

std::vector<std::vector<std::string>> parse_csv(const std::string& text) {
    std::vector<std::vector<std::string>> rows(1, {""});
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (quoted) {
            if (text[i] != '"')
                rows.back().back() += text[i];
            else if (i + 1 < text.size() && text[i + 1] == '"')
                rows.back().back() += text[++i];
            else
                quoted = false;
        } else if (text[i] == '"')
            quoted = true;
        else if (text[i] == ',')
            rows.back().emplace_back();
        else if (text.compare(i, 2, "\r\n") == 0)
            rows.push_back({""}), ++i;
        else
            rows.back().back() += text[i];
    }
    REQUIRE(rows.back() == std::vector<std::string>{""});  // the last line ends, too
    rows.pop_back();
    return rows;
}

}  // namespace

TEST_CASE("report: two data sets, ten strategies") {
    Records records;
    const json all = report({records.first, records.second});
    CHECK(all.at("runs") == 20);
    REQUIRE(all.at("groups").size() == 2);
    const json& group = all["groups"][0];
    CHECK(group.at("data") == "ratings");
    CHECK(group.at("input_class") == "scale-free");
    CHECK(all["groups"][1].at("input_class") == "road");
    CHECK(group.at("baseline") == "el");
    CHECK(group.at("device").at("name") == "Test <CPU> & co");
    REQUIRE(group.at("rows").size() == 10);
    // Offline first, then online, then racing, whatever the order of the records.
    CHECK(group["rows"][0].at("strategy") == "agm-e");
    CHECK(group["rows"][5].at("strategy") == "el");
    CHECK(group["rows"][9].at("strategy") == "hogwild");

    const json agm = row(group, "agm-e");
    CHECK(agm.at("kind") == "offline");
    CHECK(agm.at("normalised") == 0.5);
    CHECK(agm.at("deterministic") == true);
    CHECK(agm.at("seconds").at("read") == 0.5);
    CHECK(agm.at("seconds").at("schedule") == 10);
    CHECK(agm.at("seconds").at("write") == 2);
    CHECK(agm.at("seconds").at("load") == 0.25);
    CHECK(agm.at("seconds").at("transfer") == 0.125);
    CHECK(agm.at("seconds").at("execute") == 10);
    CHECK(agm.at("seconds").at("execute_per_sweep") == 2);
    CHECK(agm.at("seconds").at("evaluate") == 0.0625);
    CHECK(agm.at("updates_per_second") == 9000);
    CHECK(agm.at("sweeps") == 5);
    CHECK(agm.at("passes") == 3);
    CHECK(agm.at("rmse_train") == 0.2);
    CHECK(agm.at("rmse_test") == 0.7);
    for (const char* key : {"variant", "runs", "status", "parameters", "program", "command", "schedule_hash",
                            "result_hashes", "seed"}) {
        CHECK(agm.contains(key));
    }
    for (const char* key : {"program", "command", "geomeans", "schedules_without_run"})
        CHECK(all.contains(key));
}

TEST_CASE("report: break-even") {
    Records records;
    const json group = report({records.first})["groups"][0];
    const auto pays = [&](const char* strategy, const char* against) {
        const json all = row(group, strategy).at("break_even");
        for (const json& one : all) {
            if (one.at("against") == against)
                return one.at("pays") == true ? one.at("sweeps").get<double>() : -1;
        }
        return -2.0;
    };
    // agm-e: 12 s of preprocessing, 2 s a sweep.
    CHECK(pays("agm-e", "el") == 6);             // 12 / (4 - 2)
    CHECK(pays("agm-e", "el-shuffled") == 4);    // (12 - 1) / (5 - 2) = 3.67
    CHECK(pays("agm-e", "nl") == 3);             // 12 / (6 - 2)
    CHECK(pays("agm-e", "nl-el") == 2);          // 12 / (8 - 2)
    CHECK(pays("agm-e", "hogwild") == -1);       // 1 s a sweep: never
    CHECK(pays("sgm", "el") == 10);              // 10 / (4 - 3)
    CHECK(pays("blkdiag", "el") == -1);          // a tie never pays
    CHECK(pays("blkdiag", "el-shuffled") == 6);  // (7 - 1) / (5 - 4)
    CHECK(pays("diag", "nl-el") == -1);
    // The headline is against the fastest online strategy, and beside it against the fastest race.
    CHECK(row(group, "agm-e").at("pays_online") == json{{"against", "el"}, {"pays", true}, {"sweeps", 6.0}});
    CHECK(row(group, "agm-e").at("pays_racing") ==
          json{{"against", "hogwild"}, {"pays", false}, {"sweeps", nullptr}});
    CHECK(row(group, "el").at("pays_online").is_null());

    // A schedule that costs no more than the other's preprocessing is ahead from the start.
    const json cheap = report_on({{"agm-e", 1, 0, {1}}, {"el-shuffled", 2, 0, {2}}});
    CHECK(row(cheap["groups"][0], "agm-e").at("pays_online").at("sweeps") == 0);
}

TEST_CASE("report: repeated runs become medians") {
    const json all = report_on({{"el", 0, 0, {1, 2, 9}},
                                {"el", 0, 0, {4, 4, 4}},
                                {"el", 0, 0, {30, 3, 3}},
                                {"agm-e", 1, 1, {1, 1}},
                                {"agm-e", 3, 1, {2, 2}}});
    const json el = row(all["groups"][0], "el"), agm = row(all["groups"][0], "agm-e");
    CHECK(el.at("runs") == 3);
    CHECK(el.at("seconds").at("execute_per_sweep") == 3);  // of 2, 4, 3
    CHECK(el.at("seconds").at("execute") == 12);           // of 12, 12, 36
    CHECK(agm.at("runs") == 2);
    CHECK(agm.at("seconds").at("schedule") == 2);
    CHECK(agm.at("seconds").at("execute_per_sweep") == 1.5);
    CHECK(agm.at("normalised") == 0.5);
}

TEST_CASE("report: geomeans over data sets") {
    Records records;
    DataSet third = rating_data;
    third.name = "third";
    for (const Run& run : {Run{"el", 0, 0, {1}}, Run{"agm-e", 1, 0, {2}}})
        write_run(records.folder / "third.jsonl", third, run);
    const json all = report({records.first, records.second, (records.folder / "third.jsonl").string()});
    bool found = false;
    for (const json& mean : all.at("geomeans")) {
        if (mean.at("strategy") != "agm-e" || mean.at("input_class") != "scale-free") continue;
        found = true;
        CHECK(std::abs(mean.at("geomean").get<double>() - 1) < 1e-12);  // sqrt(0.5 * 2)
        CHECK(mean.at("data_sets") == 2);
    }
    CHECK(found);
    CHECK(report({records.first}).at("geomeans").empty());
    CHECK(report({records.first, records.first}).at("runs") == 10);  // a file named twice counts once
}

TEST_CASE("report: without el the baseline is el-shuffled, and without that there is none") {
    const json shuffled = report_on({{"agm-e", 1, 0, {1}}, {"el-shuffled", 1, 0, {4}}})["groups"][0];
    CHECK(shuffled.at("baseline") == "el-shuffled");
    CHECK(row(shuffled, "agm-e").at("normalised") == 0.25);
    const json none = report_on({{"agm-e", 1, 0, {1}}, {"nl", 0, 0, {4}}})["groups"][0];
    CHECK(none.at("baseline").is_null());
    CHECK(row(none, "agm-e").at("normalised").is_null());
    CHECK(none.at("notes")[0].get<std::string>().find("No baseline") == 0);
    const json chosen = report_on({{"agm-e", 1, 0, {1}}, {"el", 0, 0, {2}}, {"nl", 0, 0, {4}}},
                                  {"--baseline", "nl"})["groups"][0];
    CHECK(row(chosen, "el").at("normalised") == 0.5);
}

TEST_CASE("report: PageRank is normalised to the slowest variant of each graph, given order against sorted") {
    const auto run = [](const char* strategy, double seconds, const char* order = "given") {
        return Run{strategy, 0, 0, {seconds, seconds, seconds}, "ok", "r", "pagerank", order};
    };
    const json group =
        report_on({run("push", 8), run("pull", 2), run("pull", 4, "degree"), run("pull-nodiv", 1)})
            .at("groups")
            .at(0);
    CHECK(group.at("app") == "pagerank");
    CHECK(group.at("baseline") == "slowest");
    CHECK(group.at("notes").dump().find("the slowest here, push") != std::string::npos);
    CHECK(row(group, "push").at("normalised") == 1);
    CHECK(row(group, "pull-nodiv").at("normalised") == 0.125);
    std::map<std::string, double> pull;
    for (const json& one : group.at("rows")) {
        if (one.at("strategy") == "pull") pull[one.at("variant")] = one.at("normalised");
    }
    CHECK(pull == std::map<std::string, double>{{"order given", 0.25}, {"order degree", 0.5}});
    CHECK(report_on({run("push", 8), run("pull", 2)}, {"--baseline", "pull"})
              .at("groups")
              .at(0)
              .at("baseline") == "pull");
}

TEST_CASE("report: a run that died or diverged is shown, and is no yardstick") {
    const json group = report_on(
        {{"agm-e", 1, 0, {1}}, {"el", 0, 0, {2, 2}, "died"}, {"nl", 0, 0, {3}, "diverged"}})["groups"][0];
    CHECK(group.at("baseline").is_null());
    const json died = row(group, "el"), diverged = row(group, "nl");
    CHECK(died.at("status") == "died");
    CHECK(died.at("seconds").at("load").is_null());
    CHECK(died.at("seconds").at("execute") == 4);
    CHECK(diverged.at("status") == "diverged");
    CHECK(diverged.at("rmse_train").is_null());
    CHECK(row(group, "agm-e").at("pays_online").is_null());
    // A run that died before its first sweep, alone in the file.
    const json alone = report_on({{"agm-e", 1, 0, {}, "died"}})["groups"][0];
    CHECK(row(alone, "agm-e").at("seconds").at("execute_per_sweep").is_null());
}

TEST_CASE("report: one sentence where all strategies diverged, one a status where some did") {
    const json none =
        report_on({{"agm-e", 1, 0, {1}, "diverged"}, {"el", 0, 0, {1}, "diverged"}})["groups"][0];
    REQUIRE(none.at("notes").size() == 1);
    CHECK(none.at("notes")[0].get<std::string>().starts_with("All strategies diverged"));
    const json some = report_on({{"agm-e", 1, 0, {1}, "diverged"},
                                 {"sgm", 1, 0, {1}, "diverged"},
                                 {"nl", 0, 0, {1}, "died"},
                                 {"el", 0, 0, {1}}})["groups"][0];
    REQUIRE(some.at("notes").size() == 2);
    CHECK(some.at("notes")[1].get<std::string>().ends_with("agm-e, sgm."));
}

TEST_CASE("report: data is called as its input file, or as the schedule file where that was a stream") {
    const auto name = [](const std::optional<std::string>& input) {
        test::TemporaryFolder folder;
        DataSet data = rating_data;
        data.input = input;
        write_run(folder / "r.jsonl", data, {"el", 0, 0, {1}});
        return report({(folder / "r.jsonl").string()})["groups"][0]["data"].get<std::string>();
    };
    CHECK(name({}) == "ratings");  // some/ratings.h5, of an older record
    CHECK(name("-") == "ratings");
    CHECK(name("/dev/stdin") == "ratings");
    CHECK(name("/dev/fd/63") == "ratings");
    CHECK(name("there/ml-1.0.csv") == "ml-1.0");
    CHECK(name("goodbooks-982k.txt.xz") == "goodbooks-982k");
    CHECK(name("books.tar.gz") == "books");
}

TEST_CASE("report: a deterministic row with two results is called out") {
    const json group =
        report_on({{"agm-e", 1, 0, {1}, "ok", "x"}, {"agm-e", 1, 0, {1}, "ok", "y"}})["groups"][0];
    CHECK(row(group, "agm-e").at("result_hashes") == json{"x", "y"});
    CHECK(group.at("notes").dump().find("2 different results") != std::string::npos);
}

TEST_CASE("report: text says what ran where and how it came out") {
    Records records;
    const auto result = run_program("lockstep-report", {records.first});
    REQUIRE(result.code == 0);
    CHECK(result.err.empty());
    for (const char* part :
         {"ratings · sgd · Test <CPU> & co, 2 threads · rank 16", "revision abc", "graph-ratings", "never",
          "First to pay for its preprocessing (12.0 s) against el: agm-e, after 6 sweeps."}) {
        CAPTURE(part, result.out);
        CHECK(result.out.find(part) != std::string::npos);
    }
}

TEST_CASE("report: CSV parses back") {
    Records records;
    const std::string path = (records.folder / "t.csv").string();
    DataSet odd = rating_data;
    odd.name = "a,\"b\"";
    write_run(records.first, odd, {"agm-e", 1, 0, {2}});
    REQUIRE(run_program("lockstep-report", {records.first, "--csv", path}).code == 0);
    const auto rows = parse_csv(test::read_file(path));
    REQUIRE(rows.size() == 1 + 10 + 1);
    const auto cell = [&](std::size_t line, const std::string& name) {
        for (std::size_t i = 0; i < rows[0].size(); ++i) {
            if (rows[0][i] == name) return rows[line][i];
        }
        return "no column " + name;
    };
    for (const auto& line : rows) CHECK(line.size() == rows[0].size());
    CHECK(cell(1, "strategy") == "agm-e");
    CHECK(cell(1, "execute_per_sweep_s") == "2");
    CHECK(cell(1, "pays_online_sweeps") == "6");
    CHECK(cell(1, "pays_racing_sweeps") == "never");
    CHECK(cell(6, "pays_online_sweeps").empty());
    CHECK(cell(11, "data") == "a,\"b\"");
}

TEST_CASE("report: the page is well formed, self-contained and escaped") {
    Records records;
    DataSet hostile = rating_data;
    hostile.name = "<script>alert('x')</script>";
    for (const Run& run : all_strategies(1)) write_run(records.first, hostile, run);
    write_run(records.first, hostile, {"sgm", 1, 0, {2, 2}, "died"});
    const std::string path = (records.folder / "report.html").string();
    REQUIRE(run_program("lockstep-report", {records.first, records.second, "--html", path}).code == 0);
    const std::string html = test::read_file(path);
    CHECK(html.find("<script") == std::string::npos);
    CHECK(html.find("://") == std::string::npos);
    CHECK(html.find("Test <CPU>") == std::string::npos);
    CHECK(html.find("Test &lt;CPU&gt; &amp; co") != std::string::npos);
    std::size_t pictures = 0;
    for (std::size_t at = 0; (at = html.find("<svg role=\"img\"", at)) != std::string::npos; ++at) ++pictures;
    CHECK(pictures == 3 + 3 * 4);  // geomeans of two input classes, hybrids; four a data set
    CHECK(html.find("nan") == std::string::npos);
    CHECK(html.find("inf%") == std::string::npos);
    if (std::system("/usr/bin/python3 -c '' 2> /dev/null") != 0) {
        WARN("no python3: the balance of the tags is not checked");
        return;
    }
    test::write_file(records.folder / "check.py", R"(
import sys, re
from html.parser import HTMLParser
from xml.etree import ElementTree
class Balance(HTMLParser):
    def __init__(self): super().__init__(); self.stack = []; self.ids = []
    def handle_starttag(self, tag, attributes):
        self.ids += [v for k, v in attributes if k == 'id']
        if tag != 'meta': self.stack.append(tag)
    def handle_startendtag(self, tag, attributes): pass
    def handle_endtag(self, tag):
        top = self.stack.pop() if self.stack else None
        if top != tag: sys.exit(f'</{tag}> closes <{top}> at {self.getpos()}')
page = open(sys.argv[1], encoding='utf-8').read()
balance = Balance(); balance.feed(page); balance.close()
if balance.stack: sys.exit(f'left open: {balance.stack}')
if len(set(balance.ids)) != len(balance.ids): sys.exit('an id occurs twice')
for picture in re.findall(r'(<svg role="img".*?</svg>)\s*<figcaption', page, re.S):
    root = ElementTree.fromstring(picture)
    if not root.find('title').text or not root.find('desc').text: sys.exit('a picture without a description')
)");
    const std::string command =
        "/usr/bin/python3 '" + (records.folder / "check.py").string() + "' '" + path + "'";
    CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("report: schedules in files that no run used") {
    test::TemporaryFolder folder;
    Dataset dataset;
    dataset.graph = test::paper_graph();
    dataset.row_ids = RangeIds{0, dataset.graph.rows};
    dataset.col_ids = RangeIds{0, dataset.graph.cols};
    const std::string path = (folder / "paper.data").string();  // told by content, not by name
    write_schedule_file(path, dataset, {{build_agm_e(dataset.graph, {}), 0.5}}, {});
    const json all = report({path});
    CHECK(all.at("groups").empty());
    REQUIRE(all.at("schedules_without_run").size() == 1);
    const json& idle = all["schedules_without_run"][0];
    CHECK(idle.at("schedule") == "agm-e");
    CHECK(idle.at("seconds").at("schedule") == 0.5);
    CHECK(idle.at("rounds") == 5);
    CHECK(run_program("lockstep-report", {path}).out.find("Schedules without a run") != std::string::npos);
}

TEST_CASE("report: exit codes") {
    Records records;
    const auto code = [](const std::vector<std::string>& arguments) {
        return run_program("lockstep-report", arguments);
    };
    CHECK(code({records.first}).code == 0);
    CHECK(code({"--help"}).code == 0);
    CHECK(code({}).code == 2);
    CHECK(code({records.first, "--baseline"}).code == 2);
    CHECK(code({"/nonexistent.jsonl"}).code == 4);
    const std::string bad = (records.folder / "bad.jsonl").string();
    test::write_file(bad, test::read_file(records.first) + "{broken\n");
    const auto refused = code({bad, "--html", (records.folder / "never.html").string()});
    CHECK(refused.code == 4);
    CHECK(refused.err.find("bad.jsonl:71: not a line of JSON") != std::string::npos);  // 10 runs of 7 lines
    CHECK(refused.out.empty());
    CHECK_FALSE(std::filesystem::exists(records.folder / "never.html"));
    CHECK(code({records.first, "--html", "/nonexistent/report.html"}).code == 6);
    CHECK(code({records.first, "--csv", "/dev/full"}).code == 6);
}
