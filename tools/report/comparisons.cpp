// Comparisons of runs over active vertices: with a serial CPU, as in figure 2 of Hong et al., and for one
// axis with all else equal, as in the tables of IrGL and SIMD-X.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "table.hpp"

namespace lockstep::report {
namespace {

/// A comparison of the values of an option.
struct OptionComparison {
    const char* option;
    const char* reference;  ///< the value that the others are compared with, without the part behind a colon
    const char* title;
    double Row::*number;
    bool ratio;  ///< whether to show the reference's number divided by the row's, or the number itself
};
constexpr OptionComparison questions[] = {
    {"balance", "serial", "Nested parallelism: speed-up over serial", &Row::per_sweep, true},
    {"append", "thread", "Cooperative conversion: speed-up over thread", &Row::per_sweep, true},
    {"append", "thread", "Cooperative conversion: times fewer worklist atomics than thread",
     &Row::worklist_atomics, true},
    {"append", "thread", "Cooperative conversion: worklist atomics", &Row::worklist_atomics, false},
    {"filter", "jit", "Filters alone: speed-up over just-in-time control", &Row::per_sweep, true},
    {"loop", "host", "Fusion: speed-up over one launch per step", &Row::per_sweep, true},
    {"loop", "host", "Fusion: launches", &Row::launches, false},
    {"loop", "host", "Fusion: registers per thread", &Row::registers, false},
};

bool counts(const Row& row) { return row.finished() && row.rounds >= 0 && row.per_sweep > 0; }

/// Returns the parameters that define the task of a run, without those that define how it is executed.
Configuration task_of(const RunHeader& run) {
    Configuration task = run.parameters;
    std::erase_if(task, [](const auto& one) {
        const std::string& key = one.first;
        return key == "axes" || key == "order" || key == "cpu_program" || key == "proof" ||
               key == "chosen_for" || key.starts_with("schedule_");
    });
    task["seed"] = std::to_string(run.seed);
    task["sweeps"] = std::to_string(run.sweeps);
    return task;
}

void compare_with_serial(Group& group, const std::vector<Group>& groups) {
    std::map<Configuration, double> serial;  // task -> seconds of the fastest row
    for (const Group& other : groups) {
        if (other.run.device.kind != "reference" || other.run.app != group.run.app ||
            other.run.graph_hash != group.run.graph_hash)
            continue;
        for (const Row& row : other.rows) {
            if (!counts(row)) continue;
            double& seconds = serial.try_emplace(task_of(row.runs.front()->run), row.per_sweep).first->second;
            seconds = std::min(seconds, row.per_sweep);
        }
    }
    Comparison found{"Speed-up over the serial CPU", "strategy", "", true, {}};
    for (Row& row : group.rows) {
        const auto same = serial.find(task_of(row.runs.front()->run));
        if (same == serial.end() || !counts(row) || !row.same_as.empty()) continue;
        row.speed_up = same->second / row.per_sweep;
        // If a strategy has several variants, its fastest variant represents it; the variants are adjacent.
        if (found.values.empty() || found.values.back().first != row.strategy)
            found.values.emplace_back(row.strategy, row.speed_up);
        found.values.back().second = std::max(found.values.back().second, row.speed_up);
    }
    if (!found.values.empty()) group.comparisons.push_back(std::move(found));
}

using Values = std::map<std::string, const Row*>;  ///< rows by the value of an option

/// Returns families of rows that differ only in this option. The degree thresholds `small` and `large` belong
/// to the option `balance`. If several rows have the same value, under any strategy name, the fastest counts.
std::map<Configuration, Values> families(const Group& group, const std::string& option) {
    std::map<Configuration, Values> all;
    for (const Row& row : group.rows) {
        if (!counts(row)) continue;
        Configuration rest = configuration(*row.runs.front());
        const auto value = rest.extract(option);
        if (!value) continue;
        for (const char* other : {"strategy", "chosen_for"}) rest.erase(other);
        if (option == "balance") rest.erase("small"), rest.erase("large");
        const Row*& fastest = all[rest].try_emplace(value.mapped(), &row).first->second;
        if (row.per_sweep < fastest->per_sweep) fastest = &row;
    }
    return all;
}

const Row* reference_of(const Values& values, std::string_view word) {
    const Row* best = nullptr;
    for (const auto& [value, row] : values) {
        if (value.substr(0, value.find(':')) == word && (!best || row->per_sweep < best->per_sweep))
            best = row;
    }
    return best;
}

void compare_by(Group& group, const OptionComparison& question) {
    std::vector<Configuration> rests;
    std::vector<Comparison> found;
    for (const auto& [rest, values] : families(group, question.option)) {
        const Row* reference = reference_of(values, question.reference);
        if (!reference || values.size() < 2 || std::isnan(reference->*question.number)) continue;
        Comparison comparison{question.title, question.option, "", question.ratio, {}};
        for (const auto& [value, row] : values) {
            const double number = row->*question.number;
            const auto at = row == reference ? comparison.values.begin() : comparison.values.end();
            comparison.values.emplace(at, value,
                                      question.ratio ? reference->*question.number / number : number);
        }
        rests.push_back(rest);
        found.push_back(std::move(comparison));
    }
    const std::vector<std::string> with = differences(rests);
    for (std::size_t i = 0; i < found.size(); ++i) {
        found[i].with = with[i];
        group.comparisons.push_back(std::move(found[i]));
    }
}

}  // namespace

void compare(std::vector<Group>& groups) {
    for (Group& group : groups) {
        if (group.run.device.kind == "reference") continue;
        compare_with_serial(group, groups);
        // These options have different implementations on a CPU.
        if (group.run.device.kind != "cuda") continue;
        for (const OptionComparison& question : questions) compare_by(group, question);
    }
}

std::vector<Round> rounds_of(const SweepRecord& sweep) {
    const auto count = std::count_if(sweep.metrics.begin(), sweep.metrics.end(),
                                     [](const Metric& m) { return m.name == "round_active"; });
    std::vector<Round> rounds(static_cast<std::size_t>(count));
    std::map<std::string_view, std::size_t> next;  // next round of each metric with one value per round
    for (const Metric& m : sweep.metrics) {
        const std::size_t place = next[m.name]++;
        if (m.name == "round_seconds" && place < rounds.size()) rounds[place].seconds = m.value;
        if (m.name == "round_active") rounds[place].active = m.value;
        if (m.name == "round_arcs" && place < rounds.size()) rounds[place].arcs = m.value;
        const std::string_view name = m.name;
        if (!name.ends_with("_rounds") || !(m.value >= 1 && m.value <= static_cast<double>(count))) continue;
        Round& round = rounds[static_cast<std::size_t>(m.value) - 1];
        (name == "pull_rounds" ? round.direction : round.filter) = name.substr(0, name.rfind('_'));
    }
    return rounds;
}

std::vector<RoundSpan> spans_of(std::span<const Round> rounds) {
    std::vector<RoundSpan> spans;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        const Round& round = rounds[i];
        const std::string name =
            round.direction + (round.filter == "none" ? std::string() : ", " + round.filter);
        if (spans.empty() || spans.back().name != name) spans.push_back({name, i, {}});
        spans.back().rounds = rounds.subspan(spans.back().first, i + 1 - spans.back().first);
    }
    return spans;
}

}  // namespace lockstep::report
