#include "lockstep/executor/strategy.hpp"

#include <algorithm>
#include <array>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

namespace {
/// A strategy of PageRank. Sums are of whole numbers, so that their order is free: all are deterministic.
constexpr Strategy visiting(const char* name, Traversal traversal, bool virtual_warps, bool prepared,
                            const char* summary, const char* schedule = nullptr) {
    return {name, schedule, traversal, false, false, true, summary, "pagerank", virtual_warps, prepared};
}

// Grouped by application.
constexpr std::array registry{
    Strategy{"agm-e", "agm-e", Traversal::phases, false, false, true,
             "all-graph matchings, one edge a worker"},
    Strategy{"agm-n", "agm-n", Traversal::resident, false, false, true,
             "all-graph matchings, one item a worker"},
    Strategy{"sgm", "sgm", Traversal::resident, false, false, true, "sub-graph matchings, one item a worker"},
    Strategy{"diag", "diag", Traversal::phases, false, false, true, "diagonals, F x E threads"},
    Strategy{"blkdiag", "blkdiag", Traversal::tasks, false, false, true,
             "block-diagonals, one block a worker"},
    Strategy{"tiled", "tiled", Traversal::tiled, false, false, true,
             "tiles, items on chip, users fetched ahead"},
    Strategy{"local", "local", Traversal::local, false, false, true,
             "regions on chip, for graphs with locality such as roads"},
    Strategy{"el", nullptr, Traversal::edge_locked, false, false, false, "edge-locked, edges as given"},
    Strategy{"el-shuffled", "shuffle", Traversal::edge_locked, false, false, false,
             "edge-locked, edges shuffled"},
    Strategy{"nl", nullptr, Traversal::node_locked, false, false, false,
             "node-locked: users locked, items on chip"},
    Strategy{"nl-el", nullptr, Traversal::node_locked, false, true, false,
             "node-locked first, the rest edge-locked"},
    Strategy{"el-sgm", "el-sgm", Traversal::resident, true, false, false,
             "hub items edge-locked, the rest as SGM"},
    Strategy{"hogwild", "shuffle", Traversal::racing, false, false, false,
             "racing, no synchronization, edges shuffled"},
    Strategy{"hogwild-blocked", "blocked", Traversal::racing_tiles, false, false, false,
             "racing on the users, a block of items on chip"},
    visiting("push", Traversal::push, false, false, "a thread a vertex, into its neighbours by atomics"),
    visiting("pull", Traversal::pull, false, false,
             "a thread a vertex, from its neighbours, dividing an edge"),
    visiting("pull-nodiv", Traversal::pull, false, true, "pull, dividing once a vertex"),
    visiting("edge-soa", Traversal::edge_soa, false, false,
             "a thread an edge by atomics, two arrays of ends"),
    visiting("edge-aos", Traversal::edge_aos, false, false,
             "a thread an edge by atomics, one array of pairs"),
    visiting("push-warp", Traversal::push, true, false, "push, a virtual warp a vertex"),
    visiting("pull-warp", Traversal::pull, true, false, "pull, a virtual warp a vertex"),
    visiting("pull-nodiv-warp", Traversal::pull, true, true, "pull-nodiv, a virtual warp a vertex"),
    visiting("edge-tiled", Traversal::edge_tiled, false, true,
             "tiles of targets on chip, edge-parallel, no atomics", "edge-tiled"),
    visiting("pull-binned", Traversal::bins, false, true, "degree bins: thread, warp or block a vertex",
             "pull-binned"),
};
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

}  // namespace lockstep
