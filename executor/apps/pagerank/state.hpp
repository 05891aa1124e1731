// The state of PageRank before its first round, the same on every device.
#pragma once

#include "apps/pagerank/backend.hpp"
#include "apps/pagerank/operator.hpp"

namespace lockstep::pagerank {

/// Equal ranks.
struct Start {
    float rank = 0;
    Units dangling = 0;          ///< of all vertices without an out-arc
    std::vector<float> offered;  ///< by position: what it offers (prepared), or its rank
};
inline Start starting_state(const Problem& problem, bool prepared) {
    const NeighbourPlan& plan = problem.plan;
    Start start;
    if (plan.vertices == 0) return start;
    start.rank = static_cast<float>(1.0 / plan.vertices);
    start.offered.resize(plan.vertices, start.rank);
    for (VertexId v = 0; v < plan.vertices; ++v) {
        const EdgeId degree = plan.out[v + EdgeId{1}] - plan.out[v];
        if (degree == 0) start.dangling += to_units(start.rank * whole);
        if (prepared) start.offered[v] = PageRankOperator<true>::offered(start.rank, degree);
    }
    return start;
}

/// The operator of the first round, without its arrays.
template <bool Prepared>
PageRankOperator<Prepared> make_operator(const Problem& problem, OffsetsView out, Units dangling) {
    PageRankOperator<Prepared> op{};
    const double n = problem.plan.vertices;
    op.out = out;
    op.start = (1 - problem.damping) / n;
    op.damping = problem.damping;
    op.dangling_share = problem.dangling == Dangling::spread ? problem.damping / n : 0;
    op.tolerance = problem.tolerance;
    op.rounds = problem.rounds;
    op.measured = problem.measured;
    op.set_base(dangling);
    return op;
}

inline Round round_of(Units dangling, Units change, double seconds) {
    constexpr double unit = 0x1p-62;
    return {seconds, static_cast<double>(change) * unit, static_cast<double>(dangling) * unit};
}

/// Bytes of ranks and accumulators.
inline EdgeId state_bytes(const NeighbourPlan& plan) {
    return EdgeId{plan.vertices} * (8 + (plan.prepared ? 4 : 0) + (plan.scatters() ? 8 : 0));
}

}  // namespace lockstep::pagerank
