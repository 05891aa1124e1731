// Shortest paths from one source: the operator on one arc, a serial reference, and the verification of
// distances. Weights are lengths.
//
// If all weights are whole numbers below 2^24, distances are 32-bit integers; otherwise they are floats.
// Addition of floats is monotone even with rounding, so the minimum over all paths is the same in any order
// of updates, and results are bitwise identical.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::sssp {

/// The operator: the candidate distance of an arc's head is the distance of its tail plus the arc's weight.
template <class T>
struct Distances {
    using Value = T;
    static constexpr bool weighted = true, by_rounds = false, by_priority = true;
    static constexpr bool whole = std::is_same_v<T, std::uint32_t>;
    static constexpr Value unreached =
        whole ? std::numeric_limits<Value>::max() : std::numeric_limits<Value>::infinity();
    static constexpr Value most = std::numeric_limits<Value>::max() - (whole ? 1 : 0);
    LOCKSTEP_HD static constexpr Value none() { return unreached; }
    LOCKSTEP_HD static constexpr Value start() { return 0; }
    LOCKSTEP_HD static Value offer(Value distance, float weight) {
        if constexpr (whole) {
            const Value added = static_cast<Value>(weight);
            return distance < most - added ? distance + added : most;
        } else {
            const Value sum = add(distance, weight);
            return sum < most ? sum : most;
        }
    }
    LOCKSTEP_HD static bool can_improve(Value distance) { return distance > 0; }
    LOCKSTEP_HD static std::uint32_t step(Value distance, float delta) {
        const float step = static_cast<float>(distance) / delta;
        return step < 4e9F ? static_cast<std::uint32_t>(step) : 4'000'000'000U;
    }
};

struct Weights {
    bool whole = true;  ///< whether all weights are whole numbers below 2^24, so that distances are integers
    /// The first arc whose weight is negative or NaN; nullopt if there is none.
    std::optional<Triple> refused;
};
/// Examines the weights of all arcs: whether distances can be integers, and whether a weight is invalid.
/// O(arcs), all threads.
Weights classify_weights(const Graph& graph);

/// Returns the distances of all vertices, computed by Dijkstra's algorithm. Serial, O(arcs log(arcs)).
frontier::Values compute_reference(const Graph& graph, VertexId source);

/// Verifies the distances from `source`. Returns a description of the first error, or an empty string. The
/// distances are right if every arc satisfies the triangle inequality, and arcs that satisfy it with equality
/// connect the source with every reached vertex. O(arcs).
std::string find_problem(const Graph& graph, VertexId source, const frontier::Values& distances);

/// Returns the vertices of a shortest path from `source` to `target`; of several shortest paths, one with the
/// fewest arcs. Empty if there is no path.
std::vector<VertexId> find_path(const Graph& graph, VertexId source, VertexId target,
                                const frontier::Values& distances);

}  // namespace lockstep::sssp
