#include "columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "number.hpp"

namespace lockstep::report {
namespace {

std::string pays_text(const std::optional<BreakEven>& pays) {
    return pays ? break_even_text(pays->sweeps) : dash;
}

std::string count_text(double value) {
    return std::isnan(value) ? dash : group_digits(value, std::floor(value) == value ? 0 : 1);
}

/// Formats an error, or a dash if it is unknown.
std::string rmse_text(double value) { return std::isnan(value) ? dash : fmt::format("{:.4f}", value); }

/// Formats a number of a comparison: "1.23 ×", "40,688".
std::string number_text(const Comparison& comparison, double number) {
    if (!std::isfinite(number)) return dash;
    return comparison.ratio ? significant(number) + " ×" : count_text(number);
}

/// Formats spans of rounds: "push, online 1–3 · push, ballot 4–6"; if they alternate for long, only the
/// number of rounds of each.
std::string spans_text(std::span<const Round> rounds) {
    const std::vector<RoundSpan> spans = spans_of(rounds);
    std::vector<std::string> parts;
    if (spans.size() <= 8) {
        for (const RoundSpan& span : spans) {
            const std::size_t first = span.first + 1, last = span.first + span.rounds.size();
            parts.push_back(fmt::format("{} {}", span.name, first) +
                            (first == last ? "" : fmt::format("–{}", last)));
        }
    } else {
        std::map<std::string, std::size_t> count;
        for (const RoundSpan& span : spans) count[span.name] += span.rounds.size();
        for (const auto& [name, rounds_of_it] : count)
            parts.push_back(fmt::format("{} in {}", name, rounds_of_it));
    }
    return parts.empty() ? dash : fmt::format("{}", fmt::join(parts, " · "));
}

/// Returns the total time of the known stages in seconds.
double total_seconds(const Row& row) {
    double total = 0;
    for (const Stage& stage : stages)
        if (const double one = row.seconds.*stage.seconds; !std::isnan(one)) total += one;
    return total;
}

/// Returns true if the runs have an error; traversals have none.
bool has_rmse(const Group& group) {
    return group.run.app == "sgd" || std::any_of(group.rows.begin(), group.rows.end(), [](const Row& row) {
               return !std::isnan(row.rmse_train) || !std::isnan(row.rmse_test);
           });
}

}  // namespace

bool Cells::is_left(std::size_t column) const {
    return std::find(left.begin(), left.end(), column) != left.end();
}

Cells split_cells(const Group& group) {
    std::vector<double> seconds, sweeps;
    std::vector<Stage> shown;  // the stages that took any time
    for (const Stage& stage : stages) {
        if (std::ranges::any_of(group.rows, [&](const Row& row) { return row.seconds.*stage.seconds > 0; }))
            shown.push_back(stage);
    }
    for (const Row& row : group.rows) {
        seconds.push_back(total_seconds(row));
        for (const Stage& stage : shown) seconds.push_back(row.seconds.*stage.seconds);
        sweeps.push_back(row.per_sweep);
    }
    const Scale stage_scale = seconds_scale(seconds), sweep_scale = seconds_scale(sweeps);
    Cells cells;
    cells.header = {"strategy", "total " + stage_scale.unit};
    for (const Stage& stage : shown) cells.header.emplace_back(stage.name);
    cells.header.push_back(sweep_scale.unit + "/sweep");
    for (const Row& row : group.rows) {
        auto& line = cells.rows.emplace_back(1, row.label());
        line.push_back(stage_scale(total_seconds(row)));
        for (const Stage& stage : shown) line.push_back(stage_scale(row.seconds.*stage.seconds));
        line.push_back(sweep_scale(row.per_sweep));
    }
    return cells;
}

Cells outcome_cells(const Group& group) {
    std::vector<double> rates;
    for (const Row& row : group.rows) rates.push_back(row.updates_per_second);
    const Scale rate = rate_scale(rates);
    const Row* const online = fastest(group, Kind::online);
    const Row* const racing = fastest(group, Kind::racing);
    const auto any = [&](auto what) { return std::ranges::any_of(group.rows, what); };
    const bool offline = any([](const Row& row) { return row.kind == Kind::offline; });
    const bool tests = any([](const Row& row) { return !std::isnan(row.rmse_test); });

    Cells cells;
    std::vector<std::function<std::string(const Row&)>> texts;
    const auto add = [&](bool shown, std::string title, std::function<std::string(const Row&)> text,
                         bool left = false) {
        if (!shown) return;
        if (left) cells.left.push_back(cells.header.size());
        cells.header.push_back(std::move(title)), texts.push_back(std::move(text));
    };
    add(true, "strategy", &Row::label);
    add(true, group.baseline.empty() ? "normalised" : "× " + group.baseline,
        [](const Row& row) { return std::isnan(row.normalised) ? dash : group_digits(row.normalised, 2); });
    add(offline, online ? "pays vs " + online->strategy : "pays",
        [](const Row& row) { return pays_text(row.pays_online); });
    add(offline && racing, racing ? "vs " + racing->strategy : "",
        [](const Row& row) { return pays_text(row.pays_racing); });
    add(true, rate.unit + (rate.unit.empty() ? "" : " ") + "updates/s",
        [&](const Row& row) { return rate(row.updates_per_second); });
    add(true, "sweeps", [](const Row& row) { return count_text(row.sweeps); });
    add(any([](const Row& row) { return row.kind == Kind::online && row.passes > 0; }), "passes",
        [](const Row& row) { return count_text(row.passes); });
    add(has_rmse(group), tests ? "RMSE test" : "RMSE train",
        [&](const Row& row) { return rmse_text(tests ? row.rmse_test : row.rmse_train); });
    const bool repeats = any([](const Row& row) { return row.runs.size() > 1; });
    add(repeats, "runs", [](const Row& row) { return std::to_string(row.runs.size()); });
    add(repeats, "spread", [](const Row& row) {
        return std::isnan(row.spread) ? dash : fmt::format("{:.0f} %", 100 * row.spread);
    });
    add(
        true, "deterministic", [](const Row& row) { return std::string(row.deterministic ? "yes" : "no"); },
        true);
    add(any([](const Row& row) { return !row.finished(); }), "status", &Row::status, true);
    for (const Row& row : group.rows) {
        auto& line = cells.rows.emplace_back();
        for (const auto& text : texts) line.push_back(text(row));
    }
    return cells;
}

Cells rounds_cells(const Group& group) {
    Cells cells{{"strategy", "× serial CPU", "rounds", "launches", "registers", "worklist atomics",
                 "most active", "rounds of the first source"},
                {},
                {0, 7}};
    for (const Row& row : group.rows) {
        if (std::isnan(row.rounds) || group.run.device.kind == "reference") continue;
        double most = unknown;
        for (const Round& round : row.each_round) most = std::fmax(most, round.active);
        cells.rows.push_back({row.label(), std::isnan(row.speed_up) ? dash : significant(row.speed_up),
                              count_text(row.rounds), count_text(row.launches), count_text(row.registers),
                              count_text(row.worklist_atomics), count_text(most),
                              spans_text(row.each_round)});
    }
    return cells;
}

std::vector<NamedCells> comparison_cells(const std::vector<Group>& groups) {
    std::vector<NamedCells> tables;
    for (const Group& group : groups) {
        for (const Comparison& comparison : group.comparisons) {
            const std::string title = comparison.title + " · " + device_text(group.run.device);
            auto table = std::find_if(tables.begin(), tables.end(),
                                      [&](const NamedCells& one) { return one.title == title; });
            if (table == tables.end()) table = tables.insert(table, {title, {{"graph"}, {}, {0}}});
            Cells& cells = table->cells;
            auto& line = cells.rows.emplace_back();
            line.push_back(group.data + ", " + group.run.app +
                           (comparison.with.empty() ? "" : ", " + comparison.with));
            for (const auto& [value, number] : comparison.values) {
                auto column = std::find(cells.header.begin() + 1, cells.header.end(), value);
                if (column == cells.header.end()) column = cells.header.insert(column, value);
                const auto place = static_cast<std::size_t>(column - cells.header.begin());
                if (line.size() <= place) line.resize(place + 1, dash);
                line[place] = number_text(comparison, number);
            }
        }
    }
    for (NamedCells& table : tables) {
        for (auto& line : table.cells.rows) line.resize(table.cells.header.size(), dash);
    }
    return tables;
}

Cells geomean_cells(const std::vector<Geomean>& means) {
    Cells cells;
    cells.header = {"strategy", "input class", "geomean", "normalised to", "data sets", "rank", "device"};
    cells.left = {0, 1, 3, 6};
    for (const Geomean& mean : means) {
        cells.rows.push_back({mean.strategy, mean.input_class, group_digits(mean.value, 2), mean.baseline,
                              std::to_string(mean.data_sets), std::to_string(mean.rank), mean.device});
    }
    return cells;
}

Cells idle_cells(const std::vector<IdleSchedule>& idle) {
    std::vector<double> seconds;
    for (const IdleSchedule& one : idle) {
        seconds.insert(seconds.end(), {one.file_seconds.read, one.schedule.seconds, one.file_seconds.write});
    }
    const Scale scale = seconds_scale(seconds);
    Cells cells;
    cells.header = {"schedule",
                    "data",
                    "read " + scale.unit,
                    "schedule " + scale.unit,
                    "write " + scale.unit,
                    "rounds",
                    "Dmax",
                    "smallest round",
                    "median",
                    "largest"};
    cells.left = {0, 1};
    for (const IdleSchedule& one : idle) {
        const ScheduleStatistics& rounds = one.schedule.statistics;
        const auto count = [](EdgeId value) { return count_text(static_cast<double>(value)); };
        cells.rows.push_back({one.schedule.name, one.data, scale(one.file_seconds.read),
                              scale(one.schedule.seconds), scale(one.file_seconds.write),
                              count(rounds.rounds), count(one.max_degree), count(rounds.min_round),
                              count(rounds.median_round), count(rounds.max_round)});
    }
    return cells;
}

std::string run_text(const Group& group, const std::string& driver) {
    const RunHeader& run = group.run;
    return fmt::format("{} · {}{}{}{}", run.app, device_text(run.device), driver.empty() ? "" : ", ", driver,
                       run.rank > 0 ? fmt::format(" · rank {}", run.rank) : "");
}

std::string graph_text(const Group& group) {
    const RunHeader& run = group.run;
    const auto count = [](EdgeId value) { return group_digits(static_cast<double>(value), 0); };
    std::string edges = count(run.edges) + " edges";
    if (run.test_edges > 0)
        edges += fmt::format(" ({} to train, {} to test)", count(run.train_edges), count(run.test_edges));
    return fmt::format("{} rows × {} columns, {}, Dmax {} / {}, {}", count(run.rows), count(run.cols), edges,
                       count(run.max_row_degree), count(run.max_col_degree), group.input_class());
}

}  // namespace lockstep::report
