// The parts of the report other than runs: probed devices, and predictions compared with measurements.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "figures.hpp"
#include "lockstep/formats/error.hpp"
#include "markup.hpp"
#include "number.hpp"

namespace lockstep::report {

namespace {

Line line_of(const insight::Curve& curve, const std::string& classes) {
    Line line{classes, {}, true};
    for (std::size_t i = 0; i < curve.x.size(); ++i) line.points.push_back({curve.x[i], curve.y[i]});
    return line;
}

/// Returns the range of the y values, or of the x values, of all lines.
template <class Value>
std::pair<double, double> range(const std::vector<Line>& lines, Value value) {
    double low = INFINITY, high = 0;
    for (const Line& line : lines) {
        for (const Point& point : line.points)
            low = std::min(low, value(point)), high = std::max(high, value(point));
    }
    return {low, std::max(high, low * 1.01)};
}

std::string rate_text(double rate) {
    return rate >= 1e9   ? fmt::format("{:g} G/s", rate / 1e9)
           : rate >= 1e6 ? fmt::format("{:g} M/s", rate / 1e6)
                         : fmt::format("{:g} /s", rate);
}
std::string plain_text(double value) { return group_digits(value, 0); }

Figure curves_figure(const std::string& title, const std::string& description, const std::string& x_title,
                     std::vector<Line> lines, const std::vector<LegendEntry>& legend,
                     const std::function<std::string(double)>& y_text, const std::string& caption) {
    const auto [left, right] = range(lines, [](const Point& p) { return p.x; });
    const auto [low, high] = range(lines, [](const Point& p) { return p.y; });
    const Axis x = log_axis(left, right, plain_text), y = log_axis(low / 1.5, high * 1.5, y_text);
    Cells cells{{x_title}, {}, {0}};
    for (const LegendEntry& entry : legend) cells.header.push_back(entry.label);
    for (std::size_t i = 0; i < lines.front().points.size(); ++i) {
        cells.rows.push_back({plain_text(lines.front().points[i].x)});
        for (const Line& line : lines)
            cells.rows.back().push_back(
                i < line.points.size() ? y_text(std::stod(fmt::format("{:.3g}", line.points[i].y))) : dash);
    }
    return {title, legend, lines_svg({title, description}, x, y, x_title, lines), caption,
            table_html(cells, title)};
}

/// Returns the rows that were both predicted and measured, with their groups.
std::vector<std::pair<const Group*, const Row*>> predicted_rows(const Table& table) {
    std::vector<std::pair<const Group*, const Row*>> rows;
    for (const Group& group : table.groups) {
        for (const Row& row : group.rows) {
            if (row.finished() && !std::isnan(row.predicted) && row.per_sweep > 0)
                rows.emplace_back(&group, &row);
        }
    }
    return rows;
}

}  // namespace

std::vector<Figure> figures(const insight::Probe& p) {
    const bool gpu = p.device.kind == "cuda";
    const std::string where = insight::device_text(p.device);
    std::vector<Figure> all;
    all.push_back(curves_figure(
        "Atomic throughput",
        "Exchanges per second against the number of threads, on one address and on many.", "threads",
        {line_of(p.atomics_same, "stroke-red"), line_of(p.atomics_spread, "stroke-blue")},
        {{"one address", "stroke-red", true}, {"many addresses", "stroke-blue", true}}, rate_text,
        "Atomic exchanges per second by the number of threads, as figure 9 of Kaleem et al. " + where + "."));
    if (p.barrier_by_blocks.x.size() > 1)
        all.push_back(
            curves_figure("Barrier", "Seconds of a barrier against the number of participants.",
                          gpu ? "thread blocks" : "threads", {line_of(p.barrier_by_blocks, "stroke-blue")},
                          {{gpu ? "device-wide barrier" : "barrier", "stroke-blue", true}}, duration,
                          "Time of one barrier by the number of participants. " + where + "."));
    const char* classes[] = {"stroke-green", "stroke-blue", "stroke-red"};
    std::vector<Line> lines;
    for (const char* one : classes) lines.push_back({one, {}, true});
    std::vector<insight::DependentUpdate> updates = p.updates;
    std::ranges::sort(updates, {}, &insight::DependentUpdate::rank);
    for (const insight::DependentUpdate& u : updates) {
        const double rank = u.rank;
        lines[0].points.push_back({rank, u.near}), lines[1].points.push_back({rank, u.shared}),
            lines[2].points.push_back({rank, u.locked});
    }
    all.push_back(curves_figure(
        "Dependent updates", "Seconds of an update that waits for the one before it, against the rank.",
        "rank", lines,
        {{gpu ? "shared memory" : "first-level cache", classes[0], true},
         {"through the shared cache", classes[1], true},
         {"under two locks", classes[2], true}},
        duration,
        "Time of an update of SGD that waits for the one before it: a hub's chain. " + where + "."));
    return all;
}

std::vector<Figure> hybrid_figures(const std::vector<Geomean>& means) {
    std::vector<Bar> bars;
    double longest = 0;
    Cells cells{{"hybrid", "input class", "data sets", "speed-up"}, {}, {0, 1}};
    std::string where, baseline;
    for (const Geomean& mean : means) {
        if ((mean.baseline != "el" && mean.baseline != "el-shuffled") ||
            (mean.strategy != "nl-el" && mean.strategy != "el-sgm") || !(mean.value > 0))
            continue;
        const double speed_up = 1 / mean.value;
        const std::string text = group_digits(speed_up, 2) + " ×";
        bars.push_back({mean.strategy + ", " + mean.input_class,
                        {{speed_up, mean.strategy == "nl-el" ? "fill-online" : "fill-offline"}},
                        text});
        longest = std::max(longest, speed_up);
        cells.rows.push_back({mean.strategy, mean.input_class, std::to_string(mean.data_sets), text});
        where = fmt::format("{}, rank {}", mean.device, mean.rank);
        baseline = mean.baseline == "el" ? "EL" : "shuffled EL";
    }
    if (bars.empty()) return {};
    const std::string title = "Hybrid schedules: speed-up over " + baseline;
    return {{title,
             {{"NL, then EL", "fill-online"}, {"hubs by EL, other edges by SGM", "fill-offline"}},
             bars_svg({title, fmt::format("{} horizontal bars.", bars.size())}, bars, longest, 1),
             where + ". Geomean of the time of " + baseline +
                 " over that of the hybrid, as figure 8 of Kaleem et al., whose EL is shuffled; longer is "
                 "faster, the line marks " +
                 baseline + ".",
             table_html(cells, title)}};
}

std::vector<Figure> forecast_figures(const Table& table) {
    const char* classes[] = {"stroke-blue", "stroke-red", "stroke-grey"};  // indexed by Kind
    std::vector<Line> points(3);
    Cells cells{{"data", "strategy", "predicted", "measured", "predicted / measured"}, {}, {0, 1}};
    for (const auto& [group, row] : predicted_rows(table)) {
        points[static_cast<std::size_t>(row->kind)].points.push_back({row->per_sweep, row->predicted});
        cells.rows.push_back({group->data, row->label(), duration(row->predicted), duration(row->per_sweep),
                              group_digits(row->predicted / row->per_sweep, 2)});
    }
    if (cells.rows.empty()) return {};
    std::vector<LegendEntry> legend;
    std::vector<Line> lines;
    for (std::size_t i = 0; i < 3; ++i) {
        if (points[i].points.empty()) continue;
        points[i].classes = classes[i], points[i].dots = true, points[i].joined = false;
        legend.push_back({std::string(to_string(static_cast<Kind>(i))), classes[i], true});
        lines.push_back(points[i]);
    }
    const auto [x_low, x_high] = range(lines, [](const Point& p) { return p.x; });
    const auto [y_low, y_high] = range(lines, [](const Point& p) { return p.y; });
    const double low = std::min(x_low, y_low) / 1.5, high = std::max(x_high, y_high) * 1.5;
    for (const double times : {1.0, 2.0, 0.5})
        lines.push_back({times == 1 ? "reference" : "stroke-ink racing",
                         {{std::max(low, low / times), std::max(low, low * times)},
                          {std::min(high, high / times), std::min(high, high * times)}},
                         false});
    const Accuracy found = accuracy(table);
    const std::string title = "Predicted against measured";
    return {{title, legend,
             lines_svg({title, fmt::format("One point for each of {} runs.", found.predicted)},
                       log_time_axis(low, high), log_time_axis(low, high), "measured time per sweep", lines),
             fmt::format("Time per sweep, predicted (up) against measured (right), one point per strategy "
                         "and data set. On the line, both are equal; the dotted lines mark a factor of 2: {} "
                         "of {} points are between them.",
                         found.near, found.predicted),
             table_html(cells, title)}};
}

std::vector<Figure> overall_figures(const Table& table) {
    std::vector<Figure> all = figures(table.geomeans);
    for (auto& figure : hybrid_figures(table.geomeans)) all.push_back(std::move(figure));
    for (auto& figure : forecast_figures(table)) all.push_back(std::move(figure));
    return all;
}

Forecast forecast_from_json(const std::string& text, const std::string& path) {
    try {
        const auto root = nlohmann::json::parse(text);
        Forecast forecast;
        forecast.data = root.at("graph").at("name").get<std::string>();
        forecast.device = root.at("device").get<std::string>();
        forecast.rank = root.at("rank").get<std::uint32_t>();
        for (const auto& one : root.at("strategies")) {
            const auto& seconds = one.at("seconds").at("sweep");
            if (!seconds.is_null())  // the strategy can run
                forecast.per_sweep[one.at("strategy").get<std::string>()] = seconds.get<double>();
        }
        return forecast;
    } catch (const nlohmann::json::exception& e) {
        throw FormatError(path, fmt::format("is not output of lockstep-recommend --json: {}", e.what()));
    }
}

void add_forecasts(Table& table, const std::vector<Forecast>& forecasts) {
    for (const Forecast& forecast : forecasts) {
        for (Group& group : table.groups) {
            if (std::filesystem::path(group.run.schedule_file).stem() != forecast.data ||
                group.run.device.name != forecast.device || group.run.rank != forecast.rank)
                continue;
            for (Row& row : group.rows) {
                if (const auto found = forecast.per_sweep.find(row.strategy);
                    found != forecast.per_sweep.end() && found->second > 0)
                    row.predicted = found->second;
            }
        }
    }
}

Accuracy accuracy(const Table& table) {
    Accuracy found;
    for (const auto& [group, row] : predicted_rows(table)) {
        ++found.predicted;
        found.near += row->predicted <= 2 * row->per_sweep && row->predicted >= row->per_sweep / 2;
    }
    return found;
}

}  // namespace lockstep::report
