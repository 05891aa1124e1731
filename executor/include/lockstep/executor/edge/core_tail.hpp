// Two cores of tiles and a tail of phases, one after another (schedules/core_tail.hpp).
#pragma once

#include "lockstep/executor/edge/phases.hpp"
#include "lockstep/executor/edge/tiled/cpu.hpp"
#include "lockstep/schedules/core_tail.hpp"

namespace lockstep {

struct CoreTailPlan {
    static constexpr Walk facts{.name = "core_tail", .form = forms::core_tail};
    TiledPlan users, items;  ///< no tiles where they are empty; the first is turned
    PhasesPlan tail;         ///< its edges are the last ones

    static CoreTailPlan make(const PlanParts& parts);
    EdgeId phases() const { return users.phases() + items.phases() + tail.phases(); }
    EdgeId bytes() const { return users.bytes() + items.bytes() + tail.bytes(); }
    std::optional<std::string> why_not(const EdgeList& edges, const OperatorSize& size,
                                       const gpu::Properties& device) const;
    /// run(core) of those that have tiles, in order.
    template <class Run>
    void for_each_core(Run run) const {
        for (const TiledPlan* core : {&users, &items}) {
            if (core->grid.tiles()) run(*core);
        }
    }
    template <class Model>
    static void terms(Model& m) {
        const double tail_edges = m.edges - m.schedule.core_edges,
                     tail_rounds = m.schedule.rounds - m.schedule.core_phases;
        m.add("edges", m.count(m.schedule.core_edges) + " edges of hubs",
              m.schedule.core_edges * m.cost("tiled.edge"));
        if (m.schedule.core_edges > 0) {
            const double chain = std::min(m.graph.largest(), m.schedule.chain);
            m.add("hub", m.count(chain) + " edges of a hub after one another", chain * m.cost("tiled.hub"));
        }
        if (tail_rounds > 0) {
            m.add("rounds", m.count(tail_rounds) + " matchings of the tail",
                  tail_rounds * m.probe.phase_round.at(std::max(1.0, tail_edges / tail_rounds)));
            m.add("memory", m.edges_from_memory(),
                  m.far * tail_edges * m.beyond("phases.edge.far", m.round_slope()));
        }
        if (!m.gpu) return;
        m.add("steps", m.count(m.schedule.steps) + " steps of a thread block",
              m.schedule.steps * m.probe.block_barrier);
        m.add("phases", m.count(m.schedule.core_phases) + " flags between neighbours",
              m.schedule.core_phases * m.probe.barrier);
    }
};

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const CoreTailPlan& plan, const Op& op, Locks& locks, int threads) {
    EdgeId updates = 0;
    plan.for_each_core(
        [&](const TiledPlan& core) { updates += sweep(edges, core, op, locks, threads).updates; });
    return {updates + sweep(edges, plan.tail, op, locks, threads).updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
