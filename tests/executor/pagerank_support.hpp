// Runs PageRank of a graph with one of its strategies.
#pragma once

#include "apps/pagerank/driver.hpp"
#include "executor_support.hpp"
#include "square_graphs.hpp"

namespace lockstep::test {

inline pagerank::PageRankOptions on(Device device, std::uint64_t rounds = 30) {
    pagerank::PageRankOptions options;
    options.device = device;
    options.rounds = rounds;
    return options;
}

inline pagerank::Outcome run(const Graph& graph, const Strategy& strategy,
                             const pagerank::PageRankOptions& options) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy);
    return pagerank::run_pagerank(graph, strategy, schedule ? &*schedule : nullptr, options);
}

inline const Strategy& pull() { return find_strategy("pull", "pagerank"); }

}  // namespace lockstep::test
