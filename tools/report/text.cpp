// The report for a terminal: aligned tables for each group.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "columns.hpp"
#include "number.hpp"
#include "printable.hpp"
#include "writers.hpp"

namespace lockstep::report {
namespace {

std::string pad_text(const std::string& text, std::size_t to, bool left) {
    const std::string gap(to - std::min(to, cli::columns(text)), ' ');
    return left ? text + gap : gap + text;
}

/// Replaces control characters, so that a name stays on one line of the terminal.
std::string printable(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
    return text;
}

std::string aligned(const Cells& cells) {
    std::vector<std::size_t> widths;
    for (const std::string& title : cells.header) widths.push_back(cli::columns(title));
    for (const auto& row : cells.rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], cli::columns(row[i]));
    }
    std::string text;
    const auto line = [&](const std::vector<std::string>& row) {
        std::string out;
        for (std::size_t i = 0; i < row.size(); ++i)
            out += "  " + pad_text(printable(row[i]), widths[i], cells.is_left(i));
        out.erase(out.find_last_not_of(' ') + 1);
        text += out + '\n';
    };
    line(cells.header);
    std::size_t total = 0;
    for (std::size_t w : widths) total += w + 2;
    text += "  ";
    for (std::size_t i = 2; i < total; ++i) text += "─";
    text += '\n';
    for (const auto& row : cells.rows) line(row);
    return text;
}

}  // namespace

std::string to_text(const Table& table, const Origin& origin) {
    std::string text =
        printable(fmt::format("{} · {}", origin.program, cli::quote_for_shell(origin.command))) + "\n\n";
    for (const Group& group : table.groups) {
        const RunHeader& run = group.run;
        text += printable(fmt::format("{} · {} · {} · graph {}", group.data, run_text(group), run.program,
                                      run.graph_hash)) +
                '\n';
        text += fmt::format("{}\n", graph_text(group));
        text += printable("first run: " + cli::quote_for_shell(run.command)) + "\n\n";
        text += aligned(split_cells(group)) + '\n' + aligned(outcome_cells(group)) + '\n';
        if (const Cells rounds = rounds_cells(group); !rounds.rows.empty()) text += aligned(rounds) + '\n';
        const std::string lead = headline(group);
        if (!lead.empty()) text += lead + '\n';
        for (const std::string& note : group.notes) text += "Note: " + printable(note) + '\n';
        text += '\n';
    }
    for (const NamedCells& one : comparison_cells(table.groups))
        text += printable(one.title) + "\n\n" + aligned(one.cells) + '\n';
    if (!table.geomeans.empty()) {
        text +=
            "Normalised time per sweep, geometric mean over the data sets of an input class\n"
            "(road: Dmax ≤ 64 and ≤ 8 × the mean degree on both sides; otherwise scale-free)\n\n" +
            aligned(geomean_cells(table.geomeans)) + '\n';
    }
    if (const Accuracy found = accuracy(table); found.predicted > 0)
        text += fmt::format("Predicted within a factor of 2 of the measured time: {} of {} rows\n\n",
                            found.near, found.predicted);
    if (!table.idle.empty()) text += "Schedules without a run\n\n" + aligned(idle_cells(table.idle)) + '\n';
    return text;
}

}  // namespace lockstep::report
