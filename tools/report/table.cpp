// Groups runs into comparable groups and configurations, and computes their medians.
#include "table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <sstream>
#include <tuple>

namespace lockstep::report {

Kind kind_of(std::string_view strategy, bool has_schedule) {
    if (const Strategy* known = known_strategy(strategy)) return known->kind();
    return has_schedule ? Kind::offline : Kind::online;
}

std::size_t place_of(std::string_view strategy) {
    const auto all = strategies_of_all();
    const Strategy* known = known_strategy(strategy);
    if (!known) return all.size();
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [&](const Strategy& s) {
        return std::pair(s.kind(), &s) < std::pair(known->kind(), known);
    }));
}

namespace {

auto group_key(const RunHeader& run) {
    return std::tie(run.graph_hash, run.app, run.train_edges, run.device.kind, run.device.name,
                    run.device.threads, run.rank);
}

std::string status_of(const RunRecord& record) { return record.end ? record.end->status : "died"; }

template <class Value>
double median_of(const std::vector<const RunRecord*>& runs, Value value) {
    std::vector<double> values(runs.size());
    std::transform(runs.begin(), runs.end(), values.begin(),
                   [&](const RunRecord* run) { return value(*run); });
    return median(std::move(values));
}

template <class Value>
double median_of_sweeps(const RunRecord& run, Value value) {
    std::vector<double> values;
    for (const SweepRecord& sweep : run.sweeps) values.push_back(value(sweep));
    return median(std::move(values));
}

double executed(const RunRecord& run) {
    double total = 0;
    for (const SweepRecord& sweep : run.sweeps) total += sweep.seconds;
    return total;
}

double updates_per_second(const RunRecord& run) {
    if (run.end) return run.end->updates_per_second;
    double updates = 0;
    for (const SweepRecord& sweep : run.sweeps) updates += static_cast<double>(sweep.updates);
    return run.sweeps.empty() ? unknown : updates / executed(run);
}

std::vector<CurvePoint> curve_of(const RunRecord& run) {
    std::vector<CurvePoint> curve;
    double seconds = 0;
    for (const SweepRecord& sweep : run.sweeps) {
        seconds += sweep.seconds;
        curve.push_back({seconds, sweep.metric("rmse_train").value_or(unknown),
                         sweep.metric("rmse_test").value_or(unknown)});
    }
    return curve;
}

/// Returns the number of sweeps up to the factors that the run kept; with early stopping these are not the
/// factors of the last sweep.
std::size_t kept_sweeps(const RunRecord& run) {
    if (!run.end || !run.end->kept_sweep || run.end->status == "diverged") return run.sweeps.size();
    return static_cast<std::size_t>(
        std::count_if(run.sweeps.begin(), run.sweeps.end(),
                      [&](const SweepRecord& sweep) { return sweep.sweep <= *run.end->kept_sweep; }));
}
double kept_metric(const RunRecord& run, const char* name) {
    const std::size_t kept = kept_sweeps(run);
    return kept == 0 ? unknown : run.sweeps[kept - 1].metric(name).value_or(unknown);
}

Row make_row(std::vector<const RunRecord*> runs) {
    // The curve is taken from the run with the median execution time.
    std::stable_sort(runs.begin(), runs.end(), [](auto* a, auto* b) { return executed(*a) < executed(*b); });
    const RunRecord& middle = *runs[(runs.size() - 1) / 2];
    Row row;
    row.strategy = middle.run.strategy;
    row.kind = kind_of(row.strategy, !middle.run.schedule_hash.empty());
    row.status = status_of(middle);
    row.deterministic = middle.run.deterministic;
    for (const Stage& stage : stages) {
        row.seconds.*stage.seconds =
            median_of(runs, [&](auto& r) { return r.end ? r.end->seconds.*stage.seconds : unknown; });
    }
    if (!middle.end) row.seconds.execute = median_of(runs, executed);
    std::vector<double> each(runs.size());
    std::ranges::transform(runs, each.begin(), [](const RunRecord* run) {
        return median_of_sweeps(*run, [](auto& sweep) { return sweep.seconds; });
    });
    row.per_sweep = median(each);
    if (const auto [least, most] = std::ranges::minmax(each); runs.size() > 1)
        row.spread = (most - least) / row.per_sweep;
    row.updates_per_second = median_of(runs, updates_per_second);
    row.sweeps = median_of(runs, [](auto& r) { return static_cast<double>(r.sweeps.size()); });
    row.passes = median_of(runs, [](auto& r) {
        return median_of_sweeps(r, [](auto& sweep) { return static_cast<double>(sweep.passes); });
    });
    for (const auto& [name, number] :
         {std::pair("rounds", &Row::rounds), std::pair("launches", &Row::launches),
          std::pair("registers", &Row::registers), std::pair("worklist_atomics", &Row::worklist_atomics)})
        row.*number = median_of(runs, [name = name](auto& r) {
            return median_of_sweeps(r, [&](auto& sweep) { return sweep.metric(name).value_or(unknown); });
        });
    if (!middle.sweeps.empty()) row.each_round = rounds_of(middle.sweeps.front());
    row.rmse_train = median_of(runs, [](auto& r) { return kept_metric(r, "rmse_train"); });
    row.rmse_test = median_of(runs, [](auto& r) { return kept_metric(r, "rmse_test"); });
    std::set<std::string> hashes;
    for (const RunRecord* run : runs) {
        if (run->end) hashes.insert(run->end->result_hash);
    }
    row.result_hashes.assign(hashes.begin(), hashes.end());
    row.curve = curve_of(middle);
    row.kept = kept_sweeps(middle);
    row.runs = std::move(runs);
    return row;
}

/// Sets the variants of the rows: the differences between the rows of one strategy.
void name_variants(std::vector<Row>& rows) {
    std::map<std::string, std::vector<Row*>> of_strategy;
    for (Row& row : rows) of_strategy[row.strategy].push_back(&row);
    for (const auto& [strategy, alike] : of_strategy) {
        std::vector<Configuration> all;
        for (const Row* row : alike) all.push_back(configuration(*row->runs.front()));
        const std::vector<std::string> texts = differences(all);
        for (std::size_t i = 0; i < alike.size(); ++i) alike[i]->variant = texts[i];
    }
}

Group make_group(const std::vector<const RunRecord*>& records) {
    Group group;
    group.run = records.front()->run;
    group.data = data_name(group.run.input, group.run.schedule_file);
    std::map<Configuration, std::vector<const RunRecord*>> configurations;
    for (const RunRecord* record : records) configurations[configuration(*record)].push_back(record);
    for (auto& [key, runs] : configurations) group.rows.push_back(make_row(std::move(runs)));
    name_variants(group.rows);
    std::sort(group.rows.begin(), group.rows.end(), [](const Row& a, const Row& b) {
        return std::tuple(a.kind, place_of(a.strategy), a.strategy, a.variant, a.status) <
               std::tuple(b.kind, place_of(b.strategy), b.strategy, b.variant, b.status);
    });
    return group;
}

std::vector<IdleSchedule> idle_schedules(const std::vector<RunRecord>& records,
                                         const std::vector<ScheduleFileSummary>& files) {
    std::set<std::string> used;
    for (const RunRecord& record : records) used.insert(record.run.schedule_hash);
    std::vector<IdleSchedule> idle;
    for (const ScheduleFileSummary& file : files) {
        for (const ScheduleSummary& schedule : file.schedules) {
            if (used.count(schedule.hash)) continue;
            idle.push_back({data_name(file.source.path, file.path), file.path, file.graph_hash,
                            file.max_degree.both(), file.seconds, schedule});
        }
    }
    return idle;
}

}  // namespace

Configuration configuration(const RunRecord& record) {
    const RunHeader& run = record.run;
    Configuration keys = run.parameters;
    if (const auto axes = keys.extract("axes"); axes && !axes.mapped().empty()) {
        keys["chunk"] = keys["defer"] = "0";  // defaults; `axes` names only other values
        std::istringstream words(axes.mapped());
        for (std::string option, value; words >> option >> value;) keys[option.substr(2)] = value;
    }
    keys.erase("cpu_program");  // implied by the other keys
    keys["strategy"] = run.strategy;
    keys["status"] = status_of(record);
    keys["program"] = run.program;
    keys["sweeps"] = std::to_string(run.sweeps);
    keys["seed"] = std::to_string(run.seed);
    keys["schedule"] = run.schedule_hash.substr(0, 8);
    keys["driver"] = run.device.driver;
    return keys;
}

std::vector<std::string> differences(const std::vector<Configuration>& all) {
    std::map<std::string, std::set<std::string>> values;  // values by key
    for (const Configuration& one : all) {
        for (const auto& [key, value] : one) values[key].insert(value);
    }
    std::vector<std::string> texts;
    for (const Configuration& one : all) {
        std::vector<std::string> parts;
        for (const auto& [key, value] : one) {
            // The status has a column of its own.
            if (key != "status" && values[key].size() > 1) parts.push_back(fmt::format("{} {}", key, value));
        }
        texts.push_back(fmt::format("{}", fmt::join(parts, ", ")));
    }
    return texts;
}

double median(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return unknown;
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string data_name(const std::optional<std::string>& input, const std::string& schedule_file) {
    namespace fs = std::filesystem;
    fs::path name = fs::path(input.value_or("")).filename();
    const bool stream =
        !input || name.empty() || name == "-" || input->starts_with("/dev/") || input->starts_with("/proc/");
    if (stream) return fs::path(schedule_file).stem().string();
    static const std::set<fs::path> packed{".gz",  ".bz2", ".xz",  ".zst", ".lz4",
                                           ".zip", ".tar", ".tgz", ".7z"};
    while (packed.count(name.extension())) name = name.stem();
    return name.stem().string();
}

std::string device_text(const DeviceInfo& device) {
    const char* unit = device.kind == "cuda" ? "multiprocessor" : "thread";
    return fmt::format("{}, {} {}{}", device.name, device.threads, unit, device.threads == 1 ? "" : "s");
}

Table build_table(const std::vector<RunRecord>& records, const std::vector<ScheduleFileSummary>& files,
                  const std::optional<std::string>& baseline) {
    Table table;
    table.runs = records.size();
    std::vector<std::vector<const RunRecord*>> groups;  // groups in the order of the given files
    std::map<decltype(group_key(records.front().run)), std::size_t> places;
    for (const RunRecord& record : records) {
        const auto [place, fresh] = places.try_emplace(group_key(record.run), groups.size());
        if (fresh) groups.emplace_back();
        groups[place->second].push_back(&record);
    }
    for (const auto& group : groups) {
        table.groups.push_back(make_group(group));
        analyse(table.groups.back(), baseline);
    }
    compare(table.groups);
    table.geomeans = geomeans(table.groups);
    table.idle = idle_schedules(records, files);
    return table;
}

}  // namespace lockstep::report
