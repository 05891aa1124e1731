// The parts of a core-tail schedule, which are its four blocks:
//
//   hubs    a phase a hub pass: one star, all edges that a hub of very many still has
//   users   of what is left, the edges of some rows (users of many edges), tiles whose rows stay on chip
//   items   of what is left then, the edges of some columns (items of many edges), tiles whose columns do
//   tail    what is left: matchings, a phase each
//
// A core has a phase for every block of what moves, and as many tiles in each as it has blocks of what
// resides (TileGrid, one group). Which vertices a block has follows from the tiles. A phase of the hubs has
// one tile of one step of one task; a phase of the tail one tile of one step, whose tasks have an edge each.
// An empty part has no phase. Files of before there were hub passes have three blocks, all but the first.
#pragma once

#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

struct CoreTailParts {
    struct Core {
        TileGrid grid;  ///< item_blocks of what resides, user_blocks of what moves; both 0 where it is empty
        EdgeId first_phase = 0, first_tile = 0;
    };
    EdgeId hub_passes = 0;  ///< the first phases, whose tasks are the first ones
    Core users, items;
    EdgeId first_tail_phase = 0;
};

/// Throws ScheduleError where the levels of a schedule of forms::core_tail are not as above. O(phases + edges
/// of the tail).
CoreTailParts core_tail_parts(const Schedule& schedule);

}  // namespace lockstep
