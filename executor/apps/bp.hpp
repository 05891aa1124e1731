// Belief propagation on one vertex, as in SIMD-X (Liu, Huang, ATC 2019). The belief of a vertex is the sum of
// its in-neighbours' beliefs, each times the likelihood of the edge, which is its weight. The CUDA compiler
// includes this file too.
//
//     belief(v) <- (sum over arcs u -> v of likelihood(u -> v) belief(u)) / growth
//
// In the paper the sums grow until they overflow. Here all beliefs add up to 1 after every round, and the
// growth, by which the sums are divided, is recorded. When no belief is passed on any more (in a graph
// without cycles), all beliefs are 0. Beliefs are 32-bit floats; sums are exact, in fixed point, so that all
// strategies give bitwise identical results.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "apps/frame/iteration_fwd.hpp"
#include "lockstep/executor/arc/fixed_point.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep::bp {

/// The record of a round.
struct Round {
    double seconds = 0;
    double growth = 0;  ///< sum of all beliefs after one more round, before the division
};

/// The factor by which each vertex passes on its belief: the sum of the likelihoods of its out-arcs.
struct Passed {
    std::vector<float> shares;  ///< the sum of each vertex, relative to the largest
    double largest = 0;
    double first = 0;  ///< mean of the sums of all vertices

    explicit Passed(const Graph& graph);
};

struct BeliefOperator : arc::FixedPointSums {
    struct Tally {
        Sum passed;  ///< sum of shares times beliefs, in units
    };

    const Passed* vertices;  ///< the sums by vertex, in host memory
    const float* share;
    const float* from;
    float* to;
    float scale;  ///< units divided by the growth
    double largest;
    std::uint64_t rounds;  ///< number of rounds left, including this one

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
    /// Sets the growth of a round. If it is less than 2^-40 of the maximum, it counts as 0, so that `scale`
    /// stays a finite float.
    LOCKSTEP_HD void set_growth(double growth) {
        scale = growth > largest * 0x1p-40 ? static_cast<float>(units / growth) : 0.0F;
    }
};

using Outcome = ArcOutcome<Round>;
/// Runs belief propagation. Throws as run_arcs(), and Error (bad_input) if a weight is not a likelihood.
Outcome run_beliefs(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                    const ArcOptions& options, const RunCallbacks& callbacks);

/// Returns the first edge whose weight is not a likelihood; edges() if there is none. O(edges).
EdgeId refused_likelihood(const Graph& graph);

/// Returns the beliefs after rounds along the rows of the graph, which begin with equal beliefs. `on_round`
/// (optional) ends the rounds by returning false. O(rounds (arcs + vertices)).
std::vector<double> reference_beliefs(const Graph& graph, std::uint64_t rounds,
                                      const std::function<bool(const Round&)>& on_round = {});

}  // namespace lockstep::bp
