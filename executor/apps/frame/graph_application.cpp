#include "apps/frame/graph_application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep {

namespace {

constexpr std::string_view whole_number = "chunk";  ///< the only axis whose value is an integer

/// Returns true if the axis (an option of rounds over active vertices) has an effect on a CPU.
bool heeded_by_cpu(std::string_view axis) {
    return axis == "direction" || axis == "priority" || axis == "delta";
}

/// Returns true if the strategy runs with the generic walk over active vertices, which needs no schedule.
bool goes_by_axes(const Strategy& s) {
    const bool has_rounds = s.walk.family == Family::frontier || s.walk.family == Family::structure;
    return has_rounds && !s.schedule && s.variant.index() == 0;
}

}  // namespace

void GraphApplication::list(Fields&, Fields& more) {
    const std::vector<std::string> own = axes();
    for (const auto& [name, help] : frontier::axis_options()) {
        if (std::find(own.begin(), own.end(), name) == own.end()) continue;
        if (name == whole_number)
            list_chunk(more, chunk_);
        else
            more.text(name, axis_words_[name], "WORD", help).is_for_gpu = !heeded_by_cpu(name);
    }
    list_tune_seconds(more, options_.tune_seconds);
    more.flag("tune-presets", presets_alone_,
              "--strategy tune: try only the strategies themselves, and no other values of the options of "
              "the fastest one");
    list_repeat(more, options_.repeats);
}

void GraphApplication::settle(const Fields& fields, Request& request, int threads) {
    options_.device = request.device, options_.threads = threads;
    frontier::Axes axes;  // set_axis() throws Error if a value is invalid, before any file is read
    for (const std::string& name : this->axes()) {
        if (!fields.is_given(name)) continue;
        given_.emplace_back(name, name == whole_number ? std::to_string(chunk_) : *axis_words_[name]);
        frontier::set_axis(axes, name, given_.back().second);
    }
}

std::vector<std::string> GraphApplication::all_axes() {
    std::vector<std::string> names;
    for (const auto& [name, text] : frontier::axis_options()) names.emplace_back(name);
    return names;
}

frontier::Axes GraphApplication::preset_with(const Strategy& strategy,
                                             const frontier::AxisValues& given) const {
    frontier::Axes axes = frontier::preset_axes(strategy.axes, by_priority());
    for (const auto& [option, value] : given) frontier::set_axis(axes, option, value);
    return axes;
}

frontier::Axes GraphApplication::axes_of(const Strategy& strategy) const {
    const std::vector<std::string> heeded = axes_of_way(strategy);
    for (const auto& [option, value] : given_) {
        if (std::ranges::find(heeded, option) == heeded.end())
            throw UsageError(fmt::format("--{} does not apply to strategy {}, which has a fixed method",
                                         option, strategy.name));
    }
    const frontier::Axes axes = preset_with(strategy, given_);
    if (const std::string reason = frontier::why_not(axes, by_priority()); !reason.empty())
        throw UsageError(reason);
    return axes;
}

/// Returns the name of the program that a strategy runs on a CPU. Of all axes, a CPU uses only one: the
/// buckets of priorities if the strategy has any, otherwise the direction.
std::string GraphApplication::cpu_program(const Strategy& strategy) const {
    if (!goes_by_axes(strategy)) return on_cpu(strategy).name;
    const frontier::Axes axes = preset_with(strategy, strategy.axes ? given_ : frontier::AxisValues{});
    const std::string text = frontier::to_string(axes);
    if (axes.priority != frontier::Priority::none)
        return "--priority delta" + text.substr(text.find(" --delta"));
    if (!pulls_on_cpu()) return "--direction push";
    const std::size_t begin = text.find("--direction");
    return text.substr(begin, text.find(" --balance") - begin);
}

ScheduleFileSummary GraphApplication::summary_of(const Request& request) const {
    return lockstep::summary_of(request);
}

GraphApplication::CandidateSet GraphApplication::find_candidates(const Request& request) const {
    ScheduleFileSummary file = summary_of(request);
    std::string note;
    CandidateSet f{graph_class(file), usable_device(options_.device, &note), {}, {}};
    const bool gpu = f.device == Device::cuda;
    // strategies with a schedule support neither --order nor axes
    if (request.order || !given_.empty()) file.schedules.clear();
    f.rule = choose_rule(file, gpu);

    std::set<std::string> seen;
    const auto add = [&](const Strategy& s) {
        if (seen.insert(gpu ? s.name : cpu_program(s)).second) f.candidates.emplace_back(s.name);
    };
    add(find_strategy(f.rule.first, spec().strategies));
    const auto all = strategies(spec().strategies);
    for (const bool prepared : {true, false}) {
        // later entries of the strategy table first, since they are newer and usually faster
        for (auto s = all.rbegin(); s != all.rend(); ++s) {
            const bool there = !s->schedule || schedule_in(file, s->schedule);
            if (there && is_applicable(*s) && prepared == (s->schedule != nullptr)) add(*s);
        }
    }
    return f;
}

std::string GraphApplication::axes_with(const Strategy& strategy, const std::string& changes) const try {
    if (!strategy.axes || changes.empty()) return {};
    const std::string axes = std::string(strategy.axes) + ' ' + changes;
    Strategy changed = strategy;
    changed.axes = axes.c_str();
    return frontier::why_not(preset_with(changed, given_), by_priority()).empty() ? axes : "";
} catch (const Error&) {  // the changes were stored by another version of the program, whose axes differ
    return {};
}

std::string GraphApplication::program(const Strategy& strategy, bool gpu) const {
    if (!gpu) return cpu_program(strategy);
    return fmt::format("{} {}", strategy.variant.index(), frontier::to_string(preset_with(strategy, given_)));
}

Choice GraphApplication::choose_by_rule(const Request& request) const {
    const CandidateSet f = find_candidates(request);
    const auto axes_of = [&](const std::string& strategy, const std::string& changes) {
        return given_.empty() ? axes_with(find_strategy(strategy, spec().strategies), changes) : "";
    };
    return kept_or(f.rule, f.candidates, axes_of, task(), device_info(f.device, options_.threads),
                   f.graph_class);
}

void GraphApplication::search(const Strategy& start, double seconds, std::set<std::string>& known, bool gpu,
                              Trials& trials, const Solve& solve) const {
    std::vector<std::string> open = axes_of_way(start);
    std::erase_if(open, [&](const std::string& name) {
        return std::ranges::any_of(given_, [&](const auto& one) { return one.first == name; });
    });
    const auto measure = [&](const frontier::AxisValues& changed) -> std::optional<double> {
        const std::string changes = frontier::to_string(changed), text = axes_with(start, changes);
        if (text.empty() || trials.time_is_over()) return {};
        Strategy strategy = start;
        strategy.axes = text.c_str();
        if (!known.insert(program(strategy, gpu)).second) return {};
        return trials.attempt(
            start.name, [&](auto& report) { return solve(strategy, report); }, changes);
    };
    frontier::faster_axes(open, seconds, trials.gain(), measure);
}

Choice GraphApplication::choose_by_trial(const Request& request, const Common& common) {
    const CandidateSet f = find_candidates(request);
    const auto named = [&](const std::string& name) -> auto& {
        return find_strategy(name, spec().strategies);
    };
    const bool gpu = f.device == Device::cuda;
    Trials trials(common, options_.tune_seconds);
    Request trial = request;
    std::optional<Input> input;
    const Solve solve = [&](const Strategy& strategy, nlohmann::ordered_json& report) {
        trial.strategy = strategy.name;
        if (!input || strategy.schedule || input->strategy.schedule)
            input.emplace(trial, common, named(trial.strategy));
        auto outcome = this->solve(*input, strategy, true, {{}, {}, [] { return pending_signal() != 0; }});
        report = trial_json(*outcome);
        return outcome;
    };
    const Strategy* start = nullptr;  // the fastest strategy so far that has axes
    double least = 0;
    std::set<std::string> known;
    for (const std::string& name : f.candidates) {
        const Strategy& strategy = named(name);
        const auto seconds = trials.attempt(name, [&](auto& report) { return solve(strategy, report); });
        if (!strategy.axes) continue;
        known.insert(program(strategy, gpu));
        if (seconds && (!start || *seconds < least)) start = &strategy, least = *seconds;
    }
    if (start && !presets_alone_) search(*start, least, known, gpu, trials, solve);
    Choice choice = trials.choice(task(), f.graph_class, given_.empty());
    choice.axes = axes_with(named(choice.strategies.front()), choice.axes);
    return choice;
}

std::unique_ptr<RunOutcome> GraphApplication::run(const Input& input, const RunEvents& events) {
    const auto described = [&](RunHeader& header, const RunOutcome& so_far) {
        return describe(input, header, so_far);
    };
    auto outcome = solve(input, input.strategy, false, events.callbacks(described));
    verify(*outcome, [&] { return check(input, *outcome); });
    return outcome;
}

void GraphApplication::record_program(const Strategy& strategy, const RunOutcome& so_far,
                                      RunHeader& header) const {
    const std::string program = so_far.device.kind == "cpu" ? cpu_program(strategy) : "";
    if (!program.empty()) header.parameters["cpu_program"] = program;
}

RunText GraphApplication::describe(const Input& input, RunHeader& header, const RunOutcome& so_far) const {
    header.sweeps = 1;
    header.train_edges = input.graph().edges();
    if (!axes().empty()) {
        const bool has = input.strategy.axes;
        header.parameters["axes"] = has ? frontier::to_string(preset_with(input.strategy, given_)) : "";
    }
    record_program(input.strategy, so_far, header);
    const ScheduleFileSummary& s = input.file.summary;
    return {fmt::format("{} vertices, {} edges", text::group_digits(s.rows), text::group_digits(s.edges)),
            {},
            {}};
}

}  // namespace lockstep
