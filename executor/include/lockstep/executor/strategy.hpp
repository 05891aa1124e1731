// The strategies by name: which schedule each needs, and which traversal runs it under which policy.
#pragma once

#include <span>
#include <string>

namespace lockstep {

/// How a plan is walked; each backend has one traversal for each.
enum class Traversal {
    phases,       ///< phase ⊃ edge: all edges of a phase at once, a device-wide barrier after it
    resident,     ///< block ⊃ phase ⊃ edge: a worker an item, the item's vector on chip through the block
    tasks,        ///< phase ⊃ task ⊃ edge: one worker a task, its edges in order
    tiled,        ///< phase ⊃ tile ⊃ step ⊃ task ⊃ edge: a thread block a tile, one worker a star
    edge_locked,  ///< a worker an edge, both ends locked, deferred to the next pass where one is busy
    node_locked,  ///< a worker an item, users locked, its vector on chip; passes over what is left
    racing,       ///< a worker an edge, no synchronization
};

struct Strategy {
    const char* name;
    const char* schedule;  ///< schedule that must be in the file; nullptr: none
    Traversal traversal;
    bool edge_locked_first;  ///< EL+SGM: the schedule's locked edges by EL before the traversal
    bool edge_locked_rest;   ///< NL→EL: after the first pass, what is left by EL
    bool deterministic;
    const char* summary;

    /// Online: any edge or vertex order will do, the schedule is only its default.
    constexpr bool takes_any_order() const {
        return traversal == Traversal::edge_locked || traversal == Traversal::node_locked ||
               traversal == Traversal::racing;
    }
};

std::span<const Strategy> strategies();
/// Throws Error (usage) listing the known names.
const Strategy& find_strategy(const std::string& name);

}  // namespace lockstep
