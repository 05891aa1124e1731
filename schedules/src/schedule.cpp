#include "lockstep/schedules/schedule.hpp"

#include <algorithm>
#include <bit>

namespace lockstep {

std::string_view to_string(Level level) {
    static constexpr std::array<std::string_view, all_levels.size()> names{"block", "phase", "tile", "step",
                                                                           "task"};
    return names[static_cast<std::size_t>(level)];
}

std::string_view to_string(Disjoint disjoint) {
    static constexpr std::array<std::string_view, 4> names{"none", "row", "col", "both"};
    return names[static_cast<std::size_t>(disjoint)];
}

std::vector<EdgeId> edge_offsets(const Schedule& schedule, Level l) {
    std::vector<EdgeId> result = schedule.level(l);
    for (std::size_t inner = static_cast<std::size_t>(l) + 1; inner < all_levels.size(); ++inner) {
        const auto& next = schedule.offsets[inner];
        if (next.empty()) continue;
        for (EdgeId& offset : result) offset = next.at(offset);
    }
    for (EdgeId& offset : result) offset += schedule.locked;
    return result;
}

ScheduleStatistics statistics(const Schedule& schedule) {
    ScheduleStatistics s;
    if (!schedule.has(Level::phase)) return s;
    const std::vector<EdgeId> offsets = edge_offsets(schedule, Level::phase);
    std::vector<EdgeId> sizes;
    for (std::size_t p = 0; p + 1 < offsets.size(); ++p) sizes.push_back(offsets[p + 1] - offsets[p]);
    s.rounds = sizes.size();
    if (sizes.empty()) return s;
    std::sort(sizes.begin(), sizes.end());
    s.min_round = sizes.front();
    s.median_round = sizes[sizes.size() / 2];
    s.max_round = sizes.back();
    s.mean_round = static_cast<double>(offsets.back() - offsets.front()) / static_cast<double>(sizes.size());
    s.histogram.assign(static_cast<std::size_t>(std::bit_width(s.max_round)), 0);
    for (const EdgeId size : sizes) {
        if (size) ++s.histogram[static_cast<std::size_t>(std::bit_width(size)) - 1];
    }
    return s;
}

}  // namespace lockstep
