#include "resident_blocks.hpp"

#include <algorithm>

namespace lockstep {

std::vector<VertexId> assign_blocks(Schedule& schedule, VertexId cols, VertexId workers) {
    if (workers == 0) throw ScheduleError("a block needs at least one worker", Failure::usage);
    std::vector<VertexId> block(cols, 0);
    schedule.resident_offsets.assign(1, 0);
    for (EdgeId first = 0; first < schedule.residents.size(); first += workers) {
        const EdgeId last = std::min<EdgeId>(first + workers, schedule.residents.size());
        for (EdgeId i = first; i < last; ++i)
            block[schedule.residents[i]] = static_cast<VertexId>(first / workers);
        schedule.resident_offsets.push_back(last);
    }
    return block;
}

void set_block_phases(Schedule& schedule, const std::vector<EdgeId>& block_edges,
                      const std::vector<VertexId>& matching) {
    std::vector<EdgeId>& blocks = schedule.level(Level::block);
    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    blocks.assign(1, 0);
    phases.assign(1, 0);
    const EdgeId* order = schedule.order.data() + schedule.locked;
    for (std::size_t b = 0; b + 1 < block_edges.size(); ++b) {
        for (EdgeId i = block_edges[b]; i < block_edges[b + 1]; ++i) {
            const bool last_of_phase =
                i + 1 == block_edges[b + 1] || matching[order[i]] != matching[order[i + 1]];
            if (last_of_phase) phases.push_back(i + 1);
        }
        blocks.push_back(phases.size() - 1);
    }
}

}  // namespace lockstep
