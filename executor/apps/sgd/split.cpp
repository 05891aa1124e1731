#include "apps/sgd/split.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "apps/sgd/start.hpp"

namespace lockstep::sgd {

Split split_at(const Graph& graph, std::vector<bool> held_out) {
    Split split{std::move(held_out), {}};
    if (split.held_out.empty()) return split;
    std::vector<EdgeId> first(EdgeId{graph.rows} + 1);  // index of the first test edge of each row
    const auto each_test = [&](VertexId u, auto f) {
        for (const EdgeId e : graph.edges_of(u)) {
            if (split.held_out[e]) f(e);
        }
    };
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u) {
        EdgeId count = 0;
        each_test(u, [&](EdgeId) { ++count; });
        first[u + 1] = count;
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    split.test.resize(first.back());
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u) {
        EdgeId next = first[u];
        each_test(u, [&](EdgeId e) { split.test[next++] = {u, graph.col[e], graph.weight(e)}; });
    }
    return split;
}

Split split_by_seed(const Graph& graph, double fraction, std::uint64_t seed) {
    return split_at(graph, hold_out(graph.edges(), fraction, seed));
}

Split split_by_seed(const GraphPart& part, double fraction, std::uint64_t seed) {
    Split split = split_at(part.rows, hold_out(part.rows.edges(), fraction, seed, part.first));
    split.held_rows = std::move(split.held_out);
    split.held_out = hold_out(part.ids, fraction, seed);
    return split;
}

Split split_latest(const Graph& graph, std::span<const std::int64_t> times, double fraction) {
    const auto count = static_cast<EdgeId>(std::llround(fraction * static_cast<double>(graph.edges())));
    // Edges at the end of the input count as later among edges with equal times.
    const Array<EdgeId> edge = given_order(graph);
    std::vector<EdgeId> places(graph.edges());
    for (EdgeId i = 0; i < places.size(); ++i) places[i] = i;
    std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(count), places.end(),
                     [&](EdgeId a, EdgeId b) {
                         const std::int64_t time_a = times[edge[a]], time_b = times[edge[b]];
                         return time_a != time_b ? time_a > time_b : a > b;
                     });
    std::vector<bool> held_out(graph.edges());
    for (EdgeId i = 0; i < count; ++i) held_out[edge[places[i]]] = true;
    return split_at(graph, std::move(held_out));
}

Split split_fold(const Graph& graph, const std::vector<bool>& before, std::uint32_t fold, std::uint32_t folds,
                 std::uint64_t seed) {
    const r123::Philox2x64 philox;
    std::vector<bool> tested(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        if (!before.empty() && before[e]) continue;
        tested[e] = philox({{e, 0x666f6c64}}, {{seed}})[0] % folds == fold;
    }
    Split split = split_at(graph, std::move(tested));
    for (EdgeId e = 0; e < before.size(); ++e) {
        if (before[e]) split.held_out[e] = true;
    }
    return split;
}

}  // namespace lockstep::sgd
