// PageRank on one vertex: the work of the application in neighbour iteration.
//
//     rank(v) <- (1 - d) / n + d (sum over arcs u -> v of rank(u) / outdegree(u)) + d (dangling mass) / n
//
// (Verstraaten et al., equation 1). Ranks are 32-bit floats. Sums are exact: a value is a number of *units*
// of which 2^62 are the whole rank, cut to a whole number, so that the order of addition is free and every
// traversal, device and number of threads gives the same bits. What is cut off is below 2^-62 an arc, which
// on 10^9 arcs adds up to less than 10^-9; the ranks themselves are rounded at 2^-24 of their size.
//
// `Prepared` (the source's NoDiv): what a vertex offers is divided once, by its `finish`, and stored;
// otherwise `offer` divides, once an arc on pull and edges.
#pragma once

#include <atomic>
#include <cmath>

#include "lockstep/executor/neighbours.hpp"

namespace lockstep::pagerank {

using Units = std::int64_t;
inline constexpr float whole = 0x1p62F;  ///< units of rank 1

LOCKSTEP_HD Units to_units(float value) {
#if defined(__CUDA_ARCH__)
    return __float2ll_rz(value);
#else
    return static_cast<Units>(value);
#endif
}

template <bool Prepared>
struct PageRankOperator {
    using Value = float;  ///< in units
    using Sum = Units;
    /// Rank of vertices without an out-arc, and L1 distance to the last round (where measured), in units.
    struct Tally {
        Units dangling, change;
    };

    OffsetsView out;
    const float* from;  ///< Prepared: what each vertex offers; else its rank
    float* to;          ///< the same, of the next round
    float* rank;        ///< Prepared: ranks, written in measured rounds and in the last one
    Units* incoming;    ///< push and edges: zero between rounds
    double start;       ///< (1 - d) / n
    double damping;
    double dangling_share;  ///< d / n where the mass of dangling vertices is spread, 0 where it is lost
    double base;            ///< of this round: start, and the dangling vertices' share
    double tolerance;       ///< stop at this L1 distance; 0: never
    std::uint64_t rounds;   ///< left, this one included
    bool measured;          ///< whether the L1 distance is taken

    LOCKSTEP_HD static float share(float value, EdgeId degree) {
#if defined(__CUDA_ARCH__)
        return __fmul_rn(__fdiv_rn(value, static_cast<float>(degree)), whole);
#else
        return value / static_cast<float>(degree) * whole;
#endif
    }

    /// What Prepared stores: whole units, or nothing where there is no arc to give them to.
    LOCKSTEP_HD static float offered(float rank, EdgeId degree) {
        return degree == 0 ? 0.0F : std::trunc(share(rank, degree));
    }

    LOCKSTEP_HD Value offer(VertexId u) const {
        if constexpr (Prepared) {
            return from[u];
        } else {
            return share(from[u], out[u + EdgeId{1}] - out[u]);
        }
    }
    LOCKSTEP_HD static Sum identity() { return 0; }
    LOCKSTEP_HD static Sum lift(Value value) { return to_units(value); }
    LOCKSTEP_HD static Sum combine(Sum a, Sum b) { return a + b; }
    static Sum without(Sum a, Sum b) { return a - b; }
    /// Double precision adds the whole units of Prepared exactly, in any order, as long as they come to less
    /// than 2^53 (2^-9 of the whole rank). Otherwise some addition reached 2^53; none is negative, and
    /// rounding is monotone, so that the sum stays there and shows it.
    using Quick = double;
    static bool exact(Quick sum) requires Prepared { return sum < 0x1p53; }
    LOCKSTEP_HD static void combine_atomically(Sum* sum, Sum value) {
#if defined(__CUDA_ARCH__)
        atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
#else
        std::atomic_ref(*sum).fetch_add(value, std::memory_order_relaxed);
#endif
    }
    LOCKSTEP_HD Sum* accumulator(VertexId v) const { return incoming + v; }

    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        const float next = rank_of(sum);
        const EdgeId degree = out[v + EdgeId{1}] - out[v];
        if (degree == 0) tally.dangling += to_units(next * whole);
        if (measured) tally.change += to_units(std::fabs(next - (Prepared ? rank[v] : from[v])) * whole);
        if constexpr (Prepared) {
            to[v] = offered(next, degree);
            if (measured || rounds == 1) rank[v] = next;
        } else {
            to[v] = next;
        }
    }
    LOCKSTEP_HD float rank_of(Sum sum) const {
        constexpr double unit = 0x1p-62;
#if defined(__CUDA_ARCH__)
        return static_cast<float>(
            __dadd_rn(base, __dmul_rn(damping, __dmul_rn(static_cast<double>(sum), unit))));
#else
        return static_cast<float>(base + damping * (static_cast<double>(sum) * unit));
#endif
    }

    LOCKSTEP_HD bool advance(const Tally& tally) {
        constexpr double unit = 0x1p-62;
        const bool converged = tolerance > 0 && static_cast<double>(tally.change) * unit <= tolerance;
        if (--rounds == 0 || converged) return false;
        const float* const written = to;
        to = const_cast<float*>(from);
        from = written;
        set_base(tally.dangling);
        return true;
    }
    LOCKSTEP_HD void make_last() { rounds = 1; }
    LOCKSTEP_HD void set_base(Units dangling) {
        constexpr double unit = 0x1p-62;
#if defined(__CUDA_ARCH__)
        base = __dadd_rn(start, __dmul_rn(dangling_share, __dmul_rn(static_cast<double>(dangling), unit)));
#else
        base = start + dangling_share * (static_cast<double>(dangling) * unit);
#endif
    }
};

}  // namespace lockstep::pagerank
