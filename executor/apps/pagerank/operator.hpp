// PageRank on one vertex: the application's work along arcs.
//
//     rank(v) <- (1 - d) / n + d (sum over arcs u -> v of rank(u) / outdegree(u)) + d (dangling mass) / n
//
// (Verstraaten et al., equation 1). Ranks are 32-bit floats, rounded at 2^-24 of their size. `Sums` are exact,
// in fixed point, so that every strategy gives the same bits; or of floats, as in the source. What a round
// counts over all vertices is exact either way.
//
// `Prepared` (the source's NoDiv): what a vertex offers is divided once, by its `finish`, and stored;
// otherwise `offer` divides, once an arc on pull and edges.
#pragma once

#include <cmath>

#include "lockstep/executor/arc/fixed_point.hpp"
#include "lockstep/executor/arc/float_sums.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep::pagerank {

enum class Dangling {
    spread,  ///< the rank of vertices without an out-arc goes to all vertices alike: ranks add up to 1
    lost,    ///< it goes nowhere, as in the source's equation 1
};

struct Parameters {
    double damping = 0.85;
    Dangling dangling = Dangling::spread;
    std::uint64_t rounds = 30;  ///< at most
    double tolerance = 0;       ///< stop when two rounds differ by at most this (L1); 0: never
    double until = 0;           ///< stop when no offer changes by more than this share of it; 0: never
    double push_share = 0.2;    ///< pull-push, with `until`: arcs with a change up to which they are pushed
    bool float_sums = false;    ///< of 32-bit floats, as the source has them; not with `until`
};

/// What a round did.
struct Round {
    double seconds = 0;
    double change = 0;    ///< L1 distance to the ranks before, where a tolerance asks for it
    double dangling = 0;  ///< rank of vertices without an out-arc
    // With `until`:
    std::uint64_t changed = 0;  ///< vertices that will offer anew
    std::uint64_t active = 0;   ///< arcs that had a change
};

template <bool Prepared, class Sums = arc::FixedPointSums>
struct PageRankOperator : Sums {
    using typename Sums::Sum, typename Sums::Value;
    using Exact = arc::FixedPointSums;
    /// As in Round, in units of exact sums.
    struct Tally {
        Exact::Sum dangling, change;
    };

    OffsetsView out;
    const float* from;      ///< Prepared: what each vertex offers, in units; else its rank
    float* to;              ///< the same, of the next round
    float* rank;            ///< Prepared: ranks, written in measured rounds and in the last one
    float first;            ///< rank of every vertex before the first round
    double teleport;        ///< (1 - d) / n
    double dangling_share;  ///< d / n where the mass of dangling vertices is spread, 0 where it is lost
    double base;            ///< of this round: teleport, and the dangling vertices' share
    bool measured;          ///< whether the L1 distance is taken
    Parameters left;        ///< `rounds` are those left, this one included

    PageRankOperator() = default;
    PageRankOperator(const Parameters& p, const arc::Arcs& graph)
        : first(static_cast<float>(1.0 / graph.vertices)),
          teleport((1 - p.damping) / graph.vertices),
          dangling_share(p.dangling == Dangling::spread ? p.damping / graph.vertices : 0),
          measured(p.tolerance > 0),
          left(p) {
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
    /// Whole units, or nothing where there is no arc to give them to.
    LOCKSTEP_HD static float prepared(float rank, EdgeId degree) {
        return degree == 0 ? 0.0F : Sums::whole_units(share(rank, degree));
    }
    LOCKSTEP_HD Value offer(VertexId u) const { return Prepared ? from[u] : share(from[u], out.degree(u)); }
    static bool exact(double sum) requires Prepared { return Sums::whole_units_exact(sum); }

    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        const float next = static_cast<float>(Sums::plus(base, left.damping, sum));
        const EdgeId degree = out.degree(v);
        if (degree == 0) tally.dangling += exact_of(next);
        if (measured) tally.change += exact_of(std::fabs(next - (Prepared ? rank[v] : from[v])));
        to[v] = Prepared ? prepared(next, degree) : next;
        if (Prepared && (measured || left.rounds == 1)) rank[v] = next;
    }
    LOCKSTEP_HD bool next_round(const Tally& tally) {
        const bool converged = measured && Exact::real(tally.change) <= left.tolerance;
        if (--left.rounds == 0 || converged) return false;
        float* const written = to;
        to = const_cast<float*>(from);
        from = written;
        set_base(tally.dangling);
        return true;
    }
    LOCKSTEP_HD void make_last() { left.rounds = 1; }
    LOCKSTEP_HD void set_base(Exact::Sum dangling) { base = Exact::plus(teleport, dangling_share, dangling); }
};

/// The same until every rank is stable: a vertex offers anew only when its offer has changed by more than a
/// share of it, `until`, since it last did, and so do the dangling vertices together; when nobody does the
/// ranks stand. Each is then off by less than `until` of it from what the ranks of its in-neighbours give it.
///
/// It ends: the changes of a round, added up, are at most the damping times those of the offers before, and
/// an offer changes no more than the ranks behind it have since its last change, so that all changes of all
/// rounds add up to a finite sum, of which each new offer takes at least `until` of itself.
struct StableRanks : PageRankOperator<true> {
    /// Vertices that offer anew in the next round, and their arcs; arcs that had a change in this one.
    struct Tally {
        Sum dangling;
        std::uint64_t changed, changed_arcs, active_arcs;
    };

    float until;
    EdgeId most_pushed;  ///< arcs with a change up to which it is pushed
    EdgeId active;       ///< arcs with a change in this round
    double sent;         ///< of the dangling vertices, before the first round too

    StableRanks() = default;
    StableRanks(const Parameters& p, const arc::Arcs& graph)
        : PageRankOperator<true>(p, graph),
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
        const float next = static_cast<float>(plus(base, left.damping, sum)), before = from[v];
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
        const bool spreads = dangling_share > 0 && std::fabs(dangling - sent) > left.until * sent;
        if (--left.rounds == 0 || (tally.changed == 0 && !spreads)) return false;
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

}  // namespace lockstep::pagerank
