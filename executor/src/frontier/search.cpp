#include "lockstep/executor/frontier/search.hpp"

#include <algorithm>
#include <array>

namespace lockstep::frontier {

namespace {

struct Axis {
    const char* option;
    std::vector<const char*> values;
};

/// All axes, in the order in which they are tried. The axes with the largest effect come first.
const std::array<Axis, 10>& searched() {
    static const std::array<Axis, 10> axes{{
        {"balance",
         {"serial", "sub-warp:8", "fine", "warp", "block", "serial+warp", "serial+block", "warp+block",
          "serial+warp+block", "fine+warp", "fine+block", "fine+warp+block"}},
        {"append", {"thread", "warp", "block"}},
        {"filter", {"append", "batch", "online", "ballot", "strided", "jit"}},
        {"loop", {"host", "outlined", "fused", "all"}},
        {"direction", {"push", "pull", "adaptive:0.02", "adaptive:0.05", "adaptive:0.1", "adaptive:0.3"}},
        {"priority", {"none", "near-far", "delta"}},
        {"small", {"8", "16", "32", "64", "128"}},
        {"large", {"128", "256", "512", "1024", "4096"}},
        {"defer", {"0", "512", "4096", "32768"}},
        {"chunk", {"0", "1", "4", "16"}},
    }};
    return axes;
}

/// Returns `values` with this value added; it replaces a value of the same option.
AxisValues with(AxisValues values, const std::string& option, const char* value) {
    std::erase_if(values, [&](const auto& one) { return one.first == option; });
    values.emplace_back(option, value);
    return values;
}

}  // namespace

std::string to_string(const AxisValues& values) {
    std::string text;
    for (const auto& [option, value] : values)
        text.append(text.empty() ? "--" : " --").append(option).append(" ").append(value);
    return text;
}

AxisValues faster_axes(std::span<const std::string> axes, double seconds, double gain,
                       const std::function<std::optional<double>(const AxisValues& changes)>& measure) {
    AxisValues best;
    // Number of axes that have been tried since the last gain, including the axis of this gain, which is not
    // tried twice in a row.
    std::size_t idle = 0;
    for (std::size_t i = 0; idle < searched().size(); i = (i + 1) % searched().size()) {
        const Axis& axis = searched()[i];
        ++idle;
        if (std::find(axes.begin(), axes.end(), axis.option) == axes.end()) continue;
        const AxisValues from = best;
        for (const char* const value : axis.values) {
            AxisValues changed = with(from, axis.option, value);
            const std::optional<double> found = measure(changed);
            if (!found || *found >= seconds * gain) continue;
            best = std::move(changed), seconds = *found, idle = 1;
        }
    }
    return best;
}

}  // namespace lockstep::frontier
