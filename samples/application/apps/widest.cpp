// Widest paths as an application. The result is the inverse of the width of each vertex, as widest.hpp
// defines it.
#include "apps/widest.hpp"

#include <queue>

#include "apps/frame/distances.hpp"
#include "apps/frame/traversal.hpp"

namespace lockstep {

namespace {

using Values = std::vector<float>;

/// Returns the function that extends a path by an edge: it maps the value of a path and an edge to the value
/// of the extended path. It shares no code with the operator.
auto extend_in(const Graph& graph) {
    return [&graph](float value, EdgeId e) {
        return std::min(std::max(value, 1 / graph.weight(e)), std::numeric_limits<float>::max());
    };
}

/// Computes the values of all vertices serially with a heap, for --device reference.
frontier::Values compute_reference(const Graph& graph, VertexId source) {
    Values values(graph.rows, widest::InverseWidths::none());
    std::priority_queue<std::pair<float, VertexId>> queue;  // the vertex with the smallest value comes first
    queue.emplace(-(values[source] = 0), source);
    while (!queue.empty()) {
        const auto [negative, u] = queue.top();
        queue.pop();
        if (-negative > values[u]) continue;
        for (const EdgeId e : graph.edges_of(u)) {
            const float value = extend_in(graph)(values[u], e);
            if (value < values[graph.col[e]]) queue.emplace(-(values[graph.col[e]] = value), graph.col[e]);
        }
    }
    return values;
}

/// Verifies the values of all vertices, for --verify. Returns a description of the first error, or an empty
/// text.
std::string find_problem(const Graph& graph, VertexId source, const frontier::Values& values) {
    return find_sum_problem(graph, source, std::get<Values>(values), 0.0F, widest::InverseWidths::none(),
                            extend_in(graph));
}

/// Returns the vertices of a widest path from `source` to `target`, for --path-to.
std::vector<VertexId> find_path(const Graph& graph, VertexId source, VertexId target,
                                const frontier::Values& values) {
    return find_tight_path(graph, source, target, std::get<Values>(values), extend_in(graph));
}

std::unique_ptr<Application> make_widest(const Spec& spec) {
    return make_traversal(spec, {.make_runner = make_runner<widest::InverseWidths>,
                                 .compute_reference = compute_reference,
                                 .find_problem = find_problem,
                                 .find_path = find_path,
                                 .weighted = true});
}

}  // namespace

const Spec& widest_spec() {
    static const Spec spec{.name = "widest",
                           .summary = "widest paths by weight (square graphs)",
                           .example = "road.gr --app widest --source 17 --output widths.txt",
                           .strategies = "frontier",
                           .round = "source",
                           .result = "inverse widths",
                           .value = "inverse width",
                           .prepared = "hubs-weight",
                           .make = make_widest};
    return spec;
}

}  // namespace lockstep
