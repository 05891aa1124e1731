// The walk for schedules of the form phase ⊃ star. A star is a vertex (its centre) with some of its edges;
// its leaves are their other endpoints. One worker keeps the centre in registers and updates the edges one
// after another. If the operator is affine, several warps process each of the largest stars of a phase in
// segments (star/arithmetic.hpp). Here are the plan and the CPU code.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/executor/edge/fits.hpp"
#include "lockstep/executor/edge/locks.hpp"
#include "lockstep/executor/edge/operator_size.hpp"
#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/edge/tasks.hpp"
#include "lockstep/executor/walk.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

struct StarsPlan {
    static constexpr Walk facts{.name = "stars", .form = forms::tasks, .bound = "workers"};
    static constexpr EdgeId row_bit = EdgeId{1} << 63, long_bit = EdgeId{1} << 62;
    /// Offset of each star in the edges, with two flags in the highest bits. row_bit: the centre is the row
    /// that the edges share; otherwise it is their column. long_bit: the star is long, and it is among the
    /// first `hub_stars` stars of its phase.
    std::vector<EdgeId> stars;
    std::vector<EdgeId> phase_stars;  ///< offset of each phase in `stars`

    /// Builds the plan. Throws ScheduleError if the edges of a task share no endpoint, or if two of them
    /// share both endpoints. O(edges)
    static StarsPlan make(const PlanParts& parts);
    LOCKSTEP_HD static EdgeId edge_of(EdgeId word) { return word & ~(row_bit | long_bit); }
    EdgeId first(EdgeId star) const { return edge_of(stars[star]); }
    bool around_row(EdgeId star) const { return stars[star] & row_bit; }
    bool is_long(EdgeId star) const { return stars[star] & long_bit; }
    EdgeId phases() const { return phase_stars.size() - 1; }
    /// Returns an error message if a GPU cannot run the plan's long stars, which are copied to shared memory
    /// (star/blocks.cuh).
    std::optional<std::string> why_not(const EdgeList&, const OperatorSize& size,
                                       const gpu::Properties& device) const;
    EdgeId long_stars() const {
        return static_cast<EdgeId>(
            std::count_if(stars.begin(), stars.end(), [](EdgeId w) { return (w & long_bit) != 0; }));
    }
    EdgeId bytes() const { return bytes_of(stars, phase_stars); }
    template <class Model>
    static void terms(Model& m) {
        m.add("rounds", m.count(m.schedule.rounds) + " barriers", m.schedule.rounds * m.cost("tasks.phase"));
        if (m.schedule.hub_edges > 0) {
            m.add("hubs", m.count(m.schedule.rounds) + " long stars, one after another",
                  2 * m.schedule.rounds * m.probe.barrier);
            m.add("hub", m.count(m.schedule.chain) + " edges of them",
                  m.schedule.chain * m.cost("tiled.hub"));
        } else {
            m.add("chain",
                  m.count(m.schedule.chain) + " edges one after another, in the largest star of each round",
                  m.schedule.chain * m.cost("tasks.worker"));
        }
        m.add("edges", m.edges_from_memory(), m.edges * m.from_memory("racing.edge.near", "racing.edge.far"));
    }
};

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const StarsPlan& plan, const Op& op, Locks&, int threads) {
    constexpr EdgeId at_a_time = 16;
    const EdgeView view(edges);
    const EdgeId updates = process_tasks(plan.phase_stars, at_a_time, threads, [&](EdgeId p, EdgeId s) {
        const EdgeId begin = plan.first(s), end = plan.first(s + 1);
        if (begin == end) return EdgeId{0};  // all edges of the star are held out
        const bool of_row = plan.around_row(s);
        if constexpr (AffineOperator<Op>) {
            if (plan.is_long(s)) {
                run_long_star(Star<Op>{view, op, begin, end, of_row});
                return end - begin;
            }
        }
        run_in_order(view, op, begin, end, of_row, EdgePosition{begin, p, s});
        return end - begin;
    });
    return {updates, 1};
}

}  // namespace cpu

}  // namespace lockstep
