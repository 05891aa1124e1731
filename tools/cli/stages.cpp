#include "stages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli.hpp"

namespace lockstep::cli {

namespace {

using Seconds = std::vector<std::pair<std::string, double>>;

Seconds ended;     // the stages that ended, in order
double until = 0;  // end of the last stage, in seconds since the start of the program

/// Returns the stages with their times, followed by `total` and, if any stage ended, `other`.
Seconds all_stages() {
    Seconds all = ended;
    const double total = seconds_since_start();
    double other = total;
    for (const auto& [stage, seconds] : ended) other -= seconds;
    all.emplace_back("total", total);
    if (!ended.empty()) all.emplace_back("other", other);
    return all;
}

}  // namespace

void end_stage(const std::string& stage) {
    const double now = seconds_since_start(), seconds = now - std::exchange(until, now);
    const auto is_this = [&](const auto& of) { return of.first == stage; };
    const auto before = std::ranges::find_if(ended, is_this);
    if (before == ended.end())
        ended.emplace_back(stage, seconds);
    else
        before->second += seconds;
}

nlohmann::ordered_json stage_seconds() {
    nlohmann::ordered_json json;
    for (const auto& [stage, seconds] : all_stages()) json[stage] = seconds;
    return json;
}

std::string stages_text() {
    std::string text;
    for (const auto& [stage, seconds] : all_stages())
        text += fmt::format("{} {}, ", stage, duration(seconds));
    return text + "peak memory " + bytes(static_cast<double>(peak_memory()));
}

}  // namespace lockstep::cli
