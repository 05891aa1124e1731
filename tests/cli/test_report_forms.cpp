// The formats of the report: text, CSV, a page; names, files without runs, exit codes.
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"
#include "report_support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

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
    REQUIRE(rows.back() == std::vector<std::string>{""});  // the last line is terminated, too
    rows.pop_back();
    return rows;
}

}  // namespace

TEST_CASE("report: data is called as its input file, or as the schedule file where that was a stream") {
    const auto name = [](const std::optional<std::string>& input) {
        TemporaryFolder folder;
        DataSet data = rating_data;
        data.input = input;
        write_run(folder / "r.jsonl", data, {"el", 0, 0, {1}});
        return report({(folder / "r.jsonl").string()})["groups"][0]["data"].get<std::string>();
    };
    CHECK(name({}) == "ratings");  // the stem of some/ratings.h5, for an older record
    CHECK(name("-") == "ratings");
    CHECK(name("/dev/stdin") == "ratings");
    CHECK(name("/dev/fd/63") == "ratings");
    CHECK(name("there/ml-1.0.csv") == "ml-1.0");
    CHECK(name("goodbooks-982k.txt.xz") == "goodbooks-982k");
    CHECK(name("books.tar.gz") == "books");
}

TEST_CASE("report: text says what ran where and how it came out") {
    Records records;
    const auto result = done("lockstep-report", records.first);
    CHECK(result.err.empty());
    for (const char* part :
         {"ratings · sgd · Test <CPU> & co, 2 threads · rank 16", "revision abc", "graph-ratings", "never",
          "First schedule to pay for the 12.4 s before its sweeps, compared with el: agm-e, after 6 sweeps; "
          "if read from its file, immediately."}) {
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
    done("lockstep-report", records.first, "--csv", path);
    const auto rows = parse_csv(read_file(path));
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

TEST_CASE("report: the page contains the report as data, and no name can end the data") {
    Records records;
    DataSet hostile = rating_data;
    hostile.name = "</script><script>alert('x')</script><!--";
    for (const Run& run : all_strategies(1)) write_run(records.first, hostile, run);
    const std::string path = (records.folder / "report.html").string();
    done("lockstep-report", records.first, records.second, "--html", path);
    const std::string html = read_file(path);
    CHECK(html.find("<script>alert") == std::string::npos);
    for (const char* loading : {"<link", " src=", "@import", "url("}) {
        CAPTURE(loading);
        CHECK(html.find(loading) == std::string::npos);
    }
    const std::string start = "<script id=\"data\" type=\"application/json\">";
    const std::size_t from = html.find(start) + start.size();
    const std::string text = html.substr(from, html.find("</script>", from) - from);
    CHECK(text.find('<') == std::string::npos);
    const json page = json::parse(text), expected = report({records.first, records.second});
    for (const char* key : {"runs", "geomeans", "probes", "schedules_without_run"}) {
        CAPTURE(key);
        CHECK(page.at(key) == expected.at(key));
    }
    REQUIRE(page.at("groups").size() == expected.at("groups").size());
    for (std::size_t i = 0; i < expected["groups"].size(); ++i) {
        for (const auto& [key, value] : expected["groups"][i].items()) {
            CAPTURE(i, key);
            CHECK(page["groups"][i].at(key) == value);
        }
    }
    CHECK(page["groups"][0]["run_text"] == "sgd · Test <CPU> & co, 2 threads · rank 16");
}

TEST_CASE("report: schedules in files that no run used") {
    TemporaryFolder folder;
    Dataset dataset;
    dataset.graph = paper_graph();
    dataset.row_ids = RangeIds{0, dataset.graph.rows};
    dataset.col_ids = RangeIds{0, dataset.graph.cols};
    const std::string path = (folder / "paper.data").string();  // detected by content, not by name
    write_schedule_file(path, dataset, {{build_agm_e(dataset.graph, {}), 0.5}}, {});
    const json all = report({path});
    CHECK(all.at("groups").empty());
    REQUIRE(all.at("schedules_without_run").size() == 1);
    const json& idle = all["schedules_without_run"][0];
    CHECK(idle.at("schedule") == "agm-e");
    CHECK(idle.at("seconds").at("schedule") == 0.5);
    CHECK(idle.at("rounds") == 5);
    CHECK(run_program("lockstep-report", path).out.find("Schedules without a run") != std::string::npos);
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
    write_file(bad, read_file(records.first) + "{broken\n");
    const auto refused = code({bad, "--html", (records.folder / "never.html").string()});
    CHECK(refused.code == 4);
    CHECK(refused.err.find("bad.jsonl:71: not a line of JSON") != std::string::npos);  // 10 runs of 7 lines
    CHECK(refused.out.empty());
    CHECK_FALSE(std::filesystem::exists(records.folder / "never.html"));
    CHECK(code({records.first, "--html", "/nonexistent/report.html"}).code == 6);
    CHECK(code({records.first, "--csv", "/dev/full"}).code == 6);
}
