// PageRank: the update of one vertex along its arcs. The CUDA compiler includes this file too.
//
//     rank(v) <- (1 - d) / n + d (sum over arcs u -> v of rank(u) / outdegree(u)) + d (dangling mass) / n
//
// (Verstraaten et al., equation 1). Ranks are 32-bit floats, rounded at 2^-24 of their size. `Sums` are
// exact, in fixed point, so that all strategies give bitwise identical results; or they are sums of floats,
// as in the paper. The totals of a round over all vertices are exact in both cases.
//
// If `Prepared` (NoDiv in the paper), `finish` divides the rank of a vertex once and stores it as the
// vertex's message. Otherwise, `offer` divides, which the walks that pull or go over edges call once per arc.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "apps/frame/iteration_fwd.hpp"
#include "lockstep/executor/arc/fixed_point.hpp"
#include "lockstep/executor/arc/float_sums.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep::pagerank {

enum class Dangling {
    spread,  ///< the rank of vertices without an out-arc goes to all vertices alike: ranks add up to 1
    lost,    ///< the rank of vertices without an out-arc is lost, as in equation 1 of the paper
};

struct Parameters {
    double damping = 0.85;
    Dangling dangling = Dangling::spread;
    double tolerance = 0;  ///< stop when two rounds differ by at most this (L1); 0: never
    double until = 0;      ///< stop when no message changes by more than this relative amount; 0: never
    /// Pull-push, with `until`: a round pushes if at most this share of arcs has a change.
    double push_share = 0.2;
    bool float_sums = false;  ///< sums of 32-bit floats, as in the paper; not with `until`
};

/// The record of a round.
struct Round {
    double seconds = 0;
    double change = 0;    ///< L1 distance to the ranks before the round, if there is a tolerance
    double dangling = 0;  ///< total rank of vertices without an out-arc
    // Members for runs with `until`:
    std::uint64_t changed = 0;  ///< number of vertices whose message changes for the next round
    std::uint64_t active = 0;   ///< number of arcs whose message had changed
};

template <bool Prepared, class Sums = arc::FixedPointSums>
struct PageRankOperator : Sums {
    using typename Sums::Sum, typename Sums::Value;
    using Exact = arc::FixedPointSums;
    /// The same totals as in Round, in units of exact sums.
    struct Tally {
        Exact::Sum dangling, change;
    };

    OffsetsView out;
    const float* from;      ///< Prepared: message of each vertex, in units; else its rank
    float* to;              ///< Prepared: message of each vertex in the next round; else its next rank
    float* rank;            ///< Prepared: ranks, written in measured rounds and in the last one
    float first;            ///< rank of every vertex before the first round
    double teleport;        ///< (1 - d) / n
    double dangling_share;  ///< d / n if the mass of dangling vertices is spread, 0 if it is lost
    double base;            ///< term of this round: teleport, and the dangling vertices' share
    bool measured;          ///< whether the L1 distance is computed
    Parameters parameters;
    std::uint64_t rounds;  ///< number of rounds left, including this one

    PageRankOperator() = default;
    PageRankOperator(const Parameters& p, std::uint64_t all, const arc::Arcs& graph)
        : first(static_cast<float>(1.0 / graph.vertices)),
          teleport((1 - p.damping) / graph.vertices),
          dangling_share(p.dangling == Dangling::spread ? p.damping / graph.vertices : 0),
          measured(p.tolerance > 0),
          parameters(p),
          rounds(all) {
        Exact::Sum dangling = 0;
        for (VertexId v = 0; v < graph.vertices; ++v) {
            if (graph.out.view().degree(v) == 0) dangling += exact_of(first);
        }
        set_base(dangling);
    }
    void start(arc::Memory& memory) {
        out = memory.out;
        from = memory.array(
            [&](VertexId v) { return Prepared ? prepared(first, memory.arcs.out.view().degree(v)) : first; });
        to = memory.array([](VertexId) { return 0.0F; });
        if (Prepared) rank = memory.array([&](VertexId) { return first; });
    }
    const float* result() const { return Prepared ? rank : to; }
    float* offered() const { return to; }
    static Round told(const Tally& tally, double seconds) {
        return {seconds, Exact::real(tally.change), Exact::real(tally.dangling)};
    }

    LOCKSTEP_HD static Exact::Sum exact_of(float rank) { return Exact::lift(multiply(rank, Exact::units)); }
    LOCKSTEP_HD static float share(float rank, EdgeId degree) {
        return multiply(rank / static_cast<float>(degree), Sums::units);
    }
    /// Returns the message of a vertex in whole units; 0 if the vertex has no out-arc.
    LOCKSTEP_HD static float prepared(float rank, EdgeId degree) {
        return degree == 0 ? 0.0F : Sums::whole_units(share(rank, degree));
    }
    LOCKSTEP_HD Value offer(VertexId u) const { return Prepared ? from[u] : share(from[u], out.degree(u)); }
    static bool exact(double sum) requires Prepared { return Sums::whole_units_exact(sum); }

    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        const float next = static_cast<float>(Sums::plus(base, parameters.damping, sum));
        const EdgeId degree = out.degree(v);
        if (degree == 0) tally.dangling += exact_of(next);
        if (measured) tally.change += exact_of(std::fabs(next - (Prepared ? rank[v] : from[v])));
        to[v] = Prepared ? prepared(next, degree) : next;
        if (Prepared && (measured || rounds == 1)) rank[v] = next;
    }
    LOCKSTEP_HD bool next_round(const Tally& tally) {
        const bool converged = measured && Exact::real(tally.change) <= parameters.tolerance;
        if (--rounds == 0 || converged) return false;
        float* const written = to;
        to = const_cast<float*>(from);
        from = written;
        set_base(tally.dangling);
        return true;
    }
    LOCKSTEP_HD void make_last() { rounds = 1; }
    LOCKSTEP_HD void set_base(Exact::Sum dangling) { base = Exact::plus(teleport, dangling_share, dangling); }
};

/// PageRank until every rank is stable. A vertex sends a new message only if the message differs by more than
/// the relative amount `until` from the last message that the vertex sent; the dangling vertices together do
/// the same. The rounds end when no message changes. Each rank is then off by less than `until` of itself
/// from the rank that its in-neighbours' ranks give.
///
/// The rounds end for any `until` > 0. The changes of a round add up to at most the damping times the changes
/// of the messages before, and a message changes by no more than the ranks behind it have changed since its
/// last change. So all changes of all rounds add up to a finite sum, of which each new message takes at least
/// `until` of itself.
struct StableRanks : PageRankOperator<true> {
    /// Number of vertices whose message changes for the next round, number of their arcs, and number of arcs
    /// with a change in this round.
    struct Tally {
        Sum dangling;
        std::uint64_t changed, changed_arcs, active_arcs;
    };

    float until;
    EdgeId most_pushed;  ///< a round with at most this number of arcs with a change pushes
    EdgeId active;       ///< number of arcs with a change in this round
    double sent;  ///< rank of the dangling vertices that was last spread, including before the first round

    StableRanks() = default;
    StableRanks(const Parameters& p, std::uint64_t all, const arc::Arcs& graph)
        : PageRankOperator<true>(p, all, graph),
          until(static_cast<float>(p.until)),
          most_pushed(static_cast<EdgeId>(p.push_share * static_cast<double>(graph.arcs))),
          active(graph.arcs),
          sent(dangling_share > 0 ? (base - teleport) / dangling_share : 0) {}

    static Round told(const Tally& tally, double seconds) {
        return {seconds, 0, real(tally.dangling), tally.changed, tally.active_arcs};
    }
    LOCKSTEP_HD Sum change(VertexId u) const { return lift(from[u]) - lift(to[u]); }
    LOCKSTEP_HD bool few() const { return active <= most_pushed; }

    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        const float next = static_cast<float>(plus(base, parameters.damping, sum)), before = from[v];
        const EdgeId degree = out.degree(v);
        if (degree == 0) tally.dangling += exact_of(next);
        if (v == 0) tally.active_arcs += active;
        const float offered = prepared(next, degree);
        const bool changes = std::fabs(offered - before) > multiply(until, before);
        if (changes) ++tally.changed, tally.changed_arcs += degree;
        to[v] = changes ? offered : before;
        rank[v] = next;
    }
    LOCKSTEP_HD bool next_round(const Tally& tally) {
        const double dangling = real(tally.dangling);
        const bool spreads = dangling_share > 0 && std::fabs(dangling - sent) > parameters.until * sent;
        if (--rounds == 0 || (tally.changed == 0 && !spreads)) return false;
        float* const written = to;
        to = const_cast<float*>(from);
        from = written;
        active = tally.changed_arcs;
        if (spreads) {
            sent = dangling;
            set_base(tally.dangling);
        }
        return true;
    }
};

/// Returns run(op) for the operator of the strategy and the parameters.
template <class Run>
auto run_operator(const Strategy& strategy, const Parameters& parameters, std::uint64_t rounds,
                  const arc::Arcs& arcs, const Run& run) {
    const auto run_with = [&]<class Sums>() {
        return strategy.prepared ? run(PageRankOperator<true, Sums>(parameters, rounds, arcs))
                                 : run(PageRankOperator<false, Sums>(parameters, rounds, arcs));
    };
    return parameters.until > 0    ? run(StableRanks(parameters, rounds, arcs))
           : parameters.float_sums ? run_with.template operator()<arc::FloatSums>()
                                   : run_with.template operator()<arc::FixedPointSums>();
}

using Outcome = ArcOutcome<Round>;
/// Runs PageRank. Throws as run_arcs(), and Error (usage) if the parameters are impossible.
Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const Parameters& parameters, const ArcOptions& options, const RunCallbacks& callbacks);

/// Returns the ranks after rounds of equation 1 of the paper, which begin with equal ranks. `on_round`
/// (optional) receives the L1 distance of the last two rounds, and ends the rounds by returning false. The
/// reference is serial, in double precision, pushes along the rows of the graph, and shares no code with the
/// walks or the operator. O(rounds (arcs + vertices)).
std::vector<double> reference_ranks(const Graph& graph, std::uint64_t rounds, const Parameters& parameters,
                                    const std::function<bool(const Round&)>& on_round = {});

/// Returns a bound for each rank on the error that rounding of float sums can cause in this number of rounds,
/// with any order of additions. A sum of k positive numbers has a relative error of at most k u / (1 - k u),
/// u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, section 4.2), and inherits the errors
/// of its terms. O(rounds arcs), serial.
std::vector<double> rounding_bounds(const Graph& graph, std::uint64_t rounds, const Parameters& parameters);
/// Checks the ranks of all vertices after `rounds` rounds with check_values(), to which sums of floats add
/// the bounds above. If dangling ranks are spread, the sum of all ranks must be within 1e-6 of 1, plus these
/// bounds. O(rounds arcs), serial.
ArcCheck check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                     const Parameters& parameters);

/// Returns true if a run with `until` has ended because the ranks are stable.
bool is_stable(const ArcRun& run);
/// Checks the ranks of a run with `until`: one step of the reference must change no rank by more than this
/// relative amount (plus 2e-6 for rounding). If dangling ranks are spread, the sum of all ranks must be
/// within that amount / (1 - damping) of 1. O(arcs), serial.
ArcCheck check_stable(const Graph& graph, const std::vector<float>& ranks, const Parameters& parameters);

}  // namespace lockstep::pagerank
