// Widest paths on one arc: the width of a path is the smallest weight of its arcs, and a vertex's width is
// the largest width of all paths from the source.
#pragma once

#include <limits>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::widest {

/// Operators over active vertices keep the smallest value, so the value of a vertex is the inverse of its
/// width.
struct InverseWidths {
    using Value = float;
    static constexpr bool weighted = true, by_rounds = false, by_priority = false;
    static constexpr Value most = std::numeric_limits<Value>::max();
    LOCKSTEP_HD static constexpr Value none() { return std::numeric_limits<Value>::infinity(); }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    LOCKSTEP_HD static Value offer(Value value, float weight) {
        const Value offered = value > 1 / weight ? value : 1 / weight;
        return offered < most ? offered : most;  // never none(), which means that no path leads to a vertex
    }
    LOCKSTEP_HD static bool wants(Value value) { return value > start(); }
};

}  // namespace lockstep::widest
