// Runs PageRank of a graph with one of its strategies.
#pragma once

#include "apps/frame/arcs.hpp"
#include "apps/pagerank.hpp"
#include "executor_support.hpp"
#include "square_graphs.hpp"

namespace lockstep::test {

struct PageRankOptions : ArcOptions, pagerank::Parameters {};

inline PageRankOptions on(Device device, std::uint64_t rounds = 30) {
    PageRankOptions options;
    options.device = device;
    options.rounds = rounds;
    return options;
}

inline pagerank::Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                                      const PageRankOptions& options, const RunCallbacks& callbacks = {}) {
    return pagerank::run_pagerank(graph, strategy, schedule, options, options, callbacks);
}

inline pagerank::Outcome run(const Graph& graph, const Strategy& strategy, const PageRankOptions& options) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy);
    return run_pagerank(graph, strategy, schedule ? &*schedule : nullptr, options);
}

inline const Strategy& pull() { return find_strategy("pull", "pagerank"); }

}  // namespace lockstep::test
