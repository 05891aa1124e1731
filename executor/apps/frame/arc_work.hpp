// The work models of Verstraaten et al., section 3.2: accesses to global memory of one round of PageRank, run
// serially; other operators with values of four bytes do the same. Fetching the edge lists themselves is not
// counted there.
#pragma once

#include <string>

#include "lockstep/executor/strategy.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::arc {

struct Work {
    EdgeId reads = 0, writes = 0, atomics = 0;
    EdgeId bytes = 0;  ///< that must be moved at least: lists, degrees and ranks once each
};

/// Of the source's variants by its formulas; of edge-tiled and pull-binned, which the source has not, counted
/// likewise (ours finish a vertex where its sum is made, so there is no consolidation to read it back).
inline Work work_of(const Strategy& strategy, EdgeId v, EdgeId e) {
    const EdgeId pulled = 16 * v + 4 * e;  // degrees, ranks, offsets and a list
    switch (strategy.walk) {
        case Walk::push:
            return {5 * v, 2 * v, v + e, pulled + 12 * v};
        case Walk::edge_soa:
        case Walk::edge_aos:
            return {3 * e + 2 * v, 2 * v, v + e, pulled + 12 * v + 4 * e};
        case Walk::edge_tiled:
        case Walk::bins:
            return {e + 2 * v, v, 0, pulled};
        default:
            return {strategy.prepared ? e + 4 * v : 3 * e + 2 * v, 3 * v, v, pulled};
    }
}

/// What `--strategy auto` takes, and why.
struct WalkChoice {
    const char* strategy;
    std::string reason;
};
/// By work and by balance: a schedule of the file where `has(name)`; else NoDiv, the variant of the least
/// work, by threads where degrees are even and by virtual warps where they are not.
template <class Has>
WalkChoice choose_walk(const MaxDegree& degree, VertexId vertices, EdgeId edges, Has has) {
    for (const char* name : {"edge-tiled", "pull-binned"}) {
        if (has(name))
            return {name, std::string("the file has the schedule ") + name +
                              ": no atomics, and balanced for any degrees"};
    }
    const double mean = vertices ? static_cast<double>(edges) / vertices : 0;
    if (static_cast<double>(degree.col) <= 8 * mean + 8)
        return {"pull-nodiv", "least work, and the degrees are even"};
    return {"pull-nodiv-warp", "least work, but the degrees are uneven"};
}

}  // namespace lockstep::arc
