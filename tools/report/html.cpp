// The report as one HTML page without scripts, which loads nothing from the network.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "columns.hpp"
#include "figures.hpp"
#include "markup.hpp"
#include "number.hpp"
#include "printable.hpp"
#include "style.hpp"
#include "writers.hpp"

namespace lockstep::report {
namespace {

std::string plural(std::size_t count, const std::string& what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string tile(const std::string& name, const std::string& number, const std::string& detail) {
    return fmt::format("<div><dt>{}</dt><dd class=\"big\">{}</dd><dd class=\"quiet\">{}</dd></div>\n",
                       escape(name), escape(number), escape(detail));
}

/// Returns the tiles with the main numbers of a group.
std::string tiles(const Group& group) {
    std::string html;
    const auto sweep_tile = [&](const char* name, const Row& row) {
        std::string detail = row.label();
        if (!std::isnan(row.normalised) && row.normalised != 1)
            detail += fmt::format(" · {} × {}", group_digits(row.normalised, 2), group.baseline);
        html += tile(name, duration(row.per_sweep), detail);
    };
    const Row* online = fastest(group, Kind::online);
    const Row* offline = fastest(group, Kind::offline);
    if (online) sweep_tile("Fastest online sweep", *online);
    if (offline) sweep_tile("Fastest offline sweep", *offline);
    if (const Row* first = first_to_pay(group)) {
        html += tile("First schedule to pay", break_even_text(first->pays_online->sweeps),
                     fmt::format("{} · {} before its sweeps, compared with {}; if read from its file: {}",
                                 first->label(), duration(first->before_sweeps()),
                                 first->pays_online->against, break_even_text(first->pays_online->kept)));
    } else if (online && offline) {
        html += tile("First schedule to pay", "never",
                     "no schedule has a faster sweep than " + online->label() + "’s");
    }
    if (const Row* racing = fastest(group, Kind::racing)) sweep_tile("Fastest unsynchronized", *racing);
    return html.empty() ? html : "<dl class=\"tiles\">\n" + html + "</dl>\n";
}

std::string section(const std::string& title, const std::string& content) {
    return "<section>\n<h2>" + escape(title) + "</h2>\n" + content + "</section>\n";
}

std::string figures_html(const std::vector<Figure>& figures, const std::string& command) {
    std::string html = "<div class=\"figures\">\n";
    for (const Figure& figure : figures) {
        html += fmt::format(
            "<figure>\n<h3>{}</h3>\n{}{}<figcaption><p>{}</p>\n<details><summary>Numbers</summary>{}</"
            "details>\n"
            "<details><summary>Command</summary><code>{}</code></details></figcaption>\n</figure>\n",
            escape(figure.title), figure.legend.empty() ? "" : legend_html(figure.legend), figure.svg,
            escape(figure.caption), figure.table, escape(command));
    }
    return html + "</div>\n";
}

std::string group_html(const Group& group, std::size_t number, const std::string& command) {
    const RunHeader& run = group.run;
    std::string html = fmt::format(
        "<section id=\"group-{}\">\n<h2>{}</h2>\n<p class=\"facts\">{}</p>\n<p "
        "class=\"facts\">{} · graph <code>{}</code></p>\n",
        number, escape(group.data), escape(run_text(group, run.device.driver)), escape(graph_text(group)),
        escape(run.graph_hash));
    html += tiles(group);
    for (const std::string& note : group.notes) html += "<p class=\"note\">" + escape(note) + "</p>\n";
    html += figures_html(figures(group), command);
    html += "<h3>Where the time goes, in numbers</h3>\n" +
            table_html(split_cells(group), "Seconds by stage, " + group.data);
    html += "<h3>Results</h3>\n" + table_html(outcome_cells(group), "Results, " + group.data);
    if (const Cells rounds = rounds_cells(group); !rounds.rows.empty())
        html += "<h3>The rounds</h3>\n" + table_html(rounds, "Rounds over active vertices, " + group.data);
    return html + "</section>\n";
}

std::string runs_html(const Table& table) {
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
    if (cells.rows.empty()) return {};
    return section("Runs",
                   "<p>The source of every number. Hashes are shortened to eight digits; CSV and JSON "
                   "contain all digits.</p>\n<details><summary>" +
                       plural(table.runs, "run") + "</summary>" + table_html(cells, "Runs") + "</details>\n");
}

/// Describes the strategies that ran, one per line.
std::string strategies_html(const Table& table) {
    std::map<std::size_t, const Strategy*> ran;
    for (const Group& group : table.groups) {
        for (const Row& row : group.rows) {
            if (const Strategy* known = known_strategy(row.strategy)) ran[place_of(row.strategy)] = known;
        }
    }
    std::string html;
    for (const auto& [place, strategy] : ran)
        html += fmt::format("<dt>{}</dt><dd>{}: {} ({})</dd>\n", escape(strategy->name),
                            to_string(strategy->kind()), escape(strategy->summary), escape(strategy->source));
    return html.empty() ? html : section("The strategies", "<dl class=\"terms\">\n" + html + "</dl>\n");
}

constexpr const char* terms = R"html(<section>
<h2>How to read this</h2>
<dl class="terms">
<dt>Sweep</dt><dd>One visit of every training edge. Its time is the median over the sweeps of a run, then over repeated runs.</dd>
<dt>Offline</dt><dd>A schedule computed in advance prevents conflicts; at run time there are only barriers.</dd>
<dt>Online</dt><dd>Locks prevent conflicts at run time; no schedule is needed.</dd>
<dt>Unsynchronized</dt><dd>Nothing prevents conflicts, so updates may be lost (Hogwild): a reference for speed, not an equivalent method.</dd>
<dt>Pays after</dt><dd>⌈(P<sub>schedule</sub> − P<sub>other</sub>) ÷ (t<sub>other</sub> − t<sub>schedule</sub>)⌉ sweeps, where P is the time before the sweeps (schedule, verify, write, load, transfer) and t the time per sweep; never, if the schedule’s sweep is not faster.</dd>
<dt>Input class</dt><dd>Road if, on both sides, the largest degree is at most 64 and at most 8 × the mean degree; otherwise scale-free.</dd>
<dt>Deterministic</dt><dd>The same schedule and seed give bitwise identical factors. With locks or without synchronization, results vary.</dd>
<dt>–</dt><dd>Unknown or not applicable.</dd>
</dl>
</section>
)html";

std::string header_html(const Table& table) {
    std::set<std::string> data, devices;
    for (const Group& group : table.groups) {
        data.insert(group.run.graph_hash);
        devices.insert(device_text(group.run.device));
    }
    std::string summary = plural(table.runs, "run") + " · " + plural(data.size(), "data set");
    for (const std::string& device : devices) summary += " · " + device;
    std::string html =
        "<p class=\"kicker\">Lockstep report</p>\n<h1>Preprocessing against run time</h1>\n<p "
        "class=\"quiet\">" +
        escape(summary) + "</p>\n";
    if (table.groups.size() > 1) {
        html += "<nav aria-label=\"Contents\"><ul class=\"legend\">";
        for (std::size_t i = 0; i < table.groups.size(); ++i) {
            const Group& group = table.groups[i];
            html += fmt::format("<li><a href=\"#group-{}\">{} · {}</a></li>", i + 1, escape(group.data),
                                escape(run_text(group)));
        }
        html += "</ul></nav>\n";
    }
    return html;
}

}  // namespace

std::string to_html(const Table& table, const Origin& origin) {
    const std::string command = cli::quote_for_shell(origin.command);
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>Lockstep report</title>\n<style>" +
        std::string(style_sheet) + "</style>\n</head>\n<body>\n<main>\n";
    html += header_html(table);
    if (const std::vector<Figure> all = overall_figures(table); !all.empty())
        html += section("Over all data sets", figures_html(all, command));
    if (const auto compared = comparison_cells(table.groups); !compared.empty()) {
        std::string tables;
        for (const NamedCells& one : compared)
            tables += "<h3>" + escape(one.title) + "</h3>\n" + table_html(one.cells, one.title);
        html += section("Over active vertices", tables);
    }
    for (const insight::Probe& probe : table.probes) {
        html += section(
            probe.device.name,
            "<p class=\"facts\">" +
                escape(fmt::format("{}, rank {}, measured {} by {}", insight::device_text(probe.device),
                                   probe.rank, probe.measured, probe.program)) +
                "</p>\n" + figures_html(figures(probe), command));
    }
    for (std::size_t i = 0; i < table.groups.size(); ++i) html += group_html(table.groups[i], i + 1, command);
    if (const std::string title = "Schedules without a run"; !table.idle.empty())
        html += section(title, table_html(idle_cells(table.idle), title));
    html += strategies_html(table) + terms + runs_html(table);
    html += "<footer>" + escape(origin.program) + " · <code>" + escape(command) + "</code></footer>\n";
    return html + "</main>\n</body>\n</html>\n";
}

}  // namespace lockstep::report
