// Operators for the walks along arcs that are not PageRank's.
#pragma once

#include <atomic>

#include "../../samples/operators/labels.hpp"
#include "lockstep/executor/arc/fixed_point.hpp"
#include "lockstep/executor/arc/run.hpp"

namespace lockstep::test {

using LabelOperator = ::Labels;

/// Counts instead of computing: what every vertex was offered and by whom, and how often it was finished. A
/// vertex that two workers finish, or an arc that is walked twice or not at all, shows. Three rounds.
struct CountOperator {
    using Value = std::uint64_t;
    using Sum = std::uint64_t;
    struct Tally {
        std::uint64_t conflicts;  ///< vertices finished more than once in the round
    };
    struct Counted {
        std::uint32_t finished;  ///< times, in all rounds
        std::uint64_t offered;   ///< signatures of the sources, added up over the rounds
        bool operator==(const Counted&) const = default;
    };

    static constexpr std::uint32_t all_rounds = 3;
    Counted* counted;
    std::uint32_t round;

    /// Another for every vertex and round, so that sums tell which arcs were walked.
    LOCKSTEP_HD static std::uint64_t signature(VertexId u, std::uint32_t round) {
        const std::uint64_t x = (u + std::uint64_t{1}) * 0x9e3779b97f4a7c15U + round * 0xbf58476d1ce4e5b9U;
        return (x ^ x >> 31) * 0x94d049bb133111ebU;
    }
    void start(arc::Memory& memory) {
        round = 0;
        counted = memory.array([](VertexId) { return Counted{0, 0}; });
    }
    const Counted* result() const { return counted; }
    static Tally told(const Tally& tally, double) { return tally; }
    LOCKSTEP_HD Value offer(VertexId u) const { return signature(u, round); }
    LOCKSTEP_HD static Sum identity() { return 0; }
    LOCKSTEP_HD static Sum lift(Value value) { return value; }
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
    LOCKSTEP_HD void make_last() { round = all_rounds - 1; }
};

/// How often CountOperator finds that a vertex was finished twice on a GPU whose tiles have targets in
/// common.
std::uint64_t planted_conflicts(const arc::Bins& plan);
std::uint64_t planted_conflicts(const arc::Tiles& plan);

}  // namespace lockstep::test
