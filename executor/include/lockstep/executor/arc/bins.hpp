// The walk `bins`: a pull whose targets are grouped by degree into four bins. The bin determines whether a
// thread block, a warp, eight threads or one thread combines the values that arrive at a target.
#pragma once

#include <array>

#include "lockstep/executor/arc/tiles.hpp"

namespace lockstep::arc {

struct Bins : Tiles {
    static constexpr Walk facts{.name = "bins", .family = Family::arcs, .form = forms::binned_targets};
    /// The tiles of bin b are [bins[b], bins[b + 1]). The targets of bins 0 to 3 are processed by a thread
    /// block, a warp, eight threads and one thread each.
    std::array<VertexId, 5> bins{};

    /// Builds the plan. Throws ScheduleError as the constructor of Tiles does, and also if the schedule has
    /// no bins.
    Bins(const OrderedGraph& graph, const Schedule& schedule);
};
inline EdgeId stream_bytes(const Bins&) { return 0; }

}  // namespace lockstep::arc
