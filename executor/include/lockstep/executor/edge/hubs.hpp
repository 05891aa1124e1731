// phase ⊃ one star: a hub's edges by the whole device at once (hub_map.hpp). Where there are no such maps a
// hub is a star as others (stars.hpp).
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/edge/hub_matrix.hpp"
#include "lockstep/executor/edge/stars.hpp"

namespace lockstep {

struct HubsPlan {
    StarsPlan stars;  ///< one a phase

    EdgeId phases() const { return stars.phase_stars.empty() ? 0 : stars.phases(); }
    /// Edges of one at most.
    EdgeId largest() const {
        EdgeId largest = 0;
        for (EdgeId p = 0; p < phases(); ++p)
            largest = std::max(largest, stars.first(p + 1) - stars.first(p));
        return largest;
    }
    EdgeId bytes() const { return stars.bytes(); }
    std::optional<std::string> why_not(const EdgeList& edges, const OperatorSize& size,
                                       const gpu::Properties& device) const;
};

namespace cpu {

template <EdgeOperator Op>
SweepCounts sweep(const EdgeList& edges, const HubsPlan& plan, const Op& op, Locks& locks, int threads) {
    if (plan.phases() == 0) return {0, 1};
    if constexpr (has_hub_map<Op>) {
        if (HubMap<Op>::runs(op)) {
            const EdgeView view(edges);
            HubWork<Op> work(plan.largest());
            EdgeId updates = 0;
            for (EdgeId p = 0; p < plan.phases(); ++p) {
                const Star<Op> star{view, op, plan.stars.first(p), plan.stars.first(p + 1)};
                if (star.begin < star.end) run_hub(star, work, threads);
                updates += star.end - star.begin;
            }
            return {updates, 1};
        }
    }
    return sweep(edges, plan.stars, op, locks, threads);
}

}  // namespace cpu

}  // namespace lockstep
