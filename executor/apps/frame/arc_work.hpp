// Predictions for a walk along arcs before it runs: its work, and the choice of `--strategy auto`.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "lockstep/executor/arc/plan.hpp"

namespace lockstep::arc {

/// Returns the work of one round of a strategy on `v` vertices and `e` edges, by the model.
inline Work work_of(const Strategy& strategy, EdgeId v, EdgeId e) {
    Work work;
    WalksOf<ArcWalk>::call(strategy.walk, [&]<class Plan>(std::type_identity<Plan>) {
        work = Plan::work(v, e, strategy.prepared);
    });
    return work;
}

/// Searches for a faster shape of virtual warps, beginning with `start`, which takes `seconds`: tries every
/// size, then every chunk with the best size. `measure` returns the seconds of a shape, or nothing if it was
/// not run. Returns the fastest shape.
template <class Measure>
VirtualWarps faster_shape(const VirtualWarps& start, double seconds, Measure measure) {
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

/// Chooses a strategy by its work and its load balance: one whose schedule is in the file (`has(name)`),
/// otherwise NoDiv, the variant with the least work. NoDiv uses one thread per vertex if the degrees are
/// even, otherwise virtual warps. Returns the strategy and the reason.
template <class Has>
std::pair<std::string, std::string> choose_walk(const MaxDegree& degree, VertexId vertices, EdgeId edges,
                                                Has has) {
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
