#include "lockstep/executor/arc/arcs.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep::arc {

OrderedGraph::OrderedGraph(const Graph& g, const std::vector<VertexId>& o, bool weighted)
    : Numbering(g, o), weighted_(weighted && !g.value.empty()) {
    const auto whole = [](float weight) {
        return weight >= 0 && weight < 256 && weight == std::trunc(weight);
    };
    whole_ = weighted_ && std::all_of(g.value.begin(), g.value.end(), whole);
}

Weights OrderedGraph::weights(EdgeId size) const {
    return {Array<std::uint8_t>(whole_ ? size : 0), Array<float>(weighted_ && !whole_ ? size : 0)};
}

Array<VertexId> OrderedGraph::targets(const Offsets& out, Weights& weights) const {
    Array<VertexId> targets(graph.edges());
    weights = this->weights(graph.edges());
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId p = 0; p < graph.rows; ++p) {
        const VertexId v = vertex(p);
        VertexId* const first = targets.data() + out[p];
        VertexId* last = first;
        for (const EdgeId e : edges_of(graph.row_offsets, v)) {
            if (weighted_) weights.set(static_cast<EdgeId>(last - targets.data()), graph.value[e]);
            *last++ = position(graph.col[e]);
        }
        if (!order.empty() && !weighted_) std::sort(first, last);
    }
    return targets;
}

void OrderedGraph::by_target(Offsets& in, Array<VertexId>& sources, Weights& weights) const {
    std::vector<EdgeId> offsets(std::size_t{graph.rows} + 1, 0);
    for (const VertexId v : graph.col) ++offsets[std::size_t{position(v)} + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    in = Offsets(offsets);
    sources.resize(graph.edges());
    weights = this->weights(graph.edges());
    ParallelErrors errors;
#pragma omp parallel
    {  // each thread collects the in-arcs of a range of targets
        const auto me = static_cast<EdgeId>(omp_get_thread_num()),
                   team = static_cast<EdgeId>(omp_get_num_threads());
        const auto first_of = [&](EdgeId share) {
            const auto at =
                std::lower_bound(offsets.begin(), offsets.end() - 1, graph.edges() / team * share);
            return share == team ? graph.rows : static_cast<VertexId>(at - offsets.begin());
        };
        const VertexId first = me == 0 ? 0 : first_of(me), last = first_of(me + 1);
        std::vector<EdgeId> next;
        errors.run([&] { next.assign(offsets.begin() + first, offsets.begin() + last); });
        for (VertexId p = 0; p < graph.rows && !next.empty(); ++p) {
            const VertexId u = vertex(p);
            for (const EdgeId e : edges_of(graph.row_offsets, u)) {
                const VertexId target = position(graph.col[e]);
                if (target < first || target >= last) continue;
                const EdgeId at = next[target - first]++;
                sources[at] = p;
                if (weighted_) weights.set(at, graph.value[e]);
            }
        }
    }
    errors.rethrow();
}

}  // namespace lockstep::arc
