// Edge shuffle (the preprocessing of EL, Kaleem et al., IV-A) and degree sort.
#include <Random123/philox.h>

#include <algorithm>

#include "grouping.hpp"
#include "lockstep/schedules/builders.hpp"
#include "shuffle.hpp"

namespace lockstep {

void shuffle(std::vector<EdgeId>& order, std::uint64_t seed) {
    const r123::Philox2x64 philox;
    for (EdgeId i = order.size(); i > 1; --i) {
        const std::uint64_t random = philox({{i, 0x73687566666c65}}, {{seed}})[0];
        // The high half of a 64 x 64 bit product maps to [0, i) with a bias below i / 2^64.
        const auto j = static_cast<EdgeId>((static_cast<unsigned __int128>(random) * i) >> 64);
        std::swap(order[i - 1], order[j]);
    }
}

std::vector<VertexId> by_decreasing_degree(const std::vector<EdgeId>& degree) {
    std::vector<EdgeId> order = identity_order(degree.size());
    const EdgeId largest = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
    group_stable(order, largest + 1, [&](EdgeId v) { return largest - degree[v]; });
    return {order.begin(), order.end()};
}

Schedule build_shuffle(const Graph& graph, const BuildOptions& options) {
    Schedule schedule;
    schedule.name = "shuffle";
    schedule.parameters["seed"] = std::to_string(options.seed);
    schedule.order = identity_order(graph.edges());
    shuffle(schedule.order, options.seed);
    return schedule;
}

Schedule build_degree(const Graph& graph, const BuildOptions&) {
    Schedule schedule;
    schedule.name = "degree";
    schedule.row_order = by_decreasing_degree(row_degrees(graph));
    schedule.col_order = by_decreasing_degree(col_degrees(graph));
    return schedule;
}

}  // namespace lockstep
