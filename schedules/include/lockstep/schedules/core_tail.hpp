// The parts of a core-tail schedule, which are its three blocks:
//
//   users   the edges of some rows (users of many edges), tiles whose rows stay on chip
//   items   of what is left, the edges of some columns (items of many edges), tiles whose columns do
//   tail    what is left: matchings, a phase each
//
// A core has a phase for every block of what moves, and as many tiles in each as it has blocks of what
// resides (TileGrid, one group). Which vertices a block has follows from the tiles. A phase of the tail has
// one tile of one step, whose tasks have an edge each. An empty part has no phase.
#pragma once

#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

struct CoreTailParts {
    struct Core {
        TileGrid grid;  ///< item_blocks of what resides, user_blocks of what moves; both 0 where it is empty
        EdgeId first_phase = 0, first_tile = 0;
    };
    Core users, items;
    EdgeId first_tail_phase = 0;
};

/// Throws ScheduleError where the levels of a schedule of forms::core_tail are not as above. O(phases + edges
/// of the tail).
CoreTailParts core_tail_parts(const Schedule& schedule);

}  // namespace lockstep
