// The strategies by name: which application each is of, which schedule it needs, and which walk runs it
// under which policy.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/ways.hpp"

namespace lockstep {

struct Graph;
struct Schedule;

/// What keeps edges in flight from losing each other's updates.
enum class Policy {
    none,     ///< nothing: the schedule, or the walk, keeps them apart
    atomics,  ///< sums whose order is free: of whole numbers, unless floats are asked for (PageRank)
    locks,    ///< of one end or both
    racing,   ///< nothing at all: updates may be lost, or be of stale values
};
const char* name_of(Policy policy);

/// The strategies of updates of both ends of an edge, whatever the update.
inline constexpr const char* edge_updates = "edge";

/// Everything that is known of a strategy: help, `lockstep-execute --strategies`, report, study, model and
/// benchmarks are made from it.
struct Strategy {
    /// In the order of the report.
    enum class Kind { offline, online, racing };

    const char* name;
    const char* app;       ///< the application, or `edge_updates`, or "frontier": what several share
    const char* schedule;  ///< schedule that must be in the file; nullptr: none
    Walk walk;
    const Walk* of_vertices = nullptr;  ///< of one set of vertices, where it is another
    AnyWay way = {};                    ///< of a walk that has several
    Policy policy;
    const char* source;     ///< paper and section, or "ours"
    const char* summary;    ///< in one line
    bool prepared = false;  ///< what a vertex gives is computed once, when it is finished, not once an edge
    const char* axes = nullptr;  ///< frontier: the preset, as options (frontier/axes.hpp)

    /// Updates may be lost.
    constexpr bool races() const { return policy == Policy::racing; }
    /// The same bits in every run.
    constexpr bool deterministic() const { return policy == Policy::none || policy == Policy::atomics; }
    /// Offline: prepared by a schedule of its own, whatever it locks besides.
    constexpr Kind kind() const {
        return races() ? Kind::racing : takes_any_order() ? Kind::online : Kind::offline;
    }
    /// Online: any edge or vertex order will do, the schedule is only its default.
    constexpr bool takes_any_order() const { return !walk.form; }
};

const char* name_of(Strategy::Kind kind);

/// All, grouped by application.
std::span<const Strategy> strategies_of_all();
/// Those of one application, in the order of its tables.
std::span<const Strategy> strategies(std::string_view app = edge_updates);
/// Of any application; nullptr where there is none of this name.
const Strategy* known_strategy(std::string_view name);
/// Throws Error (usage) listing the known names.
const Strategy& find_strategy(const std::string& name, std::string_view app = edge_updates);

/// What runs it where an end has the state of a side, or of a vertex. Throws ScheduleError where nothing does.
const Walk& walk_of(const Strategy& strategy, Ends ends);

/// What a CPU runs for it: the strategy of the application whose program it is there, most often itself.
const Strategy& on_cpu(const Strategy& strategy);

/// Throws ScheduleError, naming the schedule and the array, where it lacks what the walk of `strategy` needs,
/// has a level that the walk does not know, or where there is none though it needs one. O(phases).
void require_form(const Graph& graph, const Strategy& strategy, const Schedule* schedule);

}  // namespace lockstep
