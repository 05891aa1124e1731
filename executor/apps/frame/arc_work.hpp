// Decisions about a strategy along arcs before it runs: the amount of its work, the choice of --strategy
// auto, and the search for a good shape of virtual warps (groups of threads that process one vertex
// together).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lockstep/executor/arc/plan.hpp"

namespace lockstep::arc {

/// Returns the work of one round of a strategy (the memory accesses and operations that the cost model
/// counts) on a graph with `v` vertices and `e` edges.
inline Work work_of(const Strategy& strategy, EdgeId v, EdgeId e) {
    Work work;
    WalksOf<ArcWalk>::call(strategy.walk, [&]<class Plan>(std::type_identity<Plan>) {
        work = Plan::work(v, e, strategy.prepared);
    });
    return work;
}

/// Searches for a faster shape of virtual warps. The search begins with the shape `start`, whose run takes
/// `seconds`. It tries every size of a virtual warp, and then every number of vertices per virtual warp
/// (chunk) with the best size. `measure` returns the seconds of a run with a shape, or nullopt if the shape
/// was not run. Returns the fastest shape.
template <class Measure>
VirtualWarps find_faster_shape(const VirtualWarps& start, double seconds, Measure measure) {
    VirtualWarps best = start;
    const auto attempt = [&](const VirtualWarps& warps) {
        const std::optional<double> taken = measure(warps);
        if (taken && *taken < seconds) seconds = *taken, best = warps;
    };
    for (int width = 1; width <= 64; width *= 2) {
        if (width != start.width) attempt({width, start.chunk});
    }
    const int width = best.width;
    for (int chunk = 1; chunk <= 10; ++chunk) {
        if (chunk != start.chunk) attempt({width, chunk});
    }
    return best;
}

/// Chooses the strategy for --strategy auto, and returns its name and the reason. If the file has the schedule
/// edge-tiled (`has(name)`), the strategy that uses it is chosen, since it has no atomics and a balanced load.
/// Otherwise NoDiv is chosen, the pulling variant with the least work: with one thread per vertex if all
/// degrees are similar, else with virtual warps.
template <class Has>
std::pair<std::string, std::string> choose_walk(const MaxDegree& degree, VertexId vertices, EdgeId edges,
                                                Has has) {
    if (has("edge-tiled"))
        return {"edge-tiled",
                "the file has the schedule edge-tiled: no atomics, and balanced work for all degree "
                "distributions"};
    const double mean = vertices ? static_cast<double>(edges) / vertices : 0;
    if (static_cast<double>(degree.col) <= 8 * mean + 8)
        return {"pull-nodiv", "minimum work, and the degrees are similar"};
    return {"pull-nodiv-warp", "minimum work among the strategies for uneven degrees"};
}

}  // namespace lockstep::arc
