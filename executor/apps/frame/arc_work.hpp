// What is said of a walk along arcs before it runs: its work, and which one `--strategy auto` takes.
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/arc/plan.hpp"

namespace lockstep::arc {

inline Work work_of(const Strategy& strategy, EdgeId v, EdgeId e) {
    Work work;
    WalksOf<ArcWalk>::call(strategy.walk, [&]<class Plan>(std::type_identity<Plan>) {
        work = Plan::work(v, e, strategy.prepared);
    });
    return work;
}

/// From a shape of virtual warps that takes so many seconds: every size, then every chunk of the best. `measure`
/// returns the seconds of a shape, or nothing. Returns the shape of the least.
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
