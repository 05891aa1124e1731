#include "lockstep/schedules/core_tail.hpp"

#include <algorithm>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

namespace {

/// Phases [first, last) as a core.
CoreTailParts::Core core_of(const Schedule& s, EdgeId first, EdgeId last) {
    const std::vector<EdgeId>& phases = s.level(Level::phase);
    CoreTailParts::Core core{{1, 0, last - first}, first, phases[first]};
    if (first == last) return core;
    core.grid.item_blocks = phases[first + 1] - phases[first];
    bool good = core.grid.item_blocks > 0 && core.grid.user_blocks % 2 == 0 &&
                core.grid.user_blocks >= 2 * core.grid.item_blocks;
    for (EdgeId t = first; good && t < last; ++t) good = phases[t + 1] - phases[t] == core.grid.item_blocks;
    if (good) return core;
    throw ScheduleError("phases " + std::to_string(first) + " to " + std::to_string(last) +
                        " of the core-tail schedule are no grid of tiles");
}

}  // namespace

CoreTailParts core_tail_parts(const Schedule& s) {
    const std::vector<EdgeId>&blocks = s.level(Level::block), &phases = s.level(Level::phase),
          &tiles = s.level(Level::tile), &steps = s.level(Level::step), &tasks = s.level(Level::task);
    const auto leads_to = [](const std::vector<EdgeId>& level, const std::vector<EdgeId>& inner) {
        return !level.empty() && !inner.empty() && level.front() == 0 && level.back() == inner.size() - 1 &&
               std::is_sorted(level.begin(), level.end());
    };
    const bool nested = leads_to(blocks, phases) && leads_to(phases, tiles) && leads_to(tiles, steps) &&
                        leads_to(steps, tasks);
    // Some versions wrote a block of hub passes before the others.
    const std::size_t users = blocks.size() == 5 ? 1 : 0;
    if (!nested || blocks.size() != users + 4)
        throw ScheduleError("a core-tail schedule has three blocks of nested levels, this one has not");
    if (blocks[users] > 0)
        throw ScheduleError(
            "the core-tail schedule has hub passes, of a version that had such; preprocess again");
    const CoreTailParts parts{core_of(s, 0, blocks[users + 1]),
                              core_of(s, blocks[users + 1], blocks[users + 2]), blocks[users + 2]};
    const auto check = [&](EdgeId phase, auto is_good, const char* what) {
        const EdgeId tile = phases[phase], step = tiles[tile];
        if (phases[phase + 1] != tile + 1 || tiles[tile + 1] != step + 1 ||
            !is_good(steps[step], steps[step + 1]))
            throw ScheduleError("phase " + std::to_string(phase) + " of the core-tail schedule is not " +
                                what);
    };
    for (EdgeId p = parts.first_tail_phase; p < blocks.back(); ++p) {
        check(
            p,
            [&](EdgeId first, EdgeId last) {
                for (EdgeId task = first; task < last; ++task) {
                    if (tasks[task + 1] != tasks[task] + 1) return false;
                }
                return true;
            },
            "a matching of single edges of the tail");
    }
    return parts;
}

}  // namespace lockstep
