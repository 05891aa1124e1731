// Virtual warps (Hong et al., "Accelerating CUDA graph algorithms at maximum warp", PPoPP 2011): push and
// pull with several threads per vertex. A CPU has no virtual warps and runs plain push and pull.
#pragma once

#include "lockstep/executor/arc/pull.hpp"
#include "lockstep/executor/arc/push.hpp"

namespace lockstep::arc {

/// `width` threads per vertex. They process `chunk` x width vertices at a time, whose offsets they fetch
/// together.
struct VirtualWarps {
    int width = 32;  ///< 1, 2, 4, … 64
    int chunk = 1;   ///< 1 … 10

    /// Returns half the mean degree, rounded down to a power of two: a vertex's arcs are then read in about
    /// two steps.
    static int fitting_width(const Graph& graph);
    /// Throws Error (usage) if `width` or `chunk` has another value than those listed above.
    void check() const;
};

struct PushWarps : Push {
    static constexpr Walk facts{
        .name = "push_warps", .family = Family::arcs, .virtual_warps = true, .on_cpu = Push::facts.name};
    VirtualWarps warps;
    PushWarps(const Numbered& graph, VirtualWarps shape) : Push(graph), warps(shape) {}
};
struct PullWarps : Pull {
    static constexpr Walk facts{
        .name = "pull_warps", .family = Family::arcs, .virtual_warps = true, .on_cpu = Pull::facts.name};
    VirtualWarps warps;
    PullWarps(const Numbered& graph, VirtualWarps shape) : Pull(graph), warps(shape) {}
};

}  // namespace lockstep::arc
