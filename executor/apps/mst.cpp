// Minimum spanning forests as an application. The result is the parent of each vertex in the forest, and the
// weight of the edge to the parent. The algorithms and their papers are in executor/structure/forest.hpp.
#include "apps/mst.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

#include "apps/frame/structure.hpp"
#include "lockstep/executor/structure/exact_sum.hpp"
#include "lockstep/executor/structure/forest.hpp"
#include "lockstep/schedules/error.hpp"

namespace lockstep {

namespace mst {

namespace {

struct Edge {
    float weight;
    VertexId u, v;  ///< endpoints; u is the smaller one
    bool operator<(const Edge& o) const { return std::tie(weight, u, v) < std::tie(o.weight, o.u, o.v); }
};

bool by_ends(const Edge& a, const Edge& b) { return std::tie(a.u, a.v) < std::tie(b.u, b.v); }

/// Returns every edge of the undirected graph once, ordered by its endpoints. Of several edges with the same
/// endpoints, only the edge with the smallest weight is returned.
std::vector<Edge> list_edges(const Graph& graph) {
    std::vector<Edge> edges;
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            const auto [low, high] = std::minmax(u, graph.col[e]);
            if (low != high) edges.push_back({graph.weight(e), low, high});
        }
    }
    std::sort(edges.begin(), edges.end());
    std::stable_sort(edges.begin(), edges.end(), by_ends);
    const auto same = [](const Edge& a, const Edge& b) { return a.u == b.u && a.v == b.v; };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
    return edges;
}

/// Disjoint sets of vertices (union by size, without path compression). Each set is a tree with
/// O(log(vertices)) levels. Every link of a tree stores the edge that caused it, so that last_between() can
/// find the edge that connected two vertices.
class Joins {
public:
    explicit Joins(VertexId vertices) : above_(vertices), sizes_(vertices, 1), by_(vertices) {
        std::iota(above_.begin(), above_.end(), VertexId{0});
    }
    bool join(const Edge& edge) {
        VertexId a = top(edge.u), b = top(edge.v);
        if (a == b) return false;
        if (sizes_[a] > sizes_[b]) std::swap(a, b);
        above_[a] = b, by_[a] = edge, sizes_[b] += sizes_[a];
        return true;
    }
    /// Returns the last edge, in the order of weights, on the path of joined edges between two vertices. All
    /// edges must have been joined in ascending order, and the vertices must be in one set. Moves up from
    /// both vertices until the paths meet.
    Edge last_between(VertexId a, VertexId b) const {
        Edge last{};
        bool any = false;
        while (a != b) {
            if (above_[a] == a || (above_[b] != b && by_[b] < by_[a])) std::swap(a, b);
            if (!any || last < by_[a]) last = by_[a];
            any = true;
            a = above_[a];
        }
        return last;
    }
    VertexId top(VertexId v) const {
        while (above_[v] != v) v = above_[v];
        return v;
    }

private:
    std::vector<VertexId> above_, sizes_;
    std::vector<Edge> by_;
};

}  // namespace

std::vector<std::uint32_t> compute_reference(const Graph& graph) {
    std::vector<Edge> edges = list_edges(graph);
    std::sort(edges.begin(), edges.end());
    Joins joins(graph.rows);
    std::erase_if(edges, [&](const Edge& e) { return !joins.join(e); });
    std::sort(edges.begin(), edges.end(), by_ends);
    std::vector<std::uint32_t> values;
    for (const Edge& e : edges) values.push_back(e.u), values.push_back(e.v);
    return values;
}

Forest make_forest(const Graph& graph, const std::vector<std::uint32_t>& edges) {
    std::vector<EdgeId> offsets(graph.rows + std::size_t{2}, 0);
    for (const VertexId v : edges) ++offsets[v + std::size_t{2}];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<VertexId> ends(edges.size());
    for (std::size_t i = 0; i < edges.size(); ++i) ends[offsets[edges[i] + std::size_t{1}]++] = edges[i ^ 1];
    Forest forest{std::vector<VertexId>(graph.rows, root), std::vector<float>(graph.rows, 0)};
    std::vector<VertexId> queue;
    std::vector<bool> seen(graph.rows, false);
    for (VertexId first = 0; first < graph.rows; ++first) {
        if (seen[first]) continue;
        seen[first] = true;
        queue.assign(1, first);
        for (std::size_t i = 0; i < queue.size(); ++i) {
            const VertexId u = queue[i];
            for (EdgeId e = offsets[u]; e < offsets[u + EdgeId{1}]; ++e) {
                if (ends[e] == forest.parents[u]) continue;
                if (seen[ends[e]])
                    throw Error(Failure::verification, "the edges of the forest contain a cycle");
                seen[ends[e]] = true;
                forest.parents[ends[e]] = u;
                queue.push_back(ends[e]);
            }
        }
    }
    const auto lightest = [&](VertexId u, VertexId v, float weight) {
        const auto begin = graph.col.begin() + static_cast<std::ptrdiff_t>(graph.row_offsets[u]),
                   end = graph.col.begin() + static_cast<std::ptrdiff_t>(graph.row_offsets[u + EdgeId{1}]);
        for (auto at = std::lower_bound(begin, end, v); at != end && *at == v; ++at)
            weight = std::min(weight, graph.weight(static_cast<EdgeId>(at - graph.col.begin())));
        return weight;
    };
#pragma omp parallel for schedule(static)
    for (VertexId v = 0; v < graph.rows; ++v) {
        const VertexId parent = forest.parents[v];
        if (parent == root) continue;
        const float weight = lightest(v, parent, std::numeric_limits<float>::infinity());
        forest.weights[v] = graph.directed ? lightest(parent, v, weight) : weight;
        if (forest.weights[v] == 0) forest.weights[v] = 0;  // replaces -0 by 0
    }
    return forest;
}

std::string find_problem(const Graph& graph, const Forest& forest) {
    const VertexId n = graph.rows;
    if (forest.parents.size() != n || forest.weights.size() != n)
        return fmt::format("there are {} parents and {} weights for {} vertices", forest.parents.size(),
                           forest.weights.size(), n);
    std::vector<Edge> edges = list_edges(graph), chosen;
    for (VertexId v = 0; v < n; ++v) {
        const VertexId parent = forest.parents[v];
        if (parent == root) {
            if (forest.weights[v] != 0) return fmt::format("vertex {} has a weight, but no parent", v);
            continue;
        }
        if (parent >= n) return fmt::format("the parent {} of vertex {} is not a vertex", parent, v);
        const auto [low, high] = std::minmax(v, parent);
        const Edge edge{forest.weights[v], low, high};
        const auto found = std::lower_bound(edges.begin(), edges.end(), edge, by_ends);
        if (found == edges.end() || found->u != low || found->v != high || found->weight != edge.weight)
            return fmt::format("vertices {} and {} are not joined by an edge of weight {}", v, parent,
                               edge.weight);
        chosen.push_back(edge);
    }
    std::sort(chosen.begin(), chosen.end());
    Joins joins(n);
    for (const Edge& e : chosen) {
        if (!joins.join(e)) return fmt::format("the forest connects vertices {} and {} twice", e.u, e.v);
    }
    std::vector<bool> has_root(n, false);
    // vertices in ascending order, so the first vertex of each tree is its root
    for (VertexId v = 0; v < n; ++v) {
        const VertexId top = joins.top(v);
        if ((forest.parents[v] == root) == has_root[top])
            return fmt::format("vertex {} is {} root of its tree", v,
                               has_root[top] ? "not the first" : "not the");
        has_root[top] = true;
    }
    std::size_t wrong = edges.size();
#pragma omp parallel for schedule(dynamic, 4096) reduction(min : wrong)
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const Edge& e = edges[i];
        if (joins.top(e.u) != joins.top(e.v) || e < joins.last_between(e.u, e.v)) wrong = std::min(wrong, i);
    }
    if (wrong < edges.size())
        return fmt::format(
            "the edge of vertices {} and {}, of weight {}, is lighter than an edge of the path between these "
            "vertices in the forest",
            edges[wrong].u, edges[wrong].v, edges[wrong].weight);
    return {};
}

namespace {

structure::Runner make_runner(const StructureRun& run) {
    const auto picking = std::get<structure::ForestMethod>(run.strategy.variant);
    const structure::RoundAxes axes = run.round_axes();
    return on_device(
        run.device, [&] { return structure::forest_on_cpu(run.graph, run.threads); },
        [&] {
            return run.strategy.axes ? structure::forest_on_cuda(run.graph, picking, axes)
                                     : structure::forest_on_cuda(run.graph, picking);
        });
}

StructureParts::Columns make_columns(const Graph& graph, const std::vector<std::uint32_t>& edges) {
    Forest forest = make_forest(graph, edges);
    return {{"parents", std::move(forest.parents), "-", true}, {"weights", std::move(forest.weights)}};
}

StructureParts::Summary summarize(const StructureParts::Columns& columns) {
    const auto& parents = values_of_column<VertexId>(columns, 0);
    const auto trees = static_cast<EdgeId>(std::count(parents.begin(), parents.end(), root));
    const double total = structure::exact_sum(values_of_column<float>(columns, 1));
    return {{{"total_weight", total}, {"forest_edges", parents.size() - trees}, {"trees", trees}},
            fmt::format("weight {} in {} trees", total, text::group_digits(trees))};
}

std::unique_ptr<Application> make(const Spec& spec) {
    StructureParts parts;
    // The rounds visit a list of edges, so no axis for the balance of arcs applies.
    parts.axes = {"append", "loop"};
    parts.weighted = true;
    parts.refusal_of_order =
        "--order does not apply to mst: edges of equal weight are ordered by the indices of their vertices";
    parts.choose_strategy = [](const ScheduleFileSummary&, bool gpu) -> StructureParts::Rule {
        return {
            "best",
            gpu ? "the lightest edges connect nearly all vertices, so most other edges need not be examined"
                : "first each vertex picks its lightest edge, then each tree does so in rounds"};
    };
    parts.make_runner = make_runner;
    parts.compute_reference = compute_reference;
    parts.make_columns = make_columns;
    parts.find_problem = [](const Graph& graph, const StructureParts::Columns& columns) {
        return find_problem(
            graph, Forest{values_of_column<VertexId>(columns, 0), values_of_column<float>(columns, 1)});
    };
    parts.verified_property =
        "the parents lead to the smallest vertex of each component, and every other edge is heavier than all "
        "edges of the path between its endpoints";
    parts.summarize = summarize;
    return make_structure(spec, std::move(parts));
}

}  // namespace

}  // namespace mst

const Spec& mst_spec() {
    static const Spec spec{.name = "mst",
                           .summary = "minimum spanning forest (square graphs)",
                           .example = "road.gr --app mst --output forest.txt",
                           .strategies = "mst",
                           .round = "run",
                           .result = "forest",
                           .value = "parent",
                           .make = mst::make};
    return spec;
}

}  // namespace lockstep
