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
    if (blocks.size() != 4 || !leads_to(blocks, phases) || !leads_to(phases, tiles) ||
        !leads_to(tiles, steps) || !leads_to(steps, tasks))
        throw ScheduleError("a core-tail schedule has three blocks of nested levels, this one has not");
    const CoreTailParts parts{core_of(s, blocks[0], blocks[1]), core_of(s, blocks[1], blocks[2]), blocks[2]};
    for (EdgeId p = blocks[2]; p < blocks[3]; ++p) {
        const EdgeId tile = phases[p], step = tiles[tile];
        bool good = phases[p + 1] == tile + 1 && tiles[tile + 1] == step + 1;
        for (EdgeId task = good ? steps[step] : 0; good && task < steps[step + 1]; ++task)
            good = tasks[task + 1] == tasks[task] + 1;
        if (!good) {
            throw ScheduleError("phase " + std::to_string(p) +
                                " of the core-tail schedule's tail is not a matching of single edges");
        }
    }
    return parts;
}

}  // namespace lockstep
