#include "apps/frame/axis_options.hpp"

#include <fmt/format.h>

#include <sstream>

namespace lockstep {

namespace {
constexpr std::string_view whole_number = "chunk";  ///< which other applications have, too

frontier::Axes preset_with(const Strategy& strategy, const GivenAxes& given, bool by_priority) {
    frontier::Axes axes;
    if (strategy.axes) frontier::set_axes(axes, strategy.axes);
    if (!by_priority) axes.priority = frontier::Priority::none;
    for (const auto& [option, value] : given) frontier::set_axis(axes, option, value);
    return axes;
}
}  // namespace

void declare_axes(cli::Options& tuning) {
    for (const auto& [name, text] : frontier::axis_options()) {
        if (name != whole_number)
            tuning.add_options()(name, boost::program_options::value<std::string>()->value_name("WORD"),
                                 text);
    }
    declare_chunk(tuning);
}

GivenAxes given_axes(const cli::Values& values) {
    GivenAxes given;
    for (const auto& [name, text] : frontier::axis_options()) {
        if (values.count(name) && !values[name].defaulted())
            given.emplace_back(name, name == whole_number ? std::to_string(values[name].as<int>())
                                                          : values[name].as<std::string>());
    }
    frontier::Axes axes;  // so that a wrong word is refused before anything is read
    for (const auto& [option, value] : given) frontier::set_axis(axes, option, value);
    return given;
}

frontier::Axes axes_of(const Strategy& strategy, const GivenAxes& given, bool by_priority) {
    if (!strategy.axes && !given.empty())
        throw cli::UsageError(fmt::format("--{} does not apply to {}, which has a way of its own",
                                          given.front().first, strategy.name));
    const frontier::Axes axes = preset_with(strategy, given, by_priority);
    if (const std::string reason = frontier::why_not(axes, by_priority); !reason.empty())
        throw cli::UsageError(reason);
    return axes;
}

std::string axes_text(const Strategy& strategy, const GivenAxes& given) {
    return strategy.axes ? frontier::to_string(preset_with(strategy, given, false)) : "";
}

std::vector<std::string> gpu_axes() {
    std::vector<std::string> names;
    for (const auto& [word, help] : frontier::axis_options()) {
        const std::string name = word;
        if (name != "direction" && name != "priority" && name != "delta") names.push_back(name);
    }
    return names;
}

std::string cpu_program_of(const Strategy& strategy, const GivenAxes& given, bool by_priority) {
    if (strategy.schedule) return strategy.schedule;
    const frontier::Axes axes = preset_with(strategy, strategy.axes ? given : GivenAxes{}, by_priority);
    const bool buckets = axes.priority != frontier::Priority::none;
    std::istringstream words(frontier::to_string(axes));
    std::string text;
    for (std::string option, value; words >> option >> value;) {
        if (option == (buckets ? "--delta" : "--direction")) text = fmt::format("{} {}", option, value);
    }
    return buckets ? "--priority delta " + text : text;
}

}  // namespace lockstep
