// What the makers of plans share.
#pragma once

#include "lockstep/executor/edge/plan.hpp"

namespace lockstep {

/// Where the edges of an order are once the held-out ones are gone.
class Kept {
public:
    /// Takes the held-out edges (none: empty) out of `order`.
    Kept(Array<EdgeId>& order, const std::vector<bool>& held_out);

    EdgeId before(EdgeId position) const { return before_.empty() ? position : before_[position]; }
    /// Offsets of a level in edges.
    std::vector<EdgeId> offsets(const Schedule& schedule, Level level) const {
        std::vector<EdgeId> offsets = edge_offsets(schedule, level);
        for (EdgeId& offset : offsets) offset = before(offset);
        return offsets;
    }

private:
    Array<EdgeId> before_;  // position -> kept edges before it; empty: all are kept
};

/// Throws ScheduleError where the schedule is no tiled one of this version.
TiledPlan plan_tiled(const EdgeList& edges, const Schedule& schedule, const Kept& kept);

}  // namespace lockstep
