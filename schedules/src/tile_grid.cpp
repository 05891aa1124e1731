#include "lockstep/schedules/tile_grid.hpp"

#include <utility>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

bool rows_reside(const Schedule& s) {
    const auto resident_entry = s.parameters.find("resident");
    return resident_entry != s.parameters.end() && resident_entry->second == to_string(Resident::users);
}

TileGrid tile_grid(const Schedule& s) {
    const EdgeId strata = s.has(Level::block) ? s.count(Level::block) : 1;
    EdgeId items = s.col_parts.empty() ? 0 : s.col_parts.size() - 1,
           users = s.row_parts.empty() ? 0 : s.row_parts.size() - 1;
    if (rows_reside(s)) std::swap(items, users);
    TileGrid grid{0, strata ? items / strata : 0, strata ? s.count(Level::phase) / strata : 0};
    if (grid.user_blocks) grid.groups = users / grid.user_blocks;
    if (grid.groups) grid.laps = strata / grid.groups;
    bool good = grid.item_blocks > 0 && grid.user_blocks >= 2 * grid.item_blocks &&
                grid.user_blocks % 2 == 0 && grid.strata() == strata && grid.all_item_blocks() == items &&
                grid.all_user_blocks() == users && s.count(Level::phase) == grid.phases() &&
                s.count(Level::tile) == grid.tiles();
    for (EdgeId p = 0; good && p <= grid.phases(); ++p)
        good = s.level(Level::phase)[p] == p * grid.side_by_side();
    if (good) return grid;
    throw ScheduleError(std::to_string(items) + " item blocks, " + std::to_string(users) +
                        " user blocks and " + std::to_string(s.count(Level::phase)) +
                        " phases do not form a tiled schedule of " + std::to_string(strata) +
                        " super-strata");
}

}  // namespace lockstep
