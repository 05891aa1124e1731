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

/// Two items that every user rates, and some that few do; and a user who rates every item.
inline Graph hubs() {
    std::vector<Triple> triples;
    for (VertexId u = 0; u < 900; ++u) {
        for (VertexId v = 0; v < 120; ++v) {
            if (v == 7 || v == 50 || u == 11 || (u * 31 + v * 17) % 41 == 0)
                triples.push_back({u, v, 1.0F + 0.1F * static_cast<float>((u * 7 + v * 13) % 40)});
        }
    }
    return build_graph(triples, 900, 120, {GraphShape::bipartite, true, true});
}

/// False, with a note, where no GPU can be used.
bool gpu_or_skip();

}  // namespace lockstep::test
