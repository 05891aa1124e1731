// Bins: targets grouped by degree. A target is combined by a thread block, a warp, eight threads or one
// thread, according to its bin.
#pragma once

#include <array>

#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::arc {

struct Bins : Tiles {
    static constexpr Walk facts{.name = "bins", .family = Family::arcs, .form = forms::binned_targets};
    /// Tiles of bin b: [bins[b], bins[b + 1]). The bins use a block, a warp, eight threads and one thread per
    /// target.
    std::array<VertexId, 5> bins{};

    /// Throws ScheduleError like Tiles, and also if the schedule has no bins.
    Bins(const Numbered& graph, const Schedule& schedule);
};
inline EdgeId stream_bytes(const Bins&) { return 0; }

}  // namespace lockstep::arc
