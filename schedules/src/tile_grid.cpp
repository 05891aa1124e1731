#include "lockstep/schedules/tile_grid.hpp"

#include <utility>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

bool rows_reside(const Schedule& s) { return s.row_parts.size() < s.col_parts.size(); }

TileGrid tile_grid(const Schedule& s) {
    const EdgeId groups = s.has(Level::block) ? s.count(Level::block) : 1;
    EdgeId items = s.col_parts.empty() ? 0 : s.col_parts.size() - 1,
           users = s.row_parts.empty() ? 0 : s.row_parts.size() - 1;
    if (rows_reside(s)) std::swap(items, users);
    const TileGrid grid{groups, groups ? items / groups : 0, groups ? users / groups : 0};
    bool good = grid.item_blocks > 0 && grid.user_blocks >= 2 * grid.item_blocks &&
                grid.user_blocks % 2 == 0 && grid.all_item_blocks() == items &&
                grid.all_user_blocks() == users && s.count(Level::phase) == grid.phases() &&
                s.count(Level::tile) == grid.tiles();
    for (EdgeId p = 0; good && p <= grid.phases(); ++p)
        good = s.level(Level::phase)[p] == p * grid.all_item_blocks();
    if (good) return grid;
    throw ScheduleError(std::to_string(items) + " item blocks, " + std::to_string(users) +
                        " user blocks and " + std::to_string(s.count(Level::phase)) +
                        " phases are no tiled schedule of " + std::to_string(groups) + " groups");
}

}  // namespace lockstep
