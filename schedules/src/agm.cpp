// All-graph matchings, edge-parallel and node-parallel (Kaleem et al., III-A.1 and III-A.2).
#include <algorithm>

#include "lockstep/schedules/builders.hpp"
#include "grouping.hpp"
#include "resident_blocks.hpp"

namespace lockstep {

namespace {
EdgeId matching_count(const std::vector<VertexId>& matching) {
    return matching.empty() ? 0 : EdgeId{*std::max_element(matching.begin(), matching.end())} + 1;
}
}  // namespace

Schedule build_agm_e(const Graph& graph, const BuildOptions&) {
    const std::vector<VertexId> matching = maximal_matchings(graph);
    Schedule schedule;
    schedule.name = "agm-e";
    schedule.disjoint = Disjoint::both;
    schedule.maximal = true;
    schedule.order = identity_order(graph.edges());
    schedule.level(Level::phase) = group_stable(schedule.order, matching_count(matching), [&](EdgeId e) { return matching[e]; });
    return schedule;
}

Schedule build_agm_n(const Graph& graph, const BuildOptions& options) {
    const std::vector<VertexId> matching = maximal_matchings(graph);
    Schedule schedule;
    schedule.name = "agm-n";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["workers"] = std::to_string(options.workers);

    std::vector<EdgeId> items = identity_order(graph.cols);
    schedule.residents.assign(items.begin(), items.end());
    const std::vector<VertexId> block = assign_blocks(schedule, graph.cols, options.workers);

    schedule.order = identity_order(graph.edges());
    group_stable(schedule.order, matching_count(matching), [&](EdgeId e) { return matching[e]; });
    const std::vector<EdgeId> blocks = group_stable(schedule.order, block_count(schedule), [&](EdgeId e) { return block[graph.col[e]]; });
    set_block_phases(schedule, blocks, matching);
    return schedule;
}

}  // namespace lockstep
