// k-cores: the operator that finds one core, a serial reference, and the verification of core numbers. The
// k-core is the largest subgraph in which every vertex has at least k neighbours; the core number of a vertex
// is the largest k whose core contains the vertex. Neighbours are distinct vertices, regardless of the
// direction of arcs. The reference and the verification share no code with the walks that compute cores.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/executor/frontier/run.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::kcore {

/// The operator that finds one core. The value of a vertex is its number of remaining neighbours. A vertex
/// whose value falls below k is removed, which reduces the values of its neighbours once.
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
    LOCKSTEP_HD bool can_improve(Value degree) const { return degree >= k; }
    /// Returns the value of a vertex after `gone` of its neighbours have been removed. If the value would be
    /// less than k, the vertex is removed too and has the value k - 1.
    LOCKSTEP_HD Value apply_sum(Value degree, Value gone) const {
        return gone > degree - k ? k - 1 : degree - gone;
    }
    /// Subtracts 1 from the value of a vertex, unless the value is already less than k. Returns true if this
    /// call reduced the value from k to k - 1, which happens once per vertex. Concurrent calls may reduce the
    /// value further.
    LOCKSTEP_HD bool take(Value* degree, Value) const {
        if (peek(degree) < k) return false;
#if defined(__CUDA_ARCH__)
        return atomicSub(degree, 1U) == k;
#else
        return std::atomic_ref(*degree).fetch_sub(1, std::memory_order_relaxed) == k;
#endif
    }
};

/// Returns the core number of each vertex, computed with vertices in buckets by degree (Batagelj and
/// Zaversnik, 2003). If `k` is given, returns 1 for each vertex in the k-core and 0 for each other vertex.
/// Serial, O(arcs log(maximum degree)).
std::vector<std::uint32_t> compute_reference(const Graph& graph, std::optional<std::uint32_t> k);

/// Verifies core numbers. Returns a description of the first error, or an empty string. No number is too high
/// if each vertex with number c has at least c neighbours whose numbers are at least c. No number is too low
/// if the vertices can be removed in the order of their numbers, so that each vertex with number c has at
/// most c neighbours left when it is removed. If `k` is given, the values are 1 inside and 0 outside the
/// k-core, and are verified in the same way. Serial, O(arcs log(maximum degree)).
std::string find_problem(const Graph& graph, std::optional<std::uint32_t> k,
                         const std::vector<std::uint32_t>& cores);

}  // namespace lockstep::kcore
