// Plans for all strategies of a graph, and whether there is a GPU to run them on.
#pragma once

#include <optional>

#include "insight/build_options.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep::test {

inline BuildOptions small_build() {
    BuildOptions options = insight::default_build_options();
    options.workers = 37;
    options.hub_items = 3;
    options.rank = 256;
    return options;
}

/// Returns the schedule that a strategy needs, if it needs one.
inline std::optional<Schedule> schedule_for(const Graph& graph, const Strategy& strategy,
                                            const BuildOptions& options = small_build()) {
    if (!strategy.schedule) return std::nullopt;
    return find_builder(strategy.schedule).build(graph, options);
}

inline EdgePlan plan_for(const Graph& graph, const Strategy& strategy,
                         const BuildOptions& options = small_build(),
                         const std::vector<bool>& held_out = {}) {
    const std::optional<Schedule> schedule = schedule_for(graph, strategy, options);
    return make_plan(graph, strategy, schedule ? &*schedule : nullptr, Endpoints::both, held_out);
}

/// Returns the graph with the index of each edge as its value.
inline Graph numbered(Graph graph) {
    graph.value.resize(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); ++e) graph.value[e] = static_cast<float>(e);
    return graph;
}

/// Returns a graph of two items that every user rates, some items that few users rate, and a user who rates
/// every item.
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

/// Returns a tiled schedule. If there are few blocks, those of hubs have long stars.
inline Schedule tiles(const Graph& graph, VertexId items, VertexId users, VertexId groups = 1) {
    BuildOptions options = insight::default_build_options();
    options.groups = groups;
    options.item_blocks = items;
    options.user_blocks = users;
    return build_tiled(graph, options);
}

/// Returns a grid with weights and IDs row by row, some diagonals and self-loops, and one pair three times.
inline Graph small_road(VertexId width) {
    std::vector<Triple> triples;
    const auto arc = [&](VertexId a, VertexId b) {
        triples.push_back({a, b, 1.0F + 0.1F * static_cast<float>((a * 7 + b * 13) % 40)});
    };
    for (VertexId v = 0; v < width * width; ++v) {
        if (v % 11 == 0) arc(v, v);
        if (v % width) arc(v, v - 1), arc(v - 1, v);
        if (v >= width) arc(v, v - width), arc(v - width, v);
        if (v % width && v >= width && v % 5 == 0) arc(v, v - width - 1), arc(v - width - 1, v);
    }
    arc(3, 4), arc(3, 4);
    return build_graph(triples, width * width, width * width, {GraphShape::square, true, true});
}

/// Returns whether a GPU can be used; if not, skips the test with a note.
bool gpu_or_skip();

}  // namespace lockstep::test
