// An operator along arcs that finds connected components by passing on the smallest label.
#pragma once

#include <atomic>

#include "lockstep/executor/arc/run.hpp"

/// In each round, a vertex adopts the smallest label among its own and those of its in-neighbours, until no
/// label changes. Each vertex begins with its position as its label. In an undirected graph, all vertices of
/// a component end with the same label, the smallest position in the component.
struct Labels {
    using Value = std::uint32_t;
    using Sum = std::uint32_t;
    struct Tally {
        std::uint64_t changed;
    };

    const std::uint32_t* from;
    std::uint32_t* to;

    void start(lockstep::arc::Memory& memory) {
        from = memory.array([](lockstep::VertexId v) { return v; });
        to = memory.array([](lockstep::VertexId v) { return v; });
    }
    const std::uint32_t* result() const { return from; }
    static Tally make_report(const Tally& tally, double) { return tally; }
    LOCKSTEP_HD Value offer(lockstep::VertexId u) const { return from[u]; }
    LOCKSTEP_HD static Sum identity() { return ~0U; }
    LOCKSTEP_HD static Sum to_sum(Value value) { return value; }
    LOCKSTEP_HD static Sum combine(Sum a, Sum b) { return a < b ? a : b; }
    LOCKSTEP_HD static void combine_atomically(Sum* sum, Sum value) {
#if defined(__CUDA_ARCH__)
        atomicMin(sum, value);
#else
        std::atomic_ref at(*sum);
        for (Sum old = at.load(); value < old && !at.compare_exchange_weak(old, value);) {
        }
#endif
    }
    LOCKSTEP_HD void finish(lockstep::VertexId v, Sum sum, Tally& tally) const {
        to[v] = combine(from[v], sum);
        tally.changed += to[v] != from[v];
    }
    LOCKSTEP_HD bool next_round(const Tally& tally) {
        std::uint32_t* const read = const_cast<std::uint32_t*>(from);
        from = to;
        to = read;
        return tally.changed > 0;
    }
    LOCKSTEP_HD void end_after_next_round() {}
};
