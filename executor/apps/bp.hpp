// The operator of belief propagation, as in SIMD-X (Liu and Huang, ATC 2019). In each round, the new belief
// of a vertex is the sum of its in-neighbours' beliefs, each multiplied by the likelihood of the connecting
// arc, which is the arc's weight:
//
//     belief(v) <- (sum over arcs u -> v of likelihood(u -> v) belief(u)) / growth
//
// In the paper, the beliefs grow from round to round until they overflow. Here all sums of a round are
// divided by their total, the growth of the round, so that all beliefs add up to 1. The growth is recorded.
// If no vertex with a belief has an out-arc any more (in a graph without cycles), all beliefs become 0.
//
// Beliefs are 32-bit floats. Sums are exact, in fixed point, so that all strategies give bitwise identical
// results. The CUDA compiler includes this file too.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "apps/frame/iteration_fwd.hpp"
#include "lockstep/executor/arc/fixed_point.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep::bp {

/// The measurements of one round of belief propagation.
struct Round {
    double seconds = 0;
    double growth = 0;  ///< total of all sums that the next round computes, by which it divides them
};

/// Sums of the likelihoods of each vertex's out-arcs. A belief b at a vertex with the sum s adds s b to the
/// total of the next round, so the growth is known before that round begins.
struct LikelihoodSums {
    std::vector<float> shares;  ///< sum of each vertex, divided by the largest sum
    double largest = 0;
    double first = 0;  ///< mean of the sums of all vertices, which is the growth of the first round

    explicit LikelihoodSums(const Graph& graph);
};

struct BeliefOperator : arc::FixedPointSums {
    struct Tally {
        Sum passed;  ///< sum over all vertices of share times belief, as a fixed-point number
    };

    const LikelihoodSums* vertices;  ///< sums of all vertices, in host memory; used only by start()
    const float* share;
    const float* from;
    float* to;
    /// Factor of beliefs: number of fixed-point units in 1, divided by the growth of this round.
    float scale;
    double largest;
    std::uint64_t rounds;  ///< number of rounds left, including this one

    BeliefOperator() = default;
    BeliefOperator(const LikelihoodSums& passed, std::uint64_t all)
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
    Round make_report(const Tally& tally, double seconds) const { return {seconds, growth(tally)}; }

    LOCKSTEP_HD Value offer(VertexId u) const { return multiply(from[u], scale); }
    LOCKSTEP_HD static Value weigh_message(Value offer, float likelihood) {
        return std::trunc(multiply(offer, likelihood));
    }
    static bool exact(FastSum sum) { return whole_units_exact(sum); }

    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        to[v] = static_cast<float>(real(sum));
        tally.passed += to_sum(multiply(multiply(to[v], share[v]), units));
    }
    LOCKSTEP_HD bool next_round(const Tally& tally) {
        if (--rounds == 0) return false;
        float* const written = to;
        to = const_cast<float*>(from);
        from = written;
        set_growth(growth(tally));
        return true;
    }
    LOCKSTEP_HD void end_after_next_round() { rounds = 1; }

    LOCKSTEP_HD double growth(const Tally& tally) const { return real(tally.passed) * largest; }
    /// Sets the factor by which the sum of all beliefs grows in the next round. A factor below 2^-40 of
    /// the largest sum of likelihoods of a vertex is treated as 0, so that `scale` remains a finite float.
    LOCKSTEP_HD void set_growth(double growth) {
        scale = growth > largest * 0x1p-40 ? static_cast<float>(units / growth) : 0.0F;
    }
};

using Outcome = ArcOutcome<Round>;
/// Runs belief propagation. Throws the errors of run_arcs(), and Error (bad_input) if a weight is not a
/// likelihood that refused_likelihood() accepts.
Outcome run_beliefs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                    const ArcOptions& options, const RunCallbacks& callbacks);

/// Returns the first edge whose weight is neither 0 nor in [1e-6, 1e12], so it cannot be a likelihood;
/// edges() if all weights are likelihoods. O(edges).
EdgeId refused_likelihood(const Graph& graph);

/// Serial reference: returns the beliefs of all vertices after the given number of rounds, which begin with
/// equal beliefs. The optional function `on_round` is called after each round, and ends the computation by
/// returning false. O(rounds (arcs + vertices)).
std::vector<double> reference_beliefs(const Graph& graph, std::uint64_t rounds,
                                      const std::function<bool(const Round&)>& on_round = {});

}  // namespace lockstep::bp
