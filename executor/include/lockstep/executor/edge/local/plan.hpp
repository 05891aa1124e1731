// The plan of the local walk, for schedules of the form phase ⊃ tile ⊃ step ⊃ edge. One thread block
// processes a tile, whose vertices all fit in shared memory.
#pragma once

#include <vector>

#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/walk.hpp"

namespace lockstep {

struct LocalPlan {
    static constexpr Walk facts{.name = "local", .form = forms::regions};
    static constexpr bool in_shared_memory = true;
    /// index of the first tile of each phase, of the first step of each tile, and of the first edge of each
    /// step
    std::vector<EdgeId> phase_tiles, tile_steps, step_edges;

    static LocalPlan make(const PlanParts& parts) {
        return {parts.level(Level::phase), parts.level(Level::tile), parts.offsets(Level::step)};
    }
    EdgeId phases() const { return phase_tiles.size() - 1; }
    EdgeId bytes() const { return bytes_of(phase_tiles, tile_steps, step_edges); }
    EdgeId first_edge(EdgeId tile) const { return step_edges[tile_steps[tile]]; }
    std::optional<std::string> why_not(const EdgeList& edges, const OperatorSize& size,
                                       const gpu::Properties& device) const;
    /// Adds the terms of a sweep's time to the cost model. A GPU is limited by memory traffic. On a CPU, the
    /// time of updating the edges is added.
    template <class Model>
    static void terms(Model& m) {
        const double bytes = 2 * m.schedule.vectors * m.vector_bytes + 12 * m.edges;
        m.add("memory", m.count(m.schedule.vectors) + " vectors fetched and stored",
              bytes / m.probe.copy_rate);
        if (!m.gpu) m.add("edges", m.edges_text(), m.edges * m.round_slope());
        m.add("chain", m.count(m.schedule.chain) + " steps of each phase's longest tile",
              m.schedule.chain * m.cost("tasks.worker"));
        m.add("rounds", m.count(m.schedule.rounds) + " phases", m.schedule.rounds * m.probe.barrier);
    }
};

}  // namespace lockstep
