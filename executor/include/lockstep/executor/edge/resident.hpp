// The walk for schedules of the form block ⊃ phase ⊃ edge with resident columns, such as AGM-N and SGM. Each
// worker owns some columns of a block, and keeps their vectors in shared memory during all phases of the
// block. Here are the plan and the CPU code.
#pragma once

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/phases.hpp"

namespace lockstep {

struct ResidentPlan {
    static constexpr Walk facts{
        .name = "resident", .form = forms::resident, .bound = "rounds", .one_set = false};
    std::vector<EdgeId> phase_offsets;     ///< index of the first edge of each phase
    std::vector<EdgeId> block_phases;      ///< index of the first phase of each block
    std::vector<VertexId> residents;       ///< columns of each block, sorted by block
    std::vector<EdgeId> resident_offsets;  ///< index in `residents` of the first resident of each block

    static ResidentPlan make(const PlanParts& parts) {
        return {parts.offsets(Level::phase), parts.level(Level::block), parts.schedule->residents,
                parts.schedule->resident_offsets};
    }
    EdgeId phases() const { return phase_offsets.empty() ? 0 : phase_offsets.size() - 1; }
    EdgeId bytes() const { return bytes_of(phase_offsets, block_phases, residents, resident_offsets); }
    /// number of residents of the largest block
    EdgeId largest_block() const { return largest_part(resident_offsets); }
    std::optional<std::string> why_not(const EdgeList&, const OperatorSize& size,
                                       const gpu::Properties& device) const;
    template <class Model>
    static void terms(Model& m) {
        m.add_rounds(m.probe.resident_round);
        m.add("blocks", m.count(m.schedule.blocks) + " blocks of items",
              m.gpu ? m.schedule.blocks * m.probe.barrier : 0);
        m.add_memory_of_rounds();
    }
};

/// The edges sorted by (resident column, phase). This is the order in which the worker that owns a column
/// processes them.
struct ResidentLayout {
    std::vector<EdgeId> slot_edges;  ///< offset of the edges of each resident in the following arrays
    std::vector<EdgeId> edge;        ///< index of the edge in the plan
    std::vector<std::uint32_t> phase;
    std::vector<VertexId> row;
    std::vector<float> value;
};
ResidentLayout resident_layout(const EdgeList& edges, const ResidentPlan& plan);

namespace gpu {
/// Returns the maximum number of columns of a block that one worker owns.
EdgeId resident_slots(const ResidentPlan& plan, int lanes, const Properties& device);
}  // namespace gpu

namespace cpu {

/// Runs one sweep in the same way as the phases walk. On a CPU, the cache keeps the vectors of the columns.
template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const ResidentPlan& plan, const Op& op, Locks&, int threads) {
    return sweep_phases(edges, plan.phase_offsets, plan.block_phases, op, threads);
}

}  // namespace cpu

}  // namespace lockstep
