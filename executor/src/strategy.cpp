#include "lockstep/executor/strategy.hpp"

#include <algorithm>
#include <array>

#include "lockstep/schedules/form.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

namespace {
/// A strategy of PageRank. Sums are of whole numbers, so that their order is free: all are deterministic.
constexpr Strategy visiting(const char* name, Walk walk, bool virtual_warps, bool prepared,
                            const char* summary, const char* schedule = nullptr) {
    return {name, schedule, walk, false, false, true, summary, "pagerank", virtual_warps, prepared};
}

// Grouped by application.
constexpr std::array registry{
    Strategy{"agm-e", "agm-e", Walk::phases, false, false, true, "all-graph matchings, one edge a worker"},
    Strategy{"agm-n", "agm-n", Walk::resident, false, false, true, "all-graph matchings, one item a worker"},
    Strategy{"sgm", "sgm", Walk::resident, false, false, true, "sub-graph matchings, one item a worker"},
    Strategy{"diag", "diag", Walk::phases, false, false, true, "diagonals, F x E threads"},
    Strategy{"blkdiag", "blkdiag", Walk::tasks, false, false, true, "block-diagonals, one block a worker"},
    Strategy{"tiled", "tiled", Walk::tiled, false, false, true, "tiles, items on chip, users fetched ahead"},
    Strategy{"local", "local", Walk::local, false, false, true,
             "regions on chip, for graphs with locality such as roads"},
    Strategy{"el", nullptr, Walk::edge_locked, false, false, false, "edge-locked, edges as given"},
    Strategy{"el-shuffled", "shuffle", Walk::edge_locked, false, false, false, "edge-locked, edges shuffled"},
    Strategy{"nl", nullptr, Walk::node_locked, false, false, false,
             "node-locked: users locked, items on chip"},
    Strategy{"nl-el", nullptr, Walk::node_locked, false, true, false,
             "node-locked first, the rest edge-locked"},
    Strategy{"el-sgm", "el-sgm", Walk::resident, true, false, false,
             "hub items edge-locked, the rest as SGM"},
    Strategy{"hogwild", "shuffle", Walk::racing, false, false, false,
             "racing, no synchronization, edges shuffled"},
    Strategy{"hogwild-blocked", "blocked", Walk::racing_tiles, false, false, false,
             "racing on the users, a block of items on chip"},
    visiting("push", Walk::push, false, false, "a thread a vertex, into its neighbours by atomics"),
    visiting("pull", Walk::pull, false, false, "a thread a vertex, from its neighbours, dividing an edge"),
    visiting("pull-nodiv", Walk::pull, false, true, "pull, dividing once a vertex"),
    visiting("edge-soa", Walk::edge_soa, false, false, "a thread an edge by atomics, two arrays of ends"),
    visiting("edge-aos", Walk::edge_aos, false, false, "a thread an edge by atomics, one array of pairs"),
    visiting("push-warp", Walk::push, true, false, "push, a virtual warp a vertex"),
    visiting("pull-warp", Walk::pull, true, false, "pull, a virtual warp a vertex"),
    visiting("pull-nodiv-warp", Walk::pull, true, true, "pull-nodiv, a virtual warp a vertex"),
    visiting("edge-tiled", Walk::edge_tiled, false, true,
             "tiles of targets on chip, edge-parallel, no atomics", "edge-tiled"),
    visiting("pull-binned", Walk::bins, false, true, "degree bins: thread, warp or block a vertex",
             "pull-binned"),
};

/// Of a strategy with a schedule of its own.
Form walked_form(const Strategy& strategy) {
    switch (strategy.walk) {
        case Walk::phases:
            return forms::phases;
        case Walk::resident:
            return strategy.edge_locked_first ? forms::resident_after_locks : forms::resident;
        case Walk::tasks:
            return forms::tasks;
        case Walk::tiled:
            return forms::tiles;
        case Walk::local:
            return forms::regions;
        case Walk::racing_tiles:
            return forms::item_blocks;
        case Walk::bins:
            return forms::binned_targets;
        default:
            return forms::targets;
    }
}

/// An edge order, or orders of both sides.
std::string lacks_order(const Graph& graph, const Schedule& s) {
    if (!s.order.empty() || graph.edges() == 0) return {};
    if (s.row_order.size() != graph.rows) return "has neither an order of the edges nor one of the rows";
    return s.col_order.size() == graph.cols ? std::string() : "lacks its order of the columns";
}
}  // namespace

std::span<const Strategy> strategies(std::string_view app) {
    const auto of_app = [&](const Strategy& strategy) { return strategy.app == app; };
    const auto first = std::find_if(registry.begin(), registry.end(), of_app);
    return {first, std::find_if_not(first, registry.end(), of_app)};
}

const Strategy& find_strategy(const std::string& name, std::string_view app) {
    std::string known;
    for (const Strategy& strategy : strategies(app)) {
        if (name == strategy.name) return strategy;
        known += std::string(known.empty() ? "" : ", ") + strategy.name;
    }
    const auto other =
        std::find_if(registry.begin(), registry.end(), [&](const Strategy& s) { return name == s.name; });
    if (other != registry.end()) {
        throw ScheduleError(name + " is a strategy of " + other->app + ", not of " + std::string(app) +
                                "; give --app " + other->app + ", or one of " + known,
                            Failure::usage);
    }
    throw ScheduleError(
        "there is no strategy \"" + name + "\" of " + std::string(app) + "; known are " + known,
        Failure::usage);
}

void require_form(const Graph& graph, const Strategy& strategy, const Schedule* schedule) {
    if (!schedule) {
        if (strategy.takes_any_order() || !strategy.schedule) return;
        throw ScheduleError(std::string("strategy ") + strategy.name + " needs the schedule \"" +
                            strategy.schedule + "\"");
    }
    const auto refuse = [&](const std::string& what) {
        throw ScheduleError("schedule \"" + schedule->name + "\" " + what + ": strategy " + strategy.name +
                            " cannot walk it");
    };
    if (strategy.takes_any_order()) {
        const std::string lack = visits_neighbours(strategy.walk) ? "" : lacks_order(graph, *schedule);
        if (!lack.empty()) refuse(lack);
        return;
    }
    const Form form = walked_form(strategy);
    const std::string found = departure(graph, *schedule, form);
    if (!found.empty()) refuse(found);
    if (form == forms::tiles) tile_grid(*schedule);
    if (form == forms::item_blocks && schedule->col_parts.size() != schedule->count(Level::task) + 1)
        refuse("does not have one task a block of items");
}

}  // namespace lockstep
