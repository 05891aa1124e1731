// The table of strategies: each has a name, an application, the schedule that it needs, the walk that runs
// it, and a policy.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/ways.hpp"

namespace lockstep {

struct Graph;
struct Schedule;

/// The mechanism that prevents concurrently processed edges from losing each other's updates.
enum class Policy {
    none,     ///< no mechanism is needed: the schedule or the walk prevents conflicts
    atomics,  ///< atomic sums in any order: integers, unless floats are requested (PageRank)
    locks,    ///< locks on one endpoint or both
    racing,   ///< unsynchronized: updates may be lost or be computed from stale values
};
const char* name_of(Policy policy);

/// The `app` of strategies that run any update of both endpoints of an edge.
inline constexpr const char* edge_updates = "edge";

/// All facts about a strategy. The help, `lockstep-execute --strategies`, report, study, model and benchmarks
/// are generated from them.
struct Strategy {
    /// The kinds, in the order of the report.
    enum class Kind { offline, online, racing };

    const char* name;
    const char* app;       ///< application, or `edge_updates` or "frontier", which several applications share
    const char* schedule;  ///< name of the schedule that the file must contain; nullptr: none
    Walk walk;
    /// Walk used if both endpoints are vertices of one set, if it differs from `walk`
    const Walk* of_vertices = nullptr;
    AnyWay way = {};  ///< variant of the walk, if it has several
    Policy policy;
    const char* source;   ///< paper and section, or "ours"
    const char* summary;  ///< description in one line
    /// Whether a vertex's contribution is computed once when the vertex is finished, instead of once per edge
    bool prepared = false;
    const char* axes = nullptr;  ///< preset of a frontier strategy, as options (frontier/axes.hpp)

    /// Returns true if updates may be lost.
    constexpr bool races() const { return policy == Policy::racing; }
    /// Returns true if the results of all runs are bitwise identical.
    constexpr bool deterministic() const { return policy == Policy::none || policy == Policy::atomics; }
    /// Returns the kind. A strategy is offline if it needs a schedule of a certain form, even if it uses
    /// locks as well.
    constexpr Kind kind() const {
        return races() ? Kind::racing : takes_any_order() ? Kind::online : Kind::offline;
    }
    /// Returns true if any edge or vertex order will do, so that the schedule is only the default order
    /// (online).
    constexpr bool takes_any_order() const { return !walk.form; }
};

const char* name_of(Strategy::Kind kind);

/// Returns all strategies, grouped by application.
std::span<const Strategy> strategies_of_all();
/// Returns the strategies of one application, in the order of its tables.
std::span<const Strategy> strategies(std::string_view app = edge_updates);
/// Returns the strategy of this name, of any application; nullptr if there is none.
const Strategy* known_strategy(std::string_view name);
/// Returns the strategy of this name. Throws Error (usage) that lists the known names if there is none.
const Strategy& find_strategy(const std::string& name, std::string_view app = edge_updates);

/// Returns the walk that runs `strategy` on endpoints of kind `ends`. Throws ScheduleError if none does.
const Walk& walk_of(const Strategy& strategy, Ends ends);

/// Returns the strategy that a CPU runs instead: most often `strategy` itself, otherwise the strategy whose
/// CPU program the application uses.
const Strategy& on_cpu(const Strategy& strategy);

/// Throws ScheduleError, naming the schedule and the array, if the schedule lacks an array that the walk of
/// `strategy` needs, has a level that the walk does not support, or is missing though needed. O(phases).
void require_form(const Graph& graph, const Strategy& strategy, const Schedule* schedule);

}  // namespace lockstep
