// k-cores: the operator of one core, a serial reference of core numbers, and their verification. Reference
// and verification share no code with the walks that find cores. Neighbours are distinct vertices, regardless
// of the direction of arcs.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::kcore {

/// One core: a vertex whose degree falls below k reduces the degrees of its neighbours, once.
struct Degrees {
    using Value = std::uint32_t;
    static constexpr bool weighted = false, by_rounds = false, by_priority = false, everywhere = true;
    static constexpr Value most = std::numeric_limits<Value>::max() - 1;
    Value k = 0;

    LOCKSTEP_HD static constexpr Value none() { return most + 1; }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    LOCKSTEP_HD static Value start(VertexId, EdgeId degree) { return static_cast<Value>(degree); }
    LOCKSTEP_HD bool active(Value degree) const { return degree < k; }
    LOCKSTEP_HD static Value offer(Value, float) { return 1; }
    LOCKSTEP_HD bool wants(Value degree) const { return degree >= k; }
    /// Returns the degree after `gone` neighbours have left; k - 1 if it is below k, which removes the
    /// vertex.
    LOCKSTEP_HD Value gathered(Value degree, Value gone) const {
        return gone > degree - k ? k - 1 : degree - gone;
    }
    /// Subtracts 1 from a degree unless it is below k already. Only concurrent subtractions can take it below
    /// k - 1. Returns true to the one caller that subtracts from k.
    LOCKSTEP_HD bool take(Value* degree, Value) const {
        if (peek(degree) < k) return false;
#if defined(__CUDA_ARCH__)
        return atomicSub(degree, 1U) == k;
#else
        return std::atomic_ref(*degree).fetch_sub(1, std::memory_order_relaxed) == k;
#endif
    }
};

/// Returns the core numbers, found with vertices in buckets of their degrees (Batagelj and Zaversnik, 2003).
/// With `k`, returns 1 for vertices in the k-core, 0 for the others. Serial, O(arcs log(largest degree)).
std::vector<std::uint32_t> compute_reference(const Graph& graph, std::optional<std::uint32_t> k);

/// Returns the reason why these are not the core numbers; an empty string if they are. No number is too high
/// if each vertex has at least that many neighbours of the same or a higher number. No number is too low if
/// the vertices can be removed in the order of their numbers so that each has at most that many neighbours
/// left. With `k`, the same is checked for the vertices inside and outside of the core. Serial, O(arcs
/// log(largest degree)).
std::string find_problem(const Graph& graph, std::optional<std::uint32_t> k,
                         const std::vector<std::uint32_t>& cores);

}  // namespace lockstep::kcore
