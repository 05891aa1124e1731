// The table of strategies. A strategy has a name, an application, a schedule that it requires, a walk that
// runs it, and a policy.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "lockstep/executor/walk.hpp"
#include "lockstep/executor/walk_variants.hpp"

namespace lockstep {

struct Graph;
struct Schedule;

/// The mechanism that prevents concurrent updates of a vertex from overwriting each other.
enum class Policy {
    none,     ///< no mechanism is needed: the schedule or the walk prevents conflicts
    atomics,  ///< atomic sums in any order, of integers unless floats are requested (PageRank)
    locks,    ///< locks on one or both endpoints of an edge
    racing,   ///< unsynchronized: updates may be lost or be computed from stale values
};
const char* name_of(Policy policy);

/// The value of `app` for strategies that run any operator that updates both endpoints of an edge.
inline constexpr const char* edge_updates = "edge";

/// All properties of a strategy. The help, `lockstep-execute --strategies`, reports, studies, the cost model
/// and benchmarks are generated from them.
struct Strategy {
    /// The kinds of strategies, in the order in which reports list them.
    enum class Kind { offline, online, racing };

    const char* name;
    /// name of the application; `edge_updates` or "frontier" for strategies that several applications share
    const char* app;
    const char* schedule;  ///< name of the schedule that the file must contain; nullptr: none
    Walk walk;
    /// Walk that is used if both endpoints of an edge are vertices of one set; nullptr: `walk`.
    const Walk* of_vertices = nullptr;
    WalkVariant variant = {};  ///< variant of the walk, if it has several
    Policy policy;
    const char* source;   ///< paper and section, or "ours"
    const char* summary;  ///< description in one line
    /// PageRank: whether a vertex's contribution is computed once per vertex, when the vertex is finished,
    /// instead of once per edge.
    bool prepared = false;
    /// frontier strategies: preset of the axes, as command-line options (frontier/axes.hpp)
    const char* axes = nullptr;

    /// Returns true if updates may be lost, because the strategy is unsynchronized.
    constexpr bool races() const { return policy == Policy::racing; }
    /// Returns true if the results of all runs are bitwise identical.
    constexpr bool deterministic() const { return policy == Policy::none || policy == Policy::atomics; }
    /// Returns the kind. A strategy is offline if it requires a schedule of a certain form, even if it also
    /// uses locks.
    constexpr Kind kind() const {
        return races() ? Kind::racing : takes_any_order() ? Kind::online : Kind::offline;
    }
    /// Returns true if the walk accepts any order of edges or vertices (online strategies). The schedule of
    /// the strategy is then only the default order.
    constexpr bool takes_any_order() const { return !walk.form; }
};

const char* name_of(Strategy::Kind kind);

/// Returns all strategies, grouped by application.
std::span<const Strategy> strategies_of_all();
/// Returns the strategies of one application, in the order of its tables.
std::span<const Strategy> strategies(std::string_view app = edge_updates);
/// Returns the strategy with this name, of any application, or nullptr if there is none.
const Strategy* known_strategy(std::string_view name);
/// Returns the strategy with this name. Throws Error (usage) with a list of the known names if there is none.
const Strategy& find_strategy(const std::string& name, std::string_view app = edge_updates);

/// Returns the walk that runs `strategy` for endpoints of kind `ends`. Throws ScheduleError if there is none.
const Walk& walk_of(const Strategy& strategy, Ends ends);

/// Returns the strategy that a CPU runs instead of `strategy`. In most cases this is `strategy` itself;
/// otherwise it is the strategy whose CPU code the application uses.
const Strategy& on_cpu(const Strategy& strategy);

/// Throws ScheduleError, with the names of the schedule and the array, if the schedule is required but
/// missing, lacks an array that the walk of `strategy` reads, or has a level that the walk does not support.
/// O(phases)
void require_form(const Graph& graph, const Strategy& strategy, const Schedule* schedule);

}  // namespace lockstep
