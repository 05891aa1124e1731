// phase ⊃ tile ⊃ step ⊃ edge: a thread block a tile, all of whose vertices fit on chip.
#pragma once

#include <vector>

#include "lockstep/executor/edge/list.hpp"

namespace lockstep {

struct LocalPlan {
    std::vector<EdgeId> phase_tiles, tile_steps, step_edges;  ///< each level -> the next, the last to edges

    EdgeId phases() const { return phase_tiles.size() - 1; }
    EdgeId bytes() const { return bytes_of(phase_tiles, tile_steps, step_edges); }
    EdgeId first_edge(EdgeId tile) const { return step_edges[tile_steps[tile]]; }
};

}  // namespace lockstep
