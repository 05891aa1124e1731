#include "apps/frame/graph_application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lockstep {

namespace {

constexpr std::string_view whole_number = "chunk";  ///< an axis which other applications have, too

/// Rounds over active vertices run it, in no order of their own.
bool goes_by_axes(const Strategy& s) {
    const bool has_rounds = s.walk.family == Family::frontier || s.walk.family == Family::structure;
    return has_rounds && !s.schedule && s.way.index() == 0;
}

}  // namespace

void GraphApplication::declare(cli::Options&, cli::Options& tuning) const {
    const std::vector<std::string> own = axes();
    for (const auto& [name, text] : frontier::axis_options()) {
        if (std::find(own.begin(), own.end(), name) == own.end()) continue;
        if (name == whole_number)
            declare_chunk(tuning);
        else
            tuning.add_options()(name, boost::program_options::value<std::string>()->value_name("WORD"),
                                 text);
    }
    tuning.add_options()("tune-seconds", cli::number<double>(0, 1e6)->default_value(10),
                         "--strategy tune: stop trying after so many seconds");
    declare_repeat(tuning);
}

void GraphApplication::read(const cli::Values& values, Device device, int threads) {
    options_ = {device, threads, values["repeat"].as<std::uint64_t>(),
                values.count("tune-seconds") ? values["tune-seconds"].as<double>() : 0};
    given_.clear();
    frontier::Axes axes;  // so that a wrong word is refused before anything is read
    for (const std::string& name : this->axes()) {
        if (!values.count(name) || values[name].defaulted()) continue;
        given_.emplace_back(name, name == whole_number ? std::to_string(values[name].as<int>())
                                                       : values[name].as<std::string>());
        frontier::set_axis(axes, name, given_.back().second);
    }
}

std::vector<std::string> GraphApplication::all_axes() {
    std::vector<std::string> names;
    for (const auto& [name, text] : frontier::axis_options()) names.emplace_back(name);
    return names;
}

/// A CPU has ways of its own for the others.
std::vector<std::string> GraphApplication::gpu_options() const {
    std::vector<std::string> names = axes();
    std::erase_if(names, [](const std::string& name) {
        return name == "direction" || name == "priority" || name == "delta";
    });
    return names;
}

frontier::Axes GraphApplication::preset_with(const Strategy& strategy, const Given& given) const {
    frontier::Axes axes = frontier::preset_axes(strategy.axes, by_priority());
    for (const auto& [option, value] : given) frontier::set_axis(axes, option, value);
    return axes;
}

frontier::Axes GraphApplication::axes_of(const Strategy& strategy) const {
    if (!strategy.axes && !given_.empty())
        throw cli::UsageError(fmt::format("--{} does not apply to {}, which has a way of its own",
                                          given_.front().first, strategy.name));
    const frontier::Axes axes = preset_with(strategy, given_);
    if (const std::string reason = frontier::why_not(axes, by_priority()); !reason.empty())
        throw cli::UsageError(reason);
    return axes;
}

/// Of axes a CPU heeds the direction, or the buckets.
std::string GraphApplication::cpu_program(const Strategy& strategy) const {
    if (!goes_by_axes(strategy)) return on_cpu(strategy).name;
    const frontier::Axes axes = preset_with(strategy, strategy.axes ? given_ : Given{});
    const std::string text = frontier::to_string(axes);
    if (axes.priority != frontier::Priority::none)
        return "--priority delta" + text.substr(text.find(" --delta"));
    const std::size_t begin = text.find("--direction");
    return text.substr(begin, text.find(" --balance") - begin);
}

ScheduleFileSummary GraphApplication::summary_of(const Request& request) const {
    return lockstep::summary_of(request);
}

GraphApplication::Field GraphApplication::field(const Request& request) const {
    ScheduleFileSummary file = summary_of(request);
    std::string note;
    Field f{graph_class(file), usable_device(options_.device, &note), {}, {}};
    const bool gpu = f.device == Device::cuda;
    if (request.order || !given_.empty()) file.schedules.clear();  // none whose order is its own
    f.rule = rule(file, gpu);

    std::set<std::string> seen;
    const auto add = [&](const Strategy& s) {
        if (seen.insert(gpu ? s.name : cpu_program(s)).second) f.candidates.emplace_back(s.name);
    };
    add(find_strategy(f.rule.first, facts().strategies));
    const auto all = strategies(facts().strategies);
    for (const bool prepared : {true, false}) {
        for (auto s = all.rbegin(); s != all.rend(); ++s) {  // the table has the older ones first
            const bool there = !s->schedule || schedule_in(file, s->schedule);
            if (there && suits(*s) && prepared == (s->schedule != nullptr)) add(*s);
        }
    }
    return f;
}

Choice GraphApplication::choose(const Request& request, const cli::Common&) const {
    const Field f = field(request);
    return kept_or(f.rule, f.candidates, task(), device_info(f.device, options_.threads), f.graph_class);
}

Choice GraphApplication::tune(const Request& request, const cli::Common& common) const {
    const Field f = field(request);
    Trials trials(common, options_.tune_seconds);
    Request trial = request;
    std::optional<Input> input;
    for (const std::string& name : f.candidates) {
        trials.attempt(name, [&](nlohmann::ordered_json& told) {
            const Strategy& strategy = find_strategy(name, facts().strategies);
            trial.strategy = name;
            if (!input || strategy.schedule || input->strategy.schedule)
                input.emplace(trial, common, strategy);
            auto outcome = solve(*input, strategy, true, {{}, {}, [] { return cli::pending_signal() != 0; }});
            told = trial_json(*outcome);
            return outcome;
        });
    }
    return trials.choice(task(), f.graph_class, given_.empty());
}

void GraphApplication::describe(const Input& input, RunHeader& header, const RunOutcome&) const {
    header.seed = seed();
    header.train_edges = input.graph().edges();
    header.parameters = parameters();
    if (axes().empty()) return;
    const bool has = input.strategy.axes;
    header.parameters["axes"] = has ? frontier::to_string(preset_with(input.strategy, given_)) : "";
}

std::string GraphApplication::workload(const RunHeader& header, const RunOutcome&) const {
    return fmt::format("{} vertices, {} edges", cli::grouped(header.rows), cli::grouped(header.edges));
}

}  // namespace lockstep
