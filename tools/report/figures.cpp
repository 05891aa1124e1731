#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "markup.hpp"
#include "number.hpp"

namespace lockstep::report {
namespace {

std::vector<const Row*> finished_rows(const Group& group) {
    std::vector<const Row*> rows;
    for (const Row& row : group.rows) {
        if (row.finished() && row.same_as.empty() && !std::isnan(row.per_sweep)) rows.push_back(&row);
    }
    std::ranges::stable_sort(rows, {}, &Row::per_sweep);
    return rows;
}

std::string fill_class(Kind kind) { return "fill-" + std::string(to_string(kind)); }

/// Bars of one number each, coloured by kind.
struct KindBars {
    std::vector<Bar> bars;
    std::set<Kind> kinds;

    void add(const std::string& label, Kind kind, double length, const std::string& text) {
        bars.push_back({label, {{length, fill_class(kind)}}, text});
        kinds.insert(kind);
    }
    Figure figure(const std::string& title, const std::string& where, double reference,
                  const std::string& caption, const Cells& cells) const {
        std::vector<LegendEntry> legend;
        for (Kind kind : kinds) legend.push_back({std::string(to_string(kind)), fill_class(kind)});
        return bars_figure(title, where,
                           fmt::format("Horizontal bars, one for each of {} strategies.", bars.size()),
                           legend, bars, reference, caption, cells);
    }
};

Figure time_figure(const Group& group, const std::vector<const Row*>& rows) {
    const bool normalised = !group.baseline.empty();
    KindBars bars;
    Cells cells{{"strategy", "time per sweep", normalised ? "× " + group.baseline : "normalised"}, {}, {0}};
    for (const Row* row : rows) {
        const std::string text =
            normalised ? group_digits(row->normalised, 2) + " ×" : duration(row->per_sweep);
        bars.add(row->label(), row->kind, normalised ? row->normalised : row->per_sweep, text);
        cells.rows.push_back({row->label(), duration(row->per_sweep), normalised ? text : dash});
    }
    return bars.figure(normalised ? "Time per sweep, normalised to " + group.baseline : "Time per sweep",
                       group.data, normalised,
                       normalised
                           ? "Execution only, without preprocessing. Shorter is faster; the line marks 1."
                           : "Execution only, without preprocessing. Shorter is faster. There is no baseline "
                             "for normalisation.",
                       cells);
}

Figure split_figure(const Group& group, const std::vector<const Row*>& rows) {
    static const std::vector<LegendEntry> drawn = {{"read", "fill-read"},
                                                   {"schedule", "fill-schedule"},
                                                   {"verify + write", "fill-write"},
                                                   {"load + transfer", "fill-load"},
                                                   {"execute", "fill-execute"},
                                                   {"evaluate + fit + rest", "fill-other"}};
    std::vector<Bar> bars;
    Cells cells{{"strategy"}, {}, {0}};
    for (const LegendEntry& stage : drawn) cells.header.push_back(stage.label);
    cells.header.push_back("total");
    for (const Row* row : rows) {
        const RunSeconds& s = row->seconds;
        const double parts[] = {s.read,
                                s.schedule,
                                s.write + s.verify,
                                s.load + s.transfer,
                                s.execute,
                                s.evaluate + s.fit + s.result + s.other};
        Bar& bar = bars.emplace_back(Bar{row->label(), {}, {}});
        auto& line = cells.rows.emplace_back(1, row->label());
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            bar.parts.push_back({parts[i], drawn[i].classes});
            line.push_back(duration(parts[i]));
        }
        bar.text = duration(bar.length());
        line.push_back(bar.text);
    }
    return bars_figure("Where the time goes", group.data,
                       fmt::format("Stacked bars of the stages of {} strategies.", bars.size()), drawn, bars,
                       0, "All stages from the input file to the result. Warm colours are preprocessing.",
                       cells);
}

}  // namespace

Figure bars_figure(const std::string& title, const std::string& where, const std::string& description,
                   const std::vector<LegendEntry>& legend, const std::vector<Bar>& bars, double reference,
                   const std::string& caption, const Cells& cells) {
    std::vector<double> lengths(bars.size());
    std::ranges::transform(bars, lengths.begin(), &Bar::length);
    const double limit = bar_limit(lengths);
    const bool cut = std::ranges::any_of(lengths, [&](double length) { return length > limit; });
    return {title, legend, bars_svg({title + ", " + where, description}, bars, limit, reference),
            caption + (cut ? " A bar with gaps at its end is cut off; the number is the actual value." : ""),
            table_html(cells, title)};
}

std::vector<Figure> figures(const Group& group) {
    const auto rows = finished_rows(group);
    if (rows.empty()) return {};
    std::vector<Figure> all = {time_figure(group, rows), split_figure(group, rows)};
    for (Figure& figure : line_figures(group, rows)) all.push_back(std::move(figure));
    for (Figure& figure : frontier_figures(group)) all.push_back(std::move(figure));
    std::erase_if(all, [](const Figure& figure) { return figure.svg.empty(); });
    return all;
}

std::vector<Figure> figures(const std::vector<Geomean>& means) {
    std::vector<Figure> all;
    for (std::size_t first = 0, last; first < means.size(); first = last) {
        const Geomean& head = means[first];
        const auto same = [&](const Geomean& mean) {
            return std::tie(mean.app, mean.device, mean.rank, mean.input_class, mean.baseline) ==
                   std::tie(head.app, head.device, head.rank, head.input_class, head.baseline);
        };
        for (last = first; last < means.size() && same(means[last]); ++last) {
        }
        std::size_t most = 0;
        for (std::size_t i = first; i < last; ++i) most = std::max(most, means[i].data_sets);
        KindBars bars;
        for (std::size_t i = first; i < last; ++i) {
            const Geomean& mean = means[i];
            const std::string fewer =
                mean.data_sets < most ? fmt::format(" · only {} of {}", mean.data_sets, most) : "";
            bars.add(mean.strategy + fewer, mean.kind, mean.value, group_digits(mean.value, 2) + " ×");
        }
        const std::string where = fmt::format("{}, rank {}", head.device, head.rank);
        all.push_back(bars.figure(
            fmt::format("Geomean over {} {} data set{}", most, head.input_class, most == 1 ? "" : "s"), where,
            1, fmt::format("{}. Time per sweep normalised to {}.", where, head.baseline),
            geomean_cells({means.begin() + static_cast<std::ptrdiff_t>(first),
                           means.begin() + static_cast<std::ptrdiff_t>(last)})));
    }
    return all;
}

}  // namespace lockstep::report
