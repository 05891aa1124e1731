#include "lockstep/executor/edge/resident.hpp"

#include <algorithm>
#include <numeric>

#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep {

ResidentLayout resident_layout(const EdgeList& edges, const ResidentPlan& plan) {
    // index of each column among the residents of the current block; a column may be in several blocks
    std::vector<EdgeId> slot(edges.cols, 0);
    const auto for_each_edge = [&](auto&& visit) {
        for (EdgeId b = 0; b + 1 < plan.block_phases.size(); ++b) {
            for (EdgeId i = plan.resident_offsets[b]; i < plan.resident_offsets[b + 1]; ++i)
                slot[plan.residents[i]] = i;
            for (EdgeId p = plan.block_phases[b]; p < plan.block_phases[b + 1]; ++p) {
                for (EdgeId e = plan.phase_offsets[p]; e < plan.phase_offsets[p + 1]; ++e)
                    visit(slot[edges.col[e]], p, e);
            }
        }
    };
    ResidentLayout layout;
    layout.slot_edges.assign(plan.residents.size() + 1, 0);
    for_each_edge([&](EdgeId resident, EdgeId, EdgeId) { ++layout.slot_edges[resident + 1]; });
    std::partial_sum(layout.slot_edges.begin(), layout.slot_edges.end(), layout.slot_edges.begin());
    const EdgeId entries = plan.phase_offsets.back() - plan.phase_offsets.front();
    layout.edge.resize(entries), layout.phase.resize(entries), layout.row.resize(entries),
        layout.value.resize(entries);
    std::vector<EdgeId> next(layout.slot_edges.begin(), layout.slot_edges.end() - 1);
    for_each_edge([&](EdgeId resident, EdgeId p, EdgeId e) {
        const EdgeId at = next[resident]++;
        layout.edge[at] = e;
        layout.phase[at] = checked_cast<std::uint32_t>(p, "phases");
        layout.row[at] = edges.row[e];
        layout.value[at] = edges.value[e];
    });
    return layout;
}

std::optional<std::string> ResidentPlan::why_not(const EdgeList&, const OperatorSize& size,
                                                 const gpu::Properties& device) const {
    constexpr auto threads = static_cast<EdgeId>(gpu::tuning::resident.threads);
    const EdgeId workers = device.multiprocessors * threads / static_cast<EdgeId>(size.lanes);
    return too_many_columns(largest_block(), device.shared_bytes / (size.slot_bytes * threads) * workers,
                            "smaller --workers");
}

EdgeId gpu::resident_slots(const ResidentPlan& plan, int lanes, const Properties& device) {
    const EdgeId workers = device.multiprocessors * tuning::resident.threads / static_cast<EdgeId>(lanes);
    return std::max<EdgeId>(1, (plan.largest_block() + workers - 1) / workers);
}

}  // namespace lockstep
