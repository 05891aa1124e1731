// Virtual warps (Hong et al., "Accelerating CUDA graph algorithms at maximum warp", PPoPP 2011): variants of
// push and pull in which several threads process the arcs of one vertex. On a CPU, they equal plain push and
// pull.
#pragma once

#include "lockstep/executor/arc/pull.hpp"
#include "lockstep/executor/arc/push.hpp"

namespace lockstep::arc {

/// The shape of virtual warps: `width` threads process one vertex together. They load the offsets of chunk x
/// width vertices at a time.
struct VirtualWarps {
    int width = 32;  ///< number of threads: 1, 2, 4, … 64
    int chunk = 1;   ///< number of vertices per thread of a chunk: 1 … 10

    /// Returns half the mean degree of the graph, rounded down to a power of two, and at most 32. The arcs of
    /// an average vertex are then read in about two steps.
    static int fitting_width(const Graph& graph);
    /// Throws Error (usage) if `width` or `chunk` is not one of the values above.
    void check() const;
};

struct PushWarps : Push {
    static constexpr Walk facts{
        .name = "push_warps", .family = Family::arcs, .virtual_warps = true, .on_cpu = Push::facts.name};
    VirtualWarps warps;
    PushWarps(const OrderedGraph& graph, VirtualWarps shape) : Push(graph), warps(shape) {}
};
struct PullWarps : Pull {
    static constexpr Walk facts{
        .name = "pull_warps", .family = Family::arcs, .virtual_warps = true, .on_cpu = Pull::facts.name};
    VirtualWarps warps;
    PullWarps(const OrderedGraph& graph, VirtualWarps shape) : Pull(graph), warps(shape) {}
};

}  // namespace lockstep::arc
