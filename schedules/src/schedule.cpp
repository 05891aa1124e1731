#include "lockstep/schedules/schedule.hpp"

#include <algorithm>
#include <bit>

#include "lockstep/schedules/pages.hpp"

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
    const std::vector<EdgeId>& level = schedule.level(l);
    std::vector<EdgeId> result;
    result.reserve(level.size());
    // Maps the pages of the memory on all threads first.
    populate(result.data(), level.size() * sizeof(EdgeId));
    result.assign(level.begin(), level.end());
    for (std::size_t inner = static_cast<std::size_t>(l) + 1; inner < all_levels.size(); ++inner) {
        const auto& next = schedule.offsets[inner];
        if (next.empty()) continue;
        for (EdgeId& offset : result) offset = next.at(offset);
    }
    if (schedule.locked) {
        for (EdgeId& offset : result) offset += schedule.locked;
    }
    return result;
}

namespace {

/// Sets `chain`, `steps` and `fullest` for a schedule with tasks, as ScheduleStatistics defines them.
void add_chains(const Schedule& schedule, ScheduleStatistics& s) {
    const std::vector<EdgeId>& tasks = schedule.level(Level::task);
    const auto longest = [&](EdgeId first, EdgeId last) {
        EdgeId edges = 0;
        for (EdgeId t = first; t < last; ++t) edges = std::max(edges, tasks[t + 1] - tasks[t]);
        return edges;
    };
    const auto& phases = schedule.level(Level::phase);
    if (!schedule.has(Level::tile) || !schedule.has(Level::step)) {
        for (std::size_t p = 0; p + 1 < phases.size(); ++p) s.chain += longest(phases[p], phases[p + 1]);
        return;
    }
    const auto &tiles = schedule.level(Level::tile), &steps = schedule.level(Level::step);
    std::vector<EdgeId> chain, count, edges;  // [i]: sum over the i-th tiles of all phases
    for (std::size_t p = 0; p + 1 < phases.size(); ++p) {
        const EdgeId width = phases[p + 1] - phases[p];
        if (width > chain.size()) chain.resize(width), count.resize(width), edges.resize(width);
#pragma omp parallel for schedule(static) if (steps[tiles[phases[p + 1]]] - steps[tiles[phases[p]]] > 1 << 12)
        for (EdgeId i = 0; i < width; ++i) {
            const EdgeId first = tiles[phases[p] + i], last = tiles[phases[p] + i + 1];
            for (EdgeId step = first; step < last; ++step) chain[i] += longest(steps[step], steps[step + 1]);
            count[i] += last - first;
            edges[i] += tasks[steps[last]] - tasks[steps[first]];
        }
    }
    const auto largest = [](const std::vector<EdgeId>& v) {
        return v.empty() ? 0 : *std::max_element(v.begin(), v.end());
    };
    s.chain = largest(chain), s.steps = largest(count), s.fullest = largest(edges);
}

}  // namespace

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
    s.chain = s.rounds;
    if (schedule.has(Level::task)) {
        s.chain = 0, add_chains(schedule, s);
    } else if (schedule.has(Level::tile)) {
        const auto &phases = schedule.level(Level::phase), &tiles = schedule.level(Level::tile);
        s.chain = 0;
        for (std::size_t p = 0; p + 1 < phases.size(); ++p) {
            EdgeId most = 0;
            for (EdgeId t = phases[p]; t < phases[p + 1]; ++t) most = std::max(most, tiles[t + 1] - tiles[t]);
            s.chain += most;
        }
    }
    return s;
}

}  // namespace lockstep
