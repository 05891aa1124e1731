// The strategies by name: which application each is of, which schedule it needs, and which walk runs it
// under which policy.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace lockstep {

struct Graph;
struct Schedule;

/// How a plan is walked; each backend has one walk for each.
enum class Walk {
    phases,    ///< phase ⊃ edge: all edges of a phase at once, a device-wide barrier after it
    resident,  ///< block ⊃ phase ⊃ edge: a worker an item, the item's vector on chip through the block
    tasks,     ///< phase ⊃ task ⊃ edge: one worker a task, its edges in order
    tiled,     ///< phase ⊃ tile ⊃ step ⊃ task ⊃ edge: a thread block a tile, one worker a star
    local,     ///< phase ⊃ tile ⊃ step ⊃ edge: a thread block a tile, all of whose vertices fit on chip
    edge_locked,   ///< a worker an edge, both ends locked, deferred to the next pass where one is busy
    node_locked,   ///< a worker an item, users locked, its vector on chip; passes over what is left
    racing,        ///< a worker an edge, no synchronization
    racing_tiles,  ///< the same, a thread block an item block, whose vectors it keeps on chip
    // Along arcs (arc/plan.hpp):
    push,        ///< a worker a vertex, combines into its out-neighbours atomically
    pull,        ///< a worker a vertex, combines over its in-neighbours
    edge_soa,    ///< a worker an edge, combines into its target atomically; two arrays of ends
    edge_aos,    ///< the same, one array of pairs
    edge_tiled,  ///< tiles of targets on chip, several edges of one list a thread, no atomics
    bins,        ///< tiles of targets of one degree bin: a thread, part of a warp, a warp or a block a target
};
/// Whether it visits neighbours, rather than updating both ends of edges.
constexpr bool visits_neighbours(Walk walk) { return walk >= Walk::push; }

/// The walk's name, as above.
const char* name_of(Walk walk);

/// What keeps edges in flight from losing each other's updates.
enum class Policy {
    none,     ///< nothing: the schedule, or the walk, keeps them apart
    atomics,  ///< sums of whole numbers, whose order is free
    locks,    ///< of one end or both
    racing,   ///< nothing at all: updates may be lost, or be of stale values
};
const char* name_of(Policy policy);

/// Everything that is known of a strategy: help, `lockstep-execute --strategies`, report, study, model and
/// benchmarks are made from it.
struct Strategy {
    /// In the order of the report.
    enum class Kind { offline, online, racing };

    const char* name;
    const char* app;
    const char* schedule;  ///< schedule that must be in the file; nullptr: none
    Walk walk;
    Policy policy;
    const char* colour;              ///< of the report's lines: a colour of its style sheet
    const char* source;              ///< paper and section, or "ours"
    const char* summary;             ///< in one line
    bool edge_locked_first = false;  ///< EL+SGM: the schedule's locked edges by EL before the walk
    bool edge_locked_rest = false;   ///< NL→EL: after the first pass, what is left by EL
    bool virtual_warps = false;  ///< push, pull: a virtual warp a vertex, in chunks (Hong et al., PPoPP 2011)
    bool prepared = false;  ///< what a vertex gives is computed once, when it is finished, not once an edge

    /// Updates may be lost.
    constexpr bool races() const { return policy == Policy::racing; }
    /// The same bits in every run.
    constexpr bool deterministic() const { return policy == Policy::none || policy == Policy::atomics; }
    /// Offline: prepared by a schedule of its own, whatever it locks besides.
    constexpr Kind kind() const {
        return races() ? Kind::racing : takes_any_order() ? Kind::online : Kind::offline;
    }
    /// Online: any edge or vertex order will do, the schedule is only its default.
    constexpr bool takes_any_order() const {
        return walk == Walk::edge_locked || walk == Walk::node_locked || walk == Walk::racing ||
               (visits_neighbours(walk) && !schedule);
    }
};

const char* name_of(Strategy::Kind kind);

/// All, grouped by application.
std::span<const Strategy> strategies_of_all();
/// Those of one application, in the order of its tables.
std::span<const Strategy> strategies(std::string_view app = "sgd");
/// Of any application; nullptr where there is none of this name.
const Strategy* known_strategy(std::string_view name);
/// Throws Error (usage) listing the known names.
const Strategy& find_strategy(const std::string& name, std::string_view app = "sgd");

/// Throws ScheduleError, naming the schedule and the array, where it lacks what the walk of `strategy` needs,
/// has a level that the walk does not know, or where there is none though it needs one. O(phases).
void require_form(const Graph& graph, const Strategy& strategy, const Schedule* schedule);

}  // namespace lockstep
