// The figures with one line per strategy: the error over time, and the break-even of schedules.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "figures.hpp"
#include "markup.hpp"
#include "number.hpp"
#include "style.hpp"

namespace lockstep::report {
namespace {

using Classes = std::map<const Row*, std::string>;

/// Assigns each row a colour, and dashes by kind, so that the rows can be distinguished by both. The colour
/// is that of the strategy's position among the strategies of its application; if another row has it, the
/// next free colour. No two rows have the same colour as long as there are enough.
Classes line_classes(const std::vector<const Row*>& rows) {
    std::map<const Row*, std::string_view> colours;
    std::set<std::string_view> taken;
    for (const Row* row : rows) {
        const Strategy* known = known_strategy(row->strategy);
        if (!known) continue;
        const auto place = static_cast<std::size_t>(known - strategies(known->app).data());
        const std::string_view colour = line_colours[place % std::size(line_colours)];
        if (taken.insert(colour).second) colours[row] = colour;
    }
    for (const Row* row : rows) {
        if (colours.contains(row)) continue;
        const auto* const free =
            std::ranges::find_if(line_colours, [&](std::string_view one) { return !taken.contains(one); });
        taken.insert(colours[row] = free == std::end(line_colours)
                                        ? line_colours[colours.size() % std::size(line_colours)]
                                        : *free);
    }
    Classes classes;
    for (const auto& [row, colour] : colours)
        classes[row] = fmt::format("stroke-{} {}", colour, to_string(row->kind));
    return classes;
}

std::vector<LegendEntry> lines_legend(const std::vector<const Row*>& rows, const Classes& classes) {
    std::vector<LegendEntry> entries;
    entries.reserve(rows.size());
    for (const Row* row : rows) entries.push_back({row->label(), classes.at(row), true});
    return entries;
}

/// Returns the row that is drawn for all rows with the same factors after every sweep: the fastest, which
/// comes first.
const Row* drawn_for(const std::vector<const Row*>& rows, const Row& row) {
    const auto same_error = [](const CurvePoint& a, const CurvePoint& b) {
        return std::isfinite(a.rmse_test) ? a.rmse_test == b.rmse_test : a.rmse_train == b.rmse_train;
    };
    const auto same = [&](const Row* other) {
        return other == &row || (row.deterministic && other->deterministic && row.result_hashes.size() == 1 &&
                                 other->result_hashes == row.result_hashes &&
                                 std::ranges::equal(row.curve, other->curve, same_error));
    };
    return *std::ranges::find_if(rows, same);
}

/// Returns the largest error that is drawn; errors in the first tenth of the sweeps may be larger.
double shown_error(const std::vector<Point>& points) {
    double most = -INFINITY;
    for (std::size_t i = points.size() / 10; i < points.size(); ++i) most = std::max(most, points[i].y);
    return most;
}

Figure error_figure(const Group& group, const std::vector<const Row*>& rows, const Classes& classes) {
    if (group.flat) return {};
    const bool test = group.run.test_edges > 0;
    std::vector<Line> lines;
    std::vector<Mark> kept;
    std::vector<const Row*> drawn;
    std::map<const Row*, std::string> alike;
    double first = INFINITY, last = 0, low = INFINITY, high = -INFINITY;
    Cells cells{{"strategy", "after sweep 1", "kept model", "sweeps", "execution"}, {}, {0}};
    const auto error = [&](const auto& at) { return test ? at.rmse_test : at.rmse_train; };
    for (const Row* row : rows) {
        Line line{classes.at(row), {}, row->curve.size() <= 12};
        for (const CurvePoint& point : row->curve) {
            const double rmse = error(point);
            if (std::isfinite(rmse) && point.seconds > 0) line.points.push_back({point.seconds, rmse});
        }
        if (line.points.empty()) continue;
        cells.rows.push_back({row->label(), rmse_text(line.points.front().y), rmse_text(error(*row)),
                              std::to_string(row->curve.size()), duration(line.points.back().x)});
        if (const Row* one = drawn_for(rows, *row); one != row) {
            alike[one] += (alike.contains(one) ? ", " : " = ") + row->label();
            continue;
        }
        for (const Point& point : line.points) {
            first = std::min(first, point.x), last = std::max(last, point.x);
            low = std::min(low, point.y);
        }
        high = std::max(high, shown_error(line.points));
        if (row->kept > 0 && row->kept < row->curve.size()) {
            const CurvePoint& point = row->curve[row->kept - 1];
            if (std::isfinite(error(point)))
                kept.push_back({{point.seconds, error(point)}, "", line.classes});
        }
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
    std::vector<LegendEntry> legend = lines_legend(drawn, classes);
    for (std::size_t i = 0; i < drawn.size(); ++i) legend[i].label += alike[drawn[i]];
    return {title, legend,
            lines_svg(
                {title + ", " + group.data, fmt::format("One line for each of {} strategies.", lines.size())},
                x, y, logarithmic ? "execution time, logarithmic" : "execution time", lines, kept),
            "Further left is faster, further down is better. One point per sweep, without preprocessing and "
            "evaluation. A ring marks the sweep whose model was kept, if that is not the last sweep. Of "
            "several strategies with the same factors after every sweep, only the fastest is drawn; the "
            "first tenth of a line may begin above the picture.",
            table_html(cells, title)};
}

/// Returns the offline rows that are drawn, at most three: those with the smallest break-even, then the
/// fastest.
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
    Cells cells{{"schedule", "before sweeps", "time per sweep"}, {}, {0}};
    std::set<std::pair<std::size_t, std::string>> against;  // strategies in the order of the report
    for (const Row* row : rows) {
        for (const BreakEven& pays : row->break_even) against.emplace(place_of(pays.against), pays.against);
    }
    std::map<std::string, std::size_t> column;
    for (const auto& [place, strategy] : against) {
        column[strategy] = cells.header.size();
        cells.header.push_back("vs " + strategy);
    }
    for (const Row* row : rows) {
        if (row->kind != Kind::offline) continue;
        auto& line = cells.rows.emplace_back(cells.header.size(), dash);
        line[0] = row->label(), line[1] = duration(row->before_sweeps()), line[2] = duration(row->per_sweep);
        for (const BreakEven& pays : row->break_even)
            line[column[pays.against]] = std::isinf(pays.sweeps) ? "never" : group_digits(pays.sweeps, 0);
    }
    return cells;
}

Figure break_even_figure(const Group& group, const std::vector<const Row*>& rows, const Classes& classes) {
    const Row* online = fastest(group, Kind::online);
    std::vector<const Row*> drawn = best_schedules(rows);
    if (!online || drawn.empty()) return {};
    // The horizontal axis is long enough to show where the lines of two strategies cross, but not so long
    // that the first crossing cannot be distinguished from zero.
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
        const auto total = [&](double n) { return row->before_sweeps() + n * row->per_sweep; };
        high = std::max(high, total(sweeps));
        lines.push_back({classes.at(row), {{0, total(0)}, {sweeps, total(sweeps)}}});
        if (row->kind == Kind::offline && row->pays_online->sweeps <= sweeps) {
            // The exact crossing; the break-even is the first whole number of sweeps from there.
            const double at =
                row->pays_online->sweeps == 0
                    ? 0
                    : (row->before_sweeps() - online->before_sweeps()) / (online->per_sweep - row->per_sweep);
            marks.push_back({{at, total(at)},
                             at == 0 ? ""
                                     // No text at the axis, where it would hide a number.
                                     : group_digits(row->pays_online->sweeps, 0),
                             classes.at(row)});
        }
    }
    const Scale scale = seconds_scale({high});
    const Axis x = linear_axis(0, sweeps, 5);
    const Axis y = linear_axis(0, high, 5, scale.factor, scale.unit);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].points.back() = {x.high, drawn[i]->before_sweeps() + x.high * drawn[i]->per_sweep};
    }
    const std::string title = "When a schedule pays";
    return {title, lines_legend(drawn, classes),
            lines_svg(
                {title + ", " + group.data, fmt::format("Total time against sweeps for {} schedules and {}.",
                                                        drawn.size() - 1, online->strategy)},
                x, y, "sweeps", lines, marks),
            fmt::format("The time before the sweeps (schedule, verify, write, load, transfer) plus the time "
                        "of the sweeps. A schedule pays from the sweep at which it crosses {}, the fastest "
                        "online strategy; the number is that sweep.",
                        online->strategy),
            table_html(break_even_cells(rows), "Sweeps until a schedule pays")};
}

}  // namespace

std::vector<Figure> line_figures(const Group& group, const std::vector<const Row*>& rows) {
    const Classes classes = line_classes(rows);
    return {error_figure(group, rows, classes), break_even_figure(group, rows, classes)};
}

}  // namespace lockstep::report
