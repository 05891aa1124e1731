// Cluster: the generic walk's lists, run by one thread block cluster, for many rounds of few vertices. Needs
// no schedule. On a CPU it is the generic walk.
#pragma once

#include "lockstep/executor/frontier/expand.hpp"

namespace lockstep::frontier {

struct Cluster : Expand {
    static constexpr Walk facts{.name = "cluster", .family = Family::frontier};
    static Cluster make(const Graph& graph, const Schedule* schedule, const Wanted& wanted) {
        return {Expand::make(graph, schedule, wanted)};
    }
};

}  // namespace lockstep::frontier
