// A second operator for the traversals of neighbour iteration: every vertex takes the smallest label among
// its own and those of its in-neighbours, until nothing changes. On undirected graphs the labels are then
// those of the connected components.
#pragma once

#include <atomic>

#include "lockstep/executor/neighbours.hpp"

namespace lockstep::test {

struct LabelOperator {
    using Value = std::uint32_t;
    using Sum = std::uint32_t;
    struct Tally {
        std::uint64_t changed;
    };

    const std::uint32_t* from;
    std::uint32_t* to;
    std::uint32_t* smallest;
    std::uint64_t rounds;  ///< run so far

    LOCKSTEP_HD Value offer(VertexId u) const { return from[u]; }
    LOCKSTEP_HD static Sum identity() { return ~0U; }
    LOCKSTEP_HD static Sum lift(Value value) { return value; }
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
    LOCKSTEP_HD Sum* accumulator(VertexId v) const { return smallest + v; }
    LOCKSTEP_HD void finish(VertexId v, Sum sum, Tally& tally) const {
        to[v] = combine(from[v], sum);
        tally.changed += to[v] != from[v];
    }
    LOCKSTEP_HD bool advance(const Tally& tally) {
        ++rounds;
        std::uint32_t* const read = const_cast<std::uint32_t*>(from);
        from = to;
        to = read;
        return tally.changed > 0;
    }
    LOCKSTEP_HD void make_last() {}
};

/// The labels at the end, by position in the plan; `*rounds` as many as were run.
std::vector<std::uint32_t> labels_on_cpu(const NeighbourPlan& plan, int threads, std::uint64_t* rounds);
std::vector<std::uint32_t> labels_on_cuda(const NeighbourPlan& plan, std::uint64_t* rounds);

}  // namespace lockstep::test
