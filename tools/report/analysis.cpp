// Analysis of the medians: baseline, normalised times, break-even, input class, geomeans.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "number.hpp"
#include "table.hpp"

namespace lockstep::report {
namespace {

constexpr double long_run = 1;  ///< seconds; in a shorter run the first sweep has a large share

/// Returns n = ceil((P_off - P_on) / (t_on - t_off)): the number of sweeps after which the shorter sweeps of
/// the schedule have made up for the time before them.
double break_even(const Row& offline, const Row& other, double (Row::*before)() const) {
    const double gain = other.per_sweep - offline.per_sweep;
    const double cost = (offline.*before)() - (other.*before)();
    if (!(gain > 0)) return std::numeric_limits<double>::infinity();
    return std::max(0.0, std::ceil(cost / gain));
}

std::optional<BreakEven> pays(const Row& offline, const Row* other) {
    if (!other) return std::nullopt;
    return BreakEven{other->strategy, break_even(offline, *other, &Row::before_sweeps),
                     break_even(offline, *other, &Row::loading)};
}

/// Returns true if the graph is a road network: the degrees of both sides are small. All other graphs count
/// as scale-free.
bool is_road(const RunHeader& run) {
    const auto even = [&](EdgeId largest, VertexId vertices) {
        return largest <= 64 && static_cast<double>(largest) * vertices <= 8 * static_cast<double>(run.edges);
    };
    return even(run.max_row_degree, run.rows) && even(run.max_col_degree, run.cols);
}

/// Returns true if times are normalised to the slowest variant on each graph, as in the paper on neighbour
/// iteration.
bool to_slowest(const Group& group, const std::optional<std::string>& wanted) {
    return !wanted && group.run.app != "sgd";
}

const Row* slowest(const Group& group) {
    const Row* worst = nullptr;
    for (const Row& row : group.rows) {
        if (row.finished() && row.same_as.empty() && row.per_sweep > (worst ? worst->per_sweep : 0))
            worst = &row;
    }
    return worst;
}

const Row* find_baseline(const Group& group, const std::optional<std::string>& wanted) {
    if (to_slowest(group, wanted)) return slowest(group);
    const std::vector<std::string> names =
        wanted ? std::vector{*wanted} : std::vector<std::string>{"el", "el-shuffled"};
    for (const std::string& name : names) {
        const Row* row = fastest(group, kind_of(name, true), name);
        if (row && row->per_sweep > 0) return row;
    }
    return nullptr;
}

/// Marks the rows that are the same program with the same options on a CPU as an earlier row. They differ
/// only in noise, so that only the first of them is compared.
void mark_same_programs(Group& group) {
    std::map<Configuration, std::vector<Row*>> programs;
    for (Row& row : group.rows) {
        const RunHeader& run = row.runs.front()->run;
        Configuration rest = run.parameters;
        if (!row.finished() || !rest.contains("cpu_program")) continue;
        for (const char* name : {"axes", "chosen_for", "warp_size", "chunk"}) rest.erase(name);
        rest["program"] = run.program, rest["schedule"] = run.schedule_hash;
        rest["seed"] = std::to_string(run.seed), rest["sweeps"] = std::to_string(run.sweeps);
        programs[rest].push_back(&row);
    }
    for (const auto& [program, rows] : programs) {
        if (rows.size() < 2) continue;
        std::vector<std::string> labels;
        for (Row* row : rows) {
            if (!labels.empty()) row->same_as = labels[0];
            labels.push_back(row->label());
        }
        group.notes.push_back(fmt::format("The same program on a CPU ({}), compared only once, as {}: {}.",
                                          program.at("cpu_program"), labels[0], fmt::join(labels, ", ")));
    }
}

/// Returns true if no row shows an error in the table. Plain models of equal weights have errors, biased
/// models never do.
bool is_flat(const Group& group) {
    const auto is_zero = [](const Row& row) {
        return !row.finished() || (row.rmse_train < 0.5e-4 && !(row.rmse_test >= 0.5e-4));
    };
    return group.run.app == "sgd" && std::all_of(group.rows.begin(), group.rows.end(), is_zero) &&
           std::any_of(group.rows.begin(), group.rows.end(), [](const Row& row) { return row.finished(); });
}

void add_notes(Group& group, const std::optional<std::string>& wanted) {
    const auto diverged = [](const Row& row) { return row.status == "diverged"; };
    if (std::all_of(group.rows.begin(), group.rows.end(), diverged)) {
        group.notes.push_back("All strategies diverged: run them again with a smaller --learning-rate.");
        return;
    }
    if (group.baseline.empty()) {
        group.notes.push_back(
            fmt::format("No baseline: there is no finished run of {}, so times are not normalised.",
                        wanted                      ? *wanted
                        : to_slowest(group, wanted) ? "any strategy"
                                                    : "el or el-shuffled"));
    } else if (to_slowest(group, wanted)) {
        if (group.rows.size() > 1)
            group.notes.push_back(fmt::format("Normalised to the slowest strategy of this group, {}.",
                                              slowest(group)->label()));
    } else if (!wanted && group.baseline != "el") {
        group.notes.push_back("Normalised to el-shuffled, because there is no finished run of el.");
    }
    if (group.flat)
        group.notes.push_back(
            "An RMSE of 0 is meaningless: all weights are equal, so their mean predicts them. If an edge "
            "means that an item was taken, use --feedback implicit.");
    for (const Row& row : group.rows) {
        if (row.deterministic && row.result_hashes.size() > 1) {
            group.notes.push_back(
                fmt::format("{} is recorded as deterministic, but its {} runs have {} different results.",
                            row.label(), row.runs.size(), row.result_hashes.size()));
        }
    }
    for (const Row& row : group.rows) {
        const double even = row.sweeps * row.per_sweep;
        if (group.run.app == "sgd" && row.finished() && row.seconds.execute > 2 * even &&
            row.seconds.execute > long_run)
            group.notes.push_back(
                fmt::format("{}: its {:.0f} sweeps took {}, {:.1f} times as long as the same number of "
                            "median sweeps ({}): some sweeps were delayed by other work on the machine.",
                            row.label(), row.sweeps, duration(row.seconds.execute),
                            row.seconds.execute / even, duration(row.per_sweep)));
    }
    std::map<std::string, std::vector<std::string>> unfinished;  // labels by status
    for (const Row& row : group.rows) {
        if (!row.finished()) unfinished[row.status].push_back(row.label());
    }
    for (const auto& [status, rows] : unfinished) {
        group.notes.push_back(
            fmt::format("Not finished (status {}), so neither normalised nor with a break-even point: {}.",
                        status, fmt::join(rows, ", ")));
    }
}

/// Returns the offline row with the smallest break-even against the fastest online strategy; null if no row
/// breaks even.
const Row* first_to_pay(const Group& group) {
    const Row* first = nullptr;
    for (const Row& row : group.rows) {
        if (!row.pays_online || std::isinf(row.pays_online->sweeps)) continue;
        if (!first || row.pays_online->sweeps < first->pays_online->sweeps) first = &row;
    }
    return first;
}

}  // namespace

const Row* fastest(const Group& group, Kind kind, const std::optional<std::string>& strategy) {
    const Row* best = nullptr;
    for (const Row& row : group.rows) {
        if (row.kind != kind || !row.finished() || std::isnan(row.per_sweep)) continue;
        if (strategy ? row.strategy != *strategy : !row.same_as.empty()) continue;
        if (!best || row.per_sweep < best->per_sweep) best = &row;
    }
    return best;
}

void analyse(Group& group, const std::optional<std::string>& baseline) {
    group.road = is_road(group.run);
    mark_same_programs(group);
    group.flat = is_flat(group);
    const Row* reference = find_baseline(group, baseline);
    if (reference) group.baseline = to_slowest(group, baseline) ? "slowest" : reference->strategy;
    std::set<std::string> others;
    for (const Row& row : group.rows) {
        if (row.kind != Kind::offline) others.insert(row.strategy);
    }
    for (Row& row : group.rows) {
        if (!row.finished() || std::isnan(row.per_sweep) || !row.same_as.empty()) continue;
        if (reference) row.normalised = row.per_sweep / reference->per_sweep;
        if (row.kind != Kind::offline) continue;
        for (const std::string& other : others) {
            const auto paid = pays(row, fastest(group, kind_of(other, false), other));
            if (paid) row.break_even.push_back(*paid);
        }
        row.pays_online = pays(row, fastest(group, Kind::online));
        row.pays_racing = pays(row, fastest(group, Kind::racing));
    }
    add_notes(group, baseline);
}

std::vector<Geomean> geomeans(const std::vector<Group>& groups) {
    std::map<std::string, std::set<std::string>> data_sets;  // (application, device and rank) -> graphs
    const auto where = [](const Group& g) {
        return fmt::format("{}\n{}\n{}", g.run.app, device_text(g.run.device), g.run.rank);
    };
    for (const Group& group : groups) data_sets[where(group)].insert(group.run.graph_hash);

    std::map<std::tuple<std::string, std::string, std::uint32_t, std::string_view, std::string, std::string>,
             Geomean>
        sums;  // sums of logarithms
    for (const Group& group : groups) {
        if (data_sets[where(group)].size() < 2) continue;
        std::set<std::string> seen;
        for (const Row& row : group.rows) {
            // If a strategy has several variants, its fastest variant represents it.
            if (!seen.insert(row.strategy).second) continue;
            const Row* best = fastest(group, row.kind, row.strategy);
            if (!best || !(best->normalised > 0)) continue;
            const RunHeader& run = group.run;
            const std::string device = device_text(run.device), input_class(group.input_class());
            Geomean& sum = sums.try_emplace({run.app, device, run.rank, group.input_class(), group.baseline,
                                             row.strategy},
                                            Geomean{run.app, device, run.rank, input_class, group.baseline,
                                                    row.strategy, row.kind})
                               .first->second;
            sum.value += std::log(best->normalised);
            ++sum.data_sets;
        }
    }
    std::vector<Geomean> means;
    for (auto& [key, mean] : sums) {
        mean.value = std::exp(mean.value / static_cast<double>(mean.data_sets));
        means.push_back(std::move(mean));
    }
    std::stable_sort(means.begin(), means.end(), [](const Geomean& a, const Geomean& b) {
        return std::tuple(a.app, a.device, a.rank, b.input_class, a.baseline, a.kind, place_of(a.strategy),
                          a.strategy) < std::tuple(b.app, b.device, b.rank, a.input_class, b.baseline, b.kind,
                                                   place_of(b.strategy), b.strategy);
    });
    return means;
}

std::string headline(const Group& group) {
    std::vector<std::string> sentences;
    const auto describe = [&](const char* what, const Row* row) {
        if (!row) return;
        std::string text = fmt::format("{}: {}, {} per sweep", what, row->label(), duration(row->per_sweep));
        if (!std::isnan(row->normalised) && row->normalised != 1 && row->strategy != group.baseline)
            text += fmt::format(" ({:.2f} × {})", row->normalised, group.baseline);
        sentences.push_back(text + '.');
    };
    const Row* online = fastest(group, Kind::online);
    const Row* offline = fastest(group, Kind::offline);
    describe("Fastest online", online);
    describe("Fastest offline", offline);
    describe("Fastest unsynchronized", fastest(group, Kind::racing));
    if (const Row* first = first_to_pay(group)) {
        const BreakEven& pays = *first->pays_online;
        const auto when = [](double sweeps) {
            return (sweeps > 0 ? "after " : "") + break_even_text(sweeps);
        };
        sentences.push_back(
            fmt::format("First schedule to pay for the {} before its sweeps, compared with {}: {}, {}; if "
                        "read from its file, {}.",
                        duration(first->before_sweeps()), pays.against, first->label(), when(pays.sweeps),
                        when(pays.kept)));
    } else if (online && offline) {
        sentences.push_back(
            fmt::format("No schedule pays compared with {}: none has a faster sweep.", online->label()));
    }
    return fmt::format("{}", fmt::join(sentences, "\n"));
}

}  // namespace lockstep::report
