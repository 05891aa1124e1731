// The report as one HTML page: page/page.html with its style and script, the library that draws its pictures,
// and the data of the report.
#include "columns.hpp"
#include "number.hpp"
#include "printable.hpp"
#include "writers.hpp"

namespace lockstep::report {

/// The parts of the page in their order, which CMake takes from page/ and the library. The empty part stands
/// for the data of the report.
extern const std::vector<std::string_view> page_parts;

namespace {

using Json = nlohmann::ordered_json;

Json table_json(const std::string& title, const Cells& cells) {
    return {{"title", title}, {"header", cells.header}, {"left", cells.left}, {"rows", cells.rows}};
}

/// Returns the table of all runs.
Cells run_cells(const Table& table) {
    Cells cells{{"strategy", "data", "started", "status", "seed", "schedule", "result", "program", "command"},
                {},
                {0, 1, 2, 3, 5, 6, 7, 8}};
    for (const Group& group : table.groups) {
        for (const Row& row : group.rows) {
            for (const RunRecord* record : row.runs) {
                const RunHeader& run = record->run;
                cells.rows.push_back({run.strategy, group.data, run.started, row.status,
                                      std::to_string(run.seed), run.schedule_hash.substr(0, 8),
                                      record->end ? record->end->result_hash.substr(0, 8) : dash, run.program,
                                      cli::quote_for_shell(run.command)});
            }
        }
    }
    return cells;
}

/// Returns the strategies that ran, in the order of the report.
Json strategies_json(const Table& table) {
    std::map<std::size_t, Json> ran;
    for (const Group& group : table.groups) {
        for (const Row& row : group.rows) {
            if (const Strategy* known = known_strategy(row.strategy))
                ran[place_of(row.strategy)] = {{"name", known->name},
                                               {"kind", to_string(known->kind())},
                                               {"summary", known->summary},
                                               {"source", known->source}};
        }
    }
    Json all = Json::array();
    for (auto& [place, strategy] : ran) all.push_back(std::move(strategy));
    return all;
}

/// Returns the data of the page: the report as JSON, and the texts and tables that other formats print.
Json page_json(const Table& table, const Origin& origin) {
    Json root = to_json(table, origin);
    for (std::size_t i = 0; i < table.groups.size(); ++i) {
        const Group& group = table.groups[i];
        Json& made = root["groups"][i];
        made["device_text"] = device_text(group.run.device);
        made["run_text"] = run_text(group, group.run.device.driver);
        made["graph_text"] = graph_text(group);
        made["headline"] = headline(group);
        made["tables"] = {table_json("Where the time goes, in numbers", split_cells(group)),
                          table_json("Results", outcome_cells(group)),
                          table_json("The rounds", rounds_cells(group))};
    }
    for (std::size_t i = 0; i < table.probes.size(); ++i)
        root["probes"][i]["text"] = insight::device_text(table.probes[i].device);
    Json comparisons = Json::array();
    for (const NamedCells& one : comparison_cells(table.groups))
        comparisons.push_back(table_json(one.title, one.cells));
    root["comparison_tables"] = comparisons;
    root["idle_table"] = table_json("Schedules without a run", idle_cells(table.idle));
    root["run_table"] = table_json("Runs", run_cells(table));
    root["strategies"] = strategies_json(table);
    root["command_line"] = cli::quote_for_shell(origin.command);
    return root;
}

}  // namespace

std::string to_html(const Table& table, const Origin& origin) {
    std::string data, html;
    // "<" would end the element that contains the data, if a name contained "</script>".
    for (const char c : page_json(table, origin).dump(-1, ' ', false, Json::error_handler_t::replace))
        data += c == '<' ? std::string("\\u003c") : std::string(1, c);
    for (const std::string_view part : page_parts) html += part.empty() ? data : part;
    return html;
}

}  // namespace lockstep::report
