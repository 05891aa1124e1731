#include "lockstep/executor/strategy.hpp"

#include <array>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

namespace {
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
};
}  // namespace

std::span<const Strategy> strategies() { return registry; }

const Strategy& find_strategy(const std::string& name) {
    std::string known;
    for (const Strategy& strategy : registry) {
        if (name == strategy.name) return strategy;
        known += std::string(known.empty() ? "" : ", ") + strategy.name;
    }
    throw ScheduleError("there is no strategy \"" + name + "\"; known are " + known, Failure::usage);
}

}  // namespace lockstep
