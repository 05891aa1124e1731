#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "columns.hpp"
#include "markup.hpp"
#include "number.hpp"
#include "pictures.hpp"

namespace lockstep::report {
namespace {

std::vector<const Row*> finished_rows(const Group& group) {
    std::vector<const Row*> rows;
    for (const Row& row : group.rows) {
        if (row.finished() && row.same_as.empty() && !std::isnan(row.per_sweep)) rows.push_back(&row);
    }
    return rows;
}

std::string fill_class(Kind kind) { return "fill-" + std::string(to_string(kind)); }

/// Colour by strategy, dashes by kind: two signs, so that neither need be told apart alone.
std::string line_classes(const Row& row) {
    const Strategy* known = known_strategy(row.strategy);
    return fmt::format("stroke-{} {}", known ? known->colour : "ink", to_string(row.kind));
}

std::vector<LegendEntry> lines_legend(const std::vector<const Row*>& rows) {
    std::vector<LegendEntry> entries;
    for (const Row* row : rows) entries.push_back({row->label(), line_classes(*row), true});
    return entries;
}

/// Bars of one number each, coloured by kind.
struct KindBars {
    std::vector<Bar> bars;
    std::vector<double> lengths;
    std::set<Kind> kinds;

    void add(const std::string& label, Kind kind, double length, const std::string& text) {
        bars.push_back({label, {{length, fill_class(kind)}}, text});
        lengths.push_back(length);
        kinds.insert(kind);
    }
    Figure figure(const std::string& title, const std::string& where, double reference,
                  const std::string& caption, const Cells& cells) const {
        std::vector<LegendEntry> legend;
        for (Kind kind : kinds) legend.push_back({std::string(to_string(kind)), fill_class(kind)});
        const Described about{title + ", " + where,
                              fmt::format("Horizontal bars, one for each of {} strategies.", bars.size())};
        return {title, legend, bars_svg(about, bars, bar_limit(lengths), reference),
                caption + cut_note(lengths), table_html(cells, title)};
    }
};

Figure time_figure(const Group& group, const std::vector<const Row*>& rows) {
    const bool normalised = !group.baseline.empty();
    KindBars bars;
    Cells cells{{"strategy", "time a sweep", normalised ? "× " + group.baseline : "normalised"}, {}, {0}};
    for (const Row* row : rows) {
        const std::string text = normalised ? grouped(row->normalised, 2) + " ×" : duration(row->per_sweep);
        bars.add(row->label(), row->kind, normalised ? row->normalised : row->per_sweep, text);
        cells.rows.push_back({row->label(), duration(row->per_sweep), normalised ? text : dash});
    }
    return bars.figure(
        normalised ? "Time a sweep, normalised to " + group.baseline : "Time a sweep", group.data, normalised,
        normalised ? "Execution only, preprocessing left out. Shorter is faster; the line marks 1."
                   : "Execution only, preprocessing left out. Shorter is faster. There is no baseline to "
                     "normalise to.",
        cells);
}

Figure split_figure(const Group& group, const std::vector<const Row*>& rows) {
    static const std::vector<LegendEntry> drawn = {{"read", "fill-read"},
                                                   {"schedule", "fill-schedule"},
                                                   {"write", "fill-write"},
                                                   {"load + transfer", "fill-load"},
                                                   {"execute", "fill-execute"}};
    std::vector<Bar> bars;
    std::vector<double> totals;
    Cells cells{{"strategy"}, {}, {0}};
    for (const LegendEntry& stage : drawn) cells.header.push_back(stage.label);
    cells.header.push_back("total");
    for (const Row* row : rows) {
        const RunSeconds& s = row->seconds;
        const double parts[] = {s.read, s.schedule, s.write, s.load + s.transfer, s.execute};
        Bar bar{row->label(), {}, {}};
        auto& line = cells.rows.emplace_back(1, row->label());
        double total = 0;
        for (std::size_t i = 0; i < drawn.size(); ++i) {
            total += parts[i];
            bar.parts.push_back({parts[i], drawn[i].classes});
            line.push_back(duration(parts[i]));
        }
        bar.text = duration(total);
        line.push_back(bar.text);
        totals.push_back(total);
        bars.push_back(std::move(bar));
    }
    const std::string title = "Where the time goes";
    return {title, drawn,
            bars_svg({title + ", " + group.data,
                      fmt::format("Stacked bars of the stages of {} strategies.", bars.size())},
                     bars, bar_limit(totals)),
            std::string(
                "The whole way from the input file to the last sweep; evaluation left out. Warm colours are "
                "preprocessing.") +
                cut_note(totals),
            table_html(cells, title)};
}

Figure error_figure(const Group& group, const std::vector<const Row*>& rows) {
    const bool test = group.run.test_edges > 0;
    std::vector<Line> lines;
    std::vector<const Row*> drawn;
    double first = INFINITY, last = 0, low = INFINITY, high = -INFINITY;
    Cells cells{{"strategy", "after sweep 1", "after the last", "sweeps", "execution"}, {}, {0}};
    for (const Row* row : rows) {
        Line line{line_classes(*row), {}, row->curve.size() <= 12};
        for (const CurvePoint& point : row->curve) {
            const double rmse = test ? point.rmse_test : point.rmse_train;
            if (std::isfinite(rmse) && point.seconds > 0) line.points.push_back({point.seconds, rmse});
        }
        if (line.points.empty()) continue;
        for (const Point& point : line.points) {
            first = std::min(first, point.x), last = std::max(last, point.x);
            low = std::min(low, point.y), high = std::max(high, point.y);
        }
        cells.rows.push_back({row->label(), fmt::format("{:.4f}", line.points.front().y),
                              fmt::format("{:.4f}", line.points.back().y), std::to_string(row->curve.size()),
                              duration(line.points.back().x)});
        lines.push_back(std::move(line));
        drawn.push_back(row);
    }
    if (lines.empty()) return {};
    const bool logarithmic = last > 100 * first;
    const Scale scale = seconds_scale({last});
    const Axis x =
        logarithmic ? log_time_axis(first, last) : linear_axis(0, last, 5, scale.factor, scale.unit);
    const Axis y = linear_axis(low, high, 5);
    const std::string title = test ? "Test RMSE over time" : "Training RMSE over time";
    return {title, lines_legend(drawn),
            lines_svg(
                {title + ", " + group.data, fmt::format("One line for each of {} strategies.", lines.size())},
                x, y, logarithmic ? "execution time, logarithmic" : "execution time", lines),
            "Further left is faster, further down is better. A point a sweep; preprocessing and evaluation "
            "left out.",
            table_html(cells, title)};
}

/// The offline rows worth drawing: those that pay first, else the fastest.
std::vector<const Row*> best_schedules(const std::vector<const Row*>& rows) {
    std::vector<const Row*> best;
    for (const Row* row : rows) {
        if (row->kind == Kind::offline && row->pays_online) best.push_back(row);
    }
    std::stable_sort(best.begin(), best.end(), [](auto* a, auto* b) {
        return std::tie(a->pays_online->sweeps, a->per_sweep) <
               std::tie(b->pays_online->sweeps, b->per_sweep);
    });
    best.resize(std::min<std::size_t>(best.size(), 3));
    return best;
}

Cells break_even_cells(const std::vector<const Row*>& rows) {
    Cells cells{{"schedule", "preprocessing", "time a sweep"}, {}, {0}};
    std::map<std::string, std::size_t> column;
    for (const Row* row : rows) {
        for (const BreakEven& pays : row->break_even) column.try_emplace(pays.against, 0);
    }
    std::vector<std::string> against;
    for (auto& [strategy, place] : column) against.push_back(strategy);
    std::stable_sort(against.begin(), against.end(),
                     [](auto& a, auto& b) { return place_of(a) < place_of(b); });
    for (const std::string& strategy : against) {
        column[strategy] = cells.header.size();
        cells.header.push_back("sweeps vs " + strategy);
    }
    for (const Row* row : rows) {
        if (row->kind != Kind::offline) continue;
        auto& line = cells.rows.emplace_back(cells.header.size(), dash);
        line[0] = row->label(), line[1] = duration(row->preprocessing()), line[2] = duration(row->per_sweep);
        for (const BreakEven& pays : row->break_even)
            line[column[pays.against]] = std::isinf(pays.sweeps) ? "never" : grouped(pays.sweeps, 0);
    }
    return cells;
}

Figure break_even_figure(const Group& group, const std::vector<const Row*>& rows) {
    const Row* online = fastest(group, Kind::online);
    std::vector<const Row*> drawn = best_schedules(rows);
    if (!online || drawn.empty()) return {};
    // Far enough to show the crossings, but not so far that the first of them vanishes.
    double sweeps = 0;
    const double first = drawn.front()->pays_online->sweeps;
    for (const Row* row : drawn) {
        const double pays = row->pays_online->sweeps;
        if (std::isfinite(pays) && pays <= 20 * std::max(first, 1.0)) sweeps = std::max(sweeps, 1.5 * pays);
    }
    sweeps = std::ceil(std::max({sweeps, online->sweeps, 4.0}));
    drawn.push_back(online);
    std::vector<Line> lines;
    std::vector<Mark> marks;
    double high = 0;
    for (const Row* row : drawn) {
        const auto total = [&](double n) { return row->preprocessing() + n * row->per_sweep; };
        high = std::max(high, total(sweeps));
        lines.push_back({line_classes(*row), {{0, total(0)}, {sweeps, total(sweeps)}}});
        if (row->kind == Kind::offline && row->pays_online->sweeps <= sweeps) {
            // The crossing itself; break-even is the first whole sweep from there.
            const double at =
                row->pays_online->sweeps == 0
                    ? 0
                    : (row->preprocessing() - online->preprocessing()) / (online->per_sweep - row->per_sweep);
            marks.push_back({{at, total(at)}, grouped(row->pays_online->sweeps, 0), line_classes(*row)});
        }
    }
    const Scale scale = seconds_scale({high});
    const Axis x = linear_axis(0, sweeps, 5);
    const Axis y = linear_axis(0, high, 5, scale.factor, scale.unit);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].points.back() = {x.high, drawn[i]->preprocessing() + x.high * drawn[i]->per_sweep};
    }
    const std::string title = "When a schedule has paid";
    return {title, lines_legend(drawn),
            lines_svg(
                {title + ", " + group.data, fmt::format("Total time against sweeps for {} schedules and {}.",
                                                        drawn.size() - 1, online->strategy)},
                x, y, "sweeps", lines, marks),
            fmt::format("Preprocessing (schedule + write) and execution added up. Where a schedule crosses "
                        "{}, the fastest "
                        "online strategy, it has paid; the number is that sweep.",
                        online->strategy),
            table_html(break_even_cells(rows), "Sweeps until a schedule has paid")};
}

}  // namespace

std::string cut_note(const std::vector<double>& lengths) {
    const double limit = bar_limit(lengths);
    const bool cut =
        std::any_of(lengths.begin(), lengths.end(), [&](double length) { return length > limit; });
    return cut ? " A bar with gaps at its end is cut; its number is true." : "";
}

std::vector<Figure> figures(const Group& group) {
    const auto rows = finished_rows(group);
    if (rows.empty()) return {};
    std::vector<Figure> all = {time_figure(group, rows), split_figure(group, rows), error_figure(group, rows),
                               break_even_figure(group, rows)};
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
            bars.add(mean.strategy + fewer, mean.kind, mean.value, grouped(mean.value, 2) + " ×");
        }
        const std::string where = fmt::format("{}, rank {}", head.device, head.rank);
        all.push_back(bars.figure(
            fmt::format("Geomean over {} {} data set{}", most, head.input_class, most == 1 ? "" : "s"), where,
            1, fmt::format("{}. Time a sweep normalised to {}.", where, head.baseline),
            geomean_cells({means.begin() + static_cast<std::ptrdiff_t>(first),
                           means.begin() + static_cast<std::ptrdiff_t>(last)})));
    }
    return all;
}

}  // namespace lockstep::report
