// The operators of PageRank (Verstraaten et al., equation 1), with d the damping and n the number of
// vertices:
//
//     rank(v) <- (1 - d) / n + d (sum over arcs u -> v of rank(u) / outdegree(u)) + d (dangling mass) / n
//
// The dangling mass is the total rank of the vertices without an out-arc. Ranks are 32-bit floats with 24
// significant bits. The type `Sums` selects how the messages are added: exactly, in fixed point, so that all
// strategies give bitwise identical results; or as floats, as in the paper. The totals over all vertices are
// exact in both cases.
//
// If `Prepared` (NoDiv in the paper), finish() divides the rank of a vertex by its degree once per round, and
// stores the quotient as the vertex's message. Otherwise, offer() divides; walks that pull or visit edges
// call it once per arc. The CUDA compiler includes this file too.
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
    /// The rank of vertices without an out-arc is distributed equally to all vertices, so all ranks add up to
    /// 1.
    spread,
    lost,  ///< the rank of vertices without an out-arc is lost, as in equation 1 of the paper
};

struct Parameters {
    double damping = 0.85;
    Dangling dangling = Dangling::spread;
    /// Iteration stops if the ranks of two rounds have an L1 distance of at most this value; 0: never.
    double tolerance = 0;
    double until = 0;  ///< iteration stops if no message changes by more than this relative amount; 0: never
    /// Threshold of the strategy pull-push with `until`: if at most this share of all arcs carries a changed
    /// message, a round pushes only these messages; otherwise it pulls all messages.
    double push_share = 0.2;
    /// Whether messages are added as 32-bit floats, as in the paper; not with `until`.
    bool float_sums = false;
};

/// The measurements of one round of PageRank.
struct Round {
    double seconds = 0;
    double change = 0;  ///< L1 distance between the ranks after and before the round, if there is a tolerance
    double dangling = 0;  ///< total rank of the vertices without an out-arc
    // The next two members are for runs with `until`.
    /// Number of vertices whose message for the next round differs from their message in this round.
    std::uint64_t changed = 0;
    std::uint64_t active = 0;  ///< number of arcs in this round that carry a changed message
};

template <bool Prepared, class Sums = arc::FixedPointSums>
struct PageRankOperator : Sums {
    using typename Sums::Sum, typename Sums::Value;
    using Exact = arc::FixedPointSums;
    /// Totals of a round over all vertices, as in Round, but as fixed-point numbers.
    struct Tally {
        Exact::Sum dangling, change;
    };

    OffsetsView out;
    const float* from;  ///< Prepared: the message of each vertex, in fixed-point units; otherwise its rank
    float* to;          ///< Prepared: the message of each vertex for the next round; otherwise its next rank
    /// Prepared: the ranks, which are written in the last round, and in every round if `measured`.
    float* rank;
    float first;            ///< rank of every vertex before the first round
    double teleport;        ///< (1 - d) / n
    double dangling_share;  ///< d / n if the mass of dangling vertices is spread, 0 if it is lost
    double base;    ///< constant term of this round: teleport, and each vertex's share of the dangling mass
    bool measured;  ///< whether the L1 distance between the ranks of two rounds is computed
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
    static Round make_report(const Tally& tally, double seconds) {
        return {seconds, Exact::real(tally.change), Exact::real(tally.dangling)};
    }

    LOCKSTEP_HD static Exact::Sum exact_of(float rank) { return Exact::to_sum(multiply(rank, Exact::units)); }
    LOCKSTEP_HD static float share(float rank, EdgeId degree) {
        return multiply(rank / static_cast<float>(degree), Sums::units);
    }
    /// Returns the message of a vertex (its rank divided by its out-degree), in whole fixed-point units; 0 if
    /// the vertex has no out-arc.
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
    LOCKSTEP_HD void end_after_next_round() { rounds = 1; }
    LOCKSTEP_HD void set_base(Exact::Sum dangling) { base = Exact::plus(teleport, dangling_share, dangling); }
};

/// PageRank until every rank is stable. A vertex sends a new message only if the new message differs from its
/// last message by more than the relative amount `until`. The dangling mass is distributed again by the same
/// rule. The iteration ends when no message changes. Every rank r then differs by less than `until` r from
/// the rank that the current ranks of the in-neighbours would give.
///
/// The iteration ends for any `until` > 0. The sum of the changes of all ranks in a round is at most the
/// damping times the sum of the changes of the messages before. Between two changes of a message, the ranks
/// behind it change by at least as much as the message does. So the changes of all messages in all rounds
/// have a finite sum, and each new message contributes at least `until` times its value to the sum.
struct StableRanks : PageRankOperator<true> {
    /// Totals of a round. `changed` is the number of vertices whose message changes for the next round, and
    /// `changed_arcs` is the number of their out-arcs. `active_arcs` is the number of arcs that carry a
    /// changed message in this round.
    struct Tally {
        Sum dangling;
        std::uint64_t changed, changed_arcs, active_arcs;
    };

    float until;
    EdgeId max_pushed;  ///< maximum number of arcs with a changed message for which a round pushes
    EdgeId active;      ///< number of arcs with a changed message in this round
    /// Dangling mass that was last distributed to all vertices; at first, the mass before the first round.
    double sent;

    StableRanks() = default;
    StableRanks(const Parameters& p, std::uint64_t all, const arc::Arcs& graph)
        : PageRankOperator<true>(p, all, graph),
          until(static_cast<float>(p.until)),
          max_pushed(static_cast<EdgeId>(p.push_share * static_cast<double>(graph.arcs))),
          active(graph.arcs),
          sent(dangling_share > 0 ? (base - teleport) / dangling_share : 0) {}

    static Round make_report(const Tally& tally, double seconds) {
        return {seconds, 0, real(tally.dangling), tally.changed, tally.active_arcs};
    }
    LOCKSTEP_HD Sum change(VertexId u) const { return to_sum(from[u]) - to_sum(to[u]); }
    LOCKSTEP_HD bool few() const { return active <= max_pushed; }

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

/// Calls `run` with the operator that the strategy and the parameters require, and returns the result of the
/// call.
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
/// Runs PageRank. Throws the errors of run_arcs(), and Error (usage) if a parameter is out of range.
Outcome run_pagerank(const Graph& graph, const Strategy& strategy, const Schedule* schedule,
                     const Parameters& parameters, const ArcOptions& options, const RunCallbacks& callbacks);

/// Serial reference: returns the ranks after the given number of iterations of equation 1, which begin with
/// equal ranks. The optional function `on_round` receives the L1 distance between the ranks before and after
/// each iteration, and ends the computation by returning false. Computes in double precision and shares no
/// code with the walks and the operators. O(rounds (arcs + vertices)).
std::vector<double> reference_ranks(const Graph& graph, std::uint64_t rounds, const Parameters& parameters,
                                    const std::function<bool(const Round&)>& on_round = {});

/// Returns for each rank a bound on the error due to rounding, if messages are added as floats in any order.
/// The sum of k positive numbers has a relative error of at most k u / (1 - k u), with u = 2^-24 (Higham,
/// Accuracy and Stability of Numerical Algorithms, section 4.2), in addition to the errors of its terms.
/// Serial, O(rounds arcs).
std::vector<double> rounding_bounds(const Graph& graph, std::uint64_t rounds, const Parameters& parameters);
/// Verifies the ranks after `rounds` iterations against the serial reference, with check_values(). If
/// messages are added as floats, the bounds of rounding_bounds() are allowed in addition. If the dangling
/// mass is distributed, the sum of all ranks must be 1, with an error of at most 1e-6 plus the sum of these
/// bounds. Serial, O(rounds arcs).
ArcCheck check_ranks(const Graph& graph, const std::vector<float>& ranks, std::uint64_t rounds,
                     const Parameters& parameters);

/// Returns true if a run with `until` ended because no message changed, and not by its maximum number of
/// rounds.
bool is_stable(const ArcRun& run);
/// Verifies the ranks of a run with `until`: one iteration of the serial reference must change no rank by
/// more than the relative amount `until`, plus 2e-6 for rounding. If the dangling mass is distributed, the
/// sum of all ranks must differ from 1 by at most this amount divided by (1 - damping). Serial, O(arcs).
ArcCheck check_stable(const Graph& graph, const std::vector<float>& ranks, const Parameters& parameters);

}  // namespace lockstep::pagerank
