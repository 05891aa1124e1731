// The operator of widest paths. The width of a path is the smallest weight of its arcs, and the width of a
// vertex is the largest width of all paths from the source to the vertex.
#pragma once

#include <limits>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::widest {

/// The value of a vertex is the inverse of its width, because operators over active vertices keep the
/// smallest value that reaches a vertex.
struct InverseWidths {
    using Value = float;
    static constexpr bool weighted = true, by_rounds = false, by_priority = false;
    static constexpr Value most = std::numeric_limits<Value>::max();
    LOCKSTEP_HD static constexpr Value none() { return std::numeric_limits<Value>::infinity(); }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    LOCKSTEP_HD static Value offer(Value value, float weight) {
        const Value offered = value > 1 / weight ? value : 1 / weight;
        // limited to `most`, since none() means that no path reaches the vertex
        return offered < most ? offered : most;
    }
    LOCKSTEP_HD static bool can_improve(Value value) { return value > start(); }
};

}  // namespace lockstep::widest
