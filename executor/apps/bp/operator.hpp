// Belief propagation on one vertex, as SIMD-X has it (Liu, Huang, ATC 2019): a vertex believes the sum of
// what its in-neighbours believe, each times the likelihood of the edge, which is its weight.
//
//     belief(v) <- (sum over arcs u -> v of likelihood(u -> v) belief(u)) / growth
//
// The source lets the sums grow until they overflow; here all beliefs add up to 1 after every round, and the
// growth, which they were divided by, is told. Once no belief passes on (a graph without circles) all are 0.
// Beliefs are 32-bit floats; sums are exact, in fixed point, so that every strategy gives the same bits.
#pragma once

#include <cmath>
#include <vector>

#include "lockstep/executor/arc/fixed_point.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep::bp {

/// What a round did.
struct Round {
    double seconds = 0;
    double growth = 0;  ///< what all beliefs would add up to after one more round, not divided
};

/// What each vertex passes on of its belief: the sum of the likelihoods of its out-arcs.
struct Passed {
    std::vector<float> shares;  ///< of the largest, by vertex
    double largest = 0;
    double first = 0;  ///< mean over all vertices

    explicit Passed(const Graph& graph);
};

struct BeliefOperator : arc::FixedPointSums {
    struct Tally {
        Sum passed;  ///< shares times beliefs, in units
    };

    const Passed* vertices;  ///< on the host
    const float* share;
    const float* from;
    float* to;
    float scale;  ///< units over the growth
    double largest;
    std::uint64_t rounds;  ///< left, this one included

    BeliefOperator() = default;
    BeliefOperator(const Passed& passed, std::uint64_t all)
        : vertices(&passed), largest(passed.largest), rounds(all) {
        set_growth(passed.first);
    }
    void start(arc::Memory& memory) {
        const auto& order = memory.arcs.order;
        share = memory.array([&](VertexId p) { return vertices->shares[order.empty() ? p : order[p]]; });
        from = memory.array([&](VertexId) { return 1.0F / static_cast<float>(memory.arcs.vertices); });
        to = memory.array([](VertexId) { return 0.0F; });
    }
    const float* result() const { return to; }
    float* offered() const { return to; }
    Round told(const Tally& tally, double seconds) const { return {seconds, growth(tally)}; }

    LOCKSTEP_HD Value offer(VertexId u) const { return multiply(from[u], scale); }
    LOCKSTEP_HD static Value along(Value offer, float likelihood) {
        return std::trunc(multiply(offer, likelihood));
    }
    static bool exact(Quick sum) { return whole_units_exact(sum); }

    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        to[v] = static_cast<float>(real(sum));
        tally.passed += lift(multiply(multiply(to[v], share[v]), units));
    }
    LOCKSTEP_HD bool next_round(const Tally& tally) {
        if (--rounds == 0) return false;
        float* const written = to;
        to = const_cast<float*>(from);
        from = written;
        set_growth(growth(tally));
        return true;
    }
    LOCKSTEP_HD void make_last() { rounds = 1; }

    LOCKSTEP_HD double growth(const Tally& tally) const { return real(tally.passed) * largest; }
    /// Less than 2^-40 of what could be passed on is nothing: `scale` stays a finite float.
    LOCKSTEP_HD void set_growth(double growth) {
        scale = growth > largest * 0x1p-40 ? static_cast<float>(units / growth) : 0.0F;
    }
};

}  // namespace lockstep::bp
