// Bins: targets by degree, for each of which a thread block, a warp, eight threads or one thread combine.
#pragma once

#include <array>

#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::arc {

struct Bins : Tiles {
    static constexpr Walk facts{.name = "bins", .family = Family::arcs, .form = forms::binned_targets};
    /// The tiles of each bin, [b] to [b + 1]: a block, a warp, eight threads and one thread a target.
    std::array<VertexId, 5> bins{};

    /// As Tiles; throws ScheduleError where the schedule has no bins, too.
    Bins(const Numbered& graph, const Schedule& schedule);
};
inline EdgeId stream_bytes(const Bins&) { return 0; }

}  // namespace lockstep::arc
