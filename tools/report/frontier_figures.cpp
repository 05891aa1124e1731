// The figures of runs over active vertices: the gain of each option, and the rounds with their filters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures.hpp"
#include "markup.hpp"
#include "number.hpp"

namespace lockstep::report {
namespace {

Figure comparison_figure(const Group& group, const Comparison& comparison) {
    std::vector<Bar> bars;
    Cells cells{{comparison.option, comparison.title}, {}, {0}};
    for (const auto& [value, number] : comparison.values) {
        if (!std::isfinite(number)) continue;
        bars.push_back({value, {{number, "fill-execute"}}, number_text(comparison, number)});
        cells.rows.push_back({value, bars.back().text});
    }
    if (bars.empty()) return {};
    return bars_figure(
        comparison.title, group.data, fmt::format("{} horizontal bars.", bars.size()), {}, bars,
        comparison.ratio,
        fmt::format("{}{}{}. {}", group.run.app, comparison.with.empty() ? "" : ", with ", comparison.with,
                    comparison.ratio ? "The line marks 1." : "Time per source."),
        cells);
}

/// Returns the fastest row whose rounds are known; rows under just-in-time control come first, since their
/// rounds vary most.
const Row* row_to_draw(const Group& group) {
    const Row* best = nullptr;
    const auto rank = [](const Row& row) {
        const auto& parameters = row.runs.front()->run.parameters;
        const auto axes = parameters.find("axes");
        const bool jit = axes != parameters.end() && axes->second.find("--filter jit") != std::string::npos;
        return std::pair(!jit, row.per_sweep);
    };
    for (const Row& row : group.rows) {
        if (row.finished() && row.each_round.size() > 1 && (!best || rank(row) < rank(*best))) best = &row;
    }
    return best;
}

/// Returns a figure like figure 9 of SIMD-X: the filter that made the list of each round.
Figure rounds_figure(const Group& group) {
    const Row* row = row_to_draw(group);
    if (!row) return {};
    static const char* const colours[] = {"stroke-blue", "stroke-red",   "stroke-green",  "stroke-orange",
                                          "stroke-pink", "stroke-olive", "stroke-violet", "stroke-brown"};
    const auto count = [](double value) { return group_digits(value, 0); };
    std::vector<LegendEntry> legend;
    std::vector<Line> lines;
    double most = 1;
    Cells cells{{"rounds", "direction, filter", "fewest active", "most active", "arcs", "time"}, {}, {0, 1}};
    for (const RoundSpan& span : spans_of(row->each_round)) {
        auto entry = std::find_if(legend.begin(), legend.end(),
                                  [&](const LegendEntry& one) { return one.label == span.name; });
        if (entry == legend.end())
            entry = legend.insert(entry, {span.name, colours[legend.size() % std::size(colours)], true});
        Line line{entry->classes, {}, row->each_round.size() <= 100};
        double arcs = 0, seconds = 0, fewest = INFINITY, largest = 0;
        for (const Round& round : span.rounds) {
            const auto number = static_cast<double>(span.first + line.points.size() + 1);
            line.points.push_back({number, std::fmax(1, round.active)});
            arcs += round.arcs, seconds += round.seconds;
            fewest = std::fmin(fewest, round.active), largest = std::fmax(largest, round.active);
        }
        most = std::max(most, largest);
        // Extends the previous line to the first point of this span, so that the lines meet.
        if (!lines.empty()) lines.back().points.push_back(line.points.front());
        cells.rows.push_back({fmt::format("{}–{}", span.first + 1, span.first + span.rounds.size()),
                              span.name, count(fewest), count(largest), count(arcs), duration(seconds)});
        lines.push_back(std::move(line));
    }
    const std::string title = "Active vertices and filters over the rounds";
    const auto rounds = static_cast<double>(row->each_round.size());
    return {title, legend,
            lines_svg({title + ", " + group.data,
                       fmt::format("Active vertices of {} rounds, coloured by filter.", rounds)},
                      linear_axis(1, rounds, 5), log_axis(1, most * 1.5, count), "round", lines),
            fmt::format("{}, {}: the active vertices of each round of the first source; the colour shows "
                        "which filter made the list of the next round.",
                        group.run.app, row->label()),
            table_html(cells, title)};
}

}  // namespace

std::vector<Figure> frontier_figures(const Group& group) {
    std::vector<Figure> all;
    for (const Comparison& comparison : group.comparisons)
        all.push_back(comparison_figure(group, comparison));
    all.push_back(rounds_figure(group));
    return all;
}

}  // namespace lockstep::report
