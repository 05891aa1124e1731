// Plans for every strategy of a graph, and whether there is a GPU to run them on.
#pragma once

#include <optional>

#include "lockstep/executor/plan.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep::test {

inline BuildOptions small_build() {
    BuildOptions options;
    options.workers = 37;
    options.hub_items = 3;
    options.rank = 256;
    return options;
}

/// The schedule that a strategy needs, if it needs one.
inline std::optional<Schedule> schedule_for(const Graph& graph, const Strategy& strategy,
                                            const BuildOptions& options = small_build()) {
    if (!strategy.schedule) return std::nullopt;
    return find_builder(strategy.schedule).build(graph, options);
}

inline Plan plan_for(const Graph& graph, const Strategy& strategy, const std::vector<bool>& held_out = {}) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy);
    return make_plan(graph, strategy, schedule ? &*schedule : nullptr, Endpoints::both, held_out);
}

/// False, with a note, where no GPU can be used.
bool gpu_or_skip();

}  // namespace lockstep::test
