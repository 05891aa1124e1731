// The operator of breadth-first search on one arc: a vertex's level is the minimum number of arcs from the
// source.
#pragma once

#include <limits>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::bfs {

struct Levels {
    using Value = std::uint32_t;
    static constexpr bool weighted = false, by_rounds = true, by_priority = false;
    static constexpr Value most = std::numeric_limits<Value>::max() - 1;
    LOCKSTEP_HD static constexpr Value none() { return most + 1; }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    /// Returns the level that an arc offers its head. It cannot overflow, since a level is below the number
    /// of vertices.
    LOCKSTEP_HD static Value offer(Value level, float) { return level + 1; }
    LOCKSTEP_HD static bool wants(Value level) { return level == none(); }
};

}  // namespace lockstep::bfs
