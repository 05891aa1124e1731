// The operator of connected components by label propagation: a vertex takes the smallest label of its
// neighbours, and passes it on.
#pragma once

#include <limits>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::cc {

struct Labels {
    using Value = std::uint32_t;
    static constexpr bool weighted = false, by_rounds = false, by_priority = false, everywhere = true;
    static constexpr Value most = std::numeric_limits<Value>::max() - 1;
    LOCKSTEP_HD static constexpr Value none() { return most + 1; }
    LOCKSTEP_HD static constexpr Value start(VertexId vertex = 0, EdgeId = 0) { return vertex; }
    LOCKSTEP_HD static bool active(Value) { return true; }
    LOCKSTEP_HD static Value offer(Value label, float) { return label; }
    LOCKSTEP_HD static bool wants(Value label) { return label > 0; }
};

}  // namespace lockstep::cc
