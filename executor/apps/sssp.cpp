// Shortest paths from one source as an application (Dijkstra, "A note on two problems in connexion with
// graphs", 1959). The result is the distance of each vertex. The serial reference and the check share no code
// with the operator and the walks that run it.
#include "apps/sssp.hpp"

#include <fmt/format.h>

#include <cmath>
#include <queue>

#include "apps/frame/distances.hpp"
#include "apps/frame/traversal.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep {

namespace sssp {

namespace {

/// Returns the function that extends a path by an arc: it maps the length of a path and an arc e to the
/// length of the extended path.
template <class T>
auto sum_of(const Graph& graph) {
    return [&graph](T distance, EdgeId e) {
        if constexpr (std::is_same_v<T, float>) {
            return distance + graph.weight(e);
        } else {
            return static_cast<T>(
                std::min<std::uint64_t>(std::uint64_t{distance} + static_cast<std::uint64_t>(graph.weight(e)),
                                        std::numeric_limits<T>::max() - 1));
        }
    };
}
template <class T>
constexpr T unreached = std::is_same_v<T, float> ? std::numeric_limits<T>::infinity()
                                                 : std::numeric_limits<T>::max();

template <class T>
std::vector<T> dijkstra(const Graph& graph, VertexId source) {
    std::vector<T> distances(graph.rows, unreached<T>);
    using Entry = std::pair<T, VertexId>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    const auto sum = sum_of<T>(graph);
    queue.emplace(distances[source] = 0, source);
    while (!queue.empty()) {
        const auto [distance, u] = queue.top();
        queue.pop();
        if (distance > distances[u]) continue;
        for (const EdgeId e : graph.edges_of(u)) {
            const T through = sum(distance, e);
            if (!(through < distances[graph.col[e]])) continue;
            queue.emplace(distances[graph.col[e]] = through, graph.col[e]);
        }
    }
    return distances;
}

}  // namespace

Weights classify_weights(const Graph& graph) {
    bool whole = true;
    EdgeId wrong = graph.edges();
#pragma omp parallel for reduction(&& : whole) reduction(min : wrong) if (graph.edges() > 1 << 16)
    for (EdgeId e = 0; e < graph.value.size(); ++e) {
        const float w = graph.value[e];
        if (!(w >= 0)) wrong = std::min(wrong, e);
        whole = whole && w < 16777216 && w == std::trunc(w);
    }
    if (wrong == graph.edges()) return {whole, std::nullopt};
    const auto row = std::upper_bound(graph.row_offsets.begin(), graph.row_offsets.end(), wrong) - 1;
    return {whole, Triple{static_cast<VertexId>(row - graph.row_offsets.begin()), graph.col[wrong],
                          graph.value[wrong]}};
}

frontier::Values compute_reference(const Graph& graph, VertexId source) {
    if (classify_weights(graph).whole) return dijkstra<std::uint32_t>(graph, source);
    return dijkstra<float>(graph, source);
}

std::string find_problem(const Graph& graph, VertexId source, const frontier::Values& distances) {
    return std::visit(
        [&]<class T>(const std::vector<T>& d) {
            return find_sum_problem(graph, source, d, T{0}, unreached<T>, sum_of<T>(graph));
        },
        distances);
}

std::vector<VertexId> find_path(const Graph& graph, VertexId source, VertexId target,
                                const frontier::Values& distances) {
    return std::visit(
        [&]<class T>(const std::vector<T>& d) {
            return find_tight_path(graph, source, target, d, sum_of<T>(graph));
        },
        distances);
}

namespace {

/// Makes a runner whose runs throw Error if a distance overflows its type `T`.
template <class T>
frontier::Runner make_checked_runner(const Input& input, Device device, const frontier::FrontierPlan& plan,
                                     const frontier::Axes& axes, int threads) {
    frontier::Runner runner = make_runner<Distances<T>>(input, device, plan, axes, threads);
    runner.run = [unchecked = std::move(runner.run)](VertexId source, const auto& interrupted) {
        frontier::Traversal traversal = unchecked(source, interrupted);
        for (const T distance : std::get<std::vector<T>>(traversal.values)) {
            if (distance == Distances<T>::most)
                throw Error("a distance is too large: it is " + std::to_string(distance) + " or more");
        }
        return traversal;
    };
    return runner;
}

frontier::Runner make_distance_runner(const Input& input, Device device, const frontier::FrontierPlan& plan,
                                      const frontier::Axes& axes, int threads) {
    const Weights weights = classify_weights(input.graph());
    if (const auto& arc = weights.refused) {
        const IdMap& ids = input.file.dataset.row_ids;
        throw FormatError(input.file.summary.source.path,
                          fmt::format("the edge from {} to {} has the weight {:g}; shortest paths need "
                                      "weights of 0 or more",
                                      ids.name(arc->row), ids.name(arc->col), arc->value));
    }
    return (weights.whole ? make_checked_runner<std::uint32_t>
                          : make_checked_runner<float>)(input, device, plan, axes, threads);
}

std::unique_ptr<Application> make_sssp(const Spec& spec) {
    return make_traversal(spec, {.make_runner = make_distance_runner,
                                 .compute_reference = compute_reference,
                                 .find_problem = find_problem,
                                 .find_path = find_path,
                                 .weighted = true,
                                 .by_priority = true});
}

}  // namespace

}  // namespace sssp

const Spec& sssp_spec() {
    static const Spec spec{.name = "sssp",
                           .summary = "shortest paths, with weights as lengths (square graphs)",
                           .example = "road.gr --app sssp --source 17 --output distances.txt",
                           .strategies = "frontier",
                           .round = "source",
                           .result = "distances",
                           .value = "distance",
                           .prepared = "hubs-weight",
                           .make = sssp::make_sssp};
    return spec;
}

}  // namespace lockstep
