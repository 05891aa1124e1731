// Operators other than PageRank's for the walks along arcs.
#pragma once

#include <atomic>

#include "../../samples/operators/labels.hpp"
#include "lockstep/executor/arc/fixed_point.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep::test {

using LabelOperator = ::Labels;

/// An operator that counts: the sources that offered a value to each vertex, and how often the vertex was
/// finished. So it finds a vertex that two workers finish, and an arc that is visited twice or not at all. It
/// runs three rounds.
struct CountOperator {
    using Value = std::uint64_t;
    using Sum = std::uint64_t;
    struct Tally {
        std::uint64_t conflicts;  ///< number of vertices that were finished more than once in the round
    };
    struct Counted {
        std::uint32_t finished;  ///< number of times in all rounds
        std::uint64_t offered;   ///< sum of the sources' signatures over the rounds
        bool operator==(const Counted&) const = default;
    };

    static constexpr std::uint32_t all_rounds = 3;
    Counted* counted;
    std::uint32_t round;

    /// Returns a number that differs for each vertex and round, so that sums show which arcs were visited.
    LOCKSTEP_HD static std::uint64_t signature(VertexId u, std::uint32_t round) {
        const std::uint64_t x = (u + std::uint64_t{1}) * 0x9e3779b97f4a7c15U + round * 0xbf58476d1ce4e5b9U;
        return (x ^ x >> 31) * 0x94d049bb133111ebU;
    }
    void start(arc::Memory& memory) {
        round = 0;
        counted = memory.array([](VertexId) { return Counted{0, 0}; });
    }
    const Counted* result() const { return counted; }
    static Tally make_report(const Tally& tally, double) { return tally; }
    LOCKSTEP_HD Value offer(VertexId u) const { return signature(u, round); }
    LOCKSTEP_HD static Sum identity() { return 0; }
    LOCKSTEP_HD static Sum to_sum(Value value) { return value; }
    LOCKSTEP_HD static Sum combine(Sum a, Sum b) { return a + b; }
    LOCKSTEP_HD static void combine_atomically(Sum* sum, Sum value) {
#if defined(__CUDA_ARCH__)
        atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
#else
        std::atomic_ref(*sum).fetch_add(value);
#endif
    }
    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
#if defined(__CUDA_ARCH__)
        const std::uint32_t before = atomicAdd(&counted[v].finished, 1U);
#else
        const std::uint32_t before = std::atomic_ref(counted[v].finished).fetch_add(1);
#endif
        tally.conflicts += before != round;
        combine_atomically(&counted[v].offered, sum);
    }
    LOCKSTEP_HD bool next_round(const Tally&) { return ++round < all_rounds; }
    LOCKSTEP_HD void end_after_next_round() { round = all_rounds - 1; }
};

/// Returns the number of times that CountOperator finds a vertex finished twice, on a GPU with a plan whose
/// tiles share targets.
std::uint64_t planted_conflicts(const arc::Tiles& plan);

}  // namespace lockstep::test
