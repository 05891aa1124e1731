// block ⊃ phase ⊃ edge: a worker a column, whose vector stays on chip through the block. AGM-N and SGM.
#pragma once

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/phases.hpp"

namespace lockstep {

struct ResidentPlan {
    static constexpr Walk facts{
        .name = "resident", .form = forms::resident, .bound = "rounds", .one_set = false};
    std::vector<EdgeId> phase_offsets;     ///< phase -> edges
    std::vector<EdgeId> block_phases;      ///< block -> phases
    std::vector<VertexId> residents;       ///< columns
    std::vector<EdgeId> resident_offsets;  ///< block -> residents

    static ResidentPlan make(const PlanParts& parts) {
        return {parts.offsets(Level::phase), parts.level(Level::block), parts.schedule->residents,
                parts.schedule->resident_offsets};
    }
    EdgeId phases() const { return phase_offsets.empty() ? 0 : phase_offsets.size() - 1; }
    EdgeId bytes() const { return bytes_of(phase_offsets, block_phases, residents, resident_offsets); }
    EdgeId largest_block() const { return largest_part(resident_offsets); }  ///< residents
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

/// The edges sorted by (resident, phase): what a worker that owns columns walks through.
struct ResidentLayout {
    std::vector<EdgeId> slot_edges;  ///< i-th resident -> entries below
    std::vector<EdgeId> edge;        ///< position in the plan
    std::vector<std::uint32_t> phase;
    std::vector<VertexId> row;
    std::vector<float> value;
};
ResidentLayout resident_layout(const EdgeList& edges, const ResidentPlan& plan);

namespace gpu {
/// Columns that a worker keeps at most.
EdgeId resident_slots(const ResidentPlan& plan, int lanes, const Properties& device);
}  // namespace gpu

namespace cpu {

/// As phases: residence in fast memory is the cache's business on a CPU.
template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const ResidentPlan& plan, const Op& op, Locks&, int threads) {
    return sweep_phases(edges, plan.phase_offsets, plan.block_phases, op, threads);
}

}  // namespace cpu

}  // namespace lockstep
