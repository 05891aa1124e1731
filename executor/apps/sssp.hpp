// Shortest paths from one source: the operator on one arc, the serial reference, and the check of distances.
//
// If all weights are whole numbers below 2^24, distances are whole numbers of 32 bits; otherwise, they are
// floats. A rounded sum of floats grows with its terms, so the minimum over all paths is the same in any
// order.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::sssp {

/// The operator: the distance of the head is the distance of the tail plus the weight.
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
    LOCKSTEP_HD static bool wants(Value distance) { return distance > 0; }
    LOCKSTEP_HD static std::uint32_t step(Value distance, float delta) {
        const float step = static_cast<float>(distance) / delta;
        return step < 4e9F ? static_cast<std::uint32_t>(step) : 4'000'000'000U;
    }
};

struct Weights {
    bool whole = true;              ///< whether distances are whole numbers
    std::optional<Triple> refused;  ///< the first arc with a weight that is negative or NaN
};
/// Finds the kind of the weights. O(arcs), all threads.
Weights classify_weights(const Graph& graph);

/// Returns the distances by Dijkstra's algorithm. O(arcs log(arcs)), serial.
frontier::Values compute_reference(const Graph& graph, VertexId source);

/// Returns the reason why these are not the distances from `source`; an empty string if they are: the
/// triangle inequality holds for every arc, and arcs for which it is an equation lead to every vertex that is
/// reached. O(arcs).
std::string find_problem(const Graph& graph, VertexId source, const frontier::Values& distances);

/// Returns the vertices of a shortest path with as few arcs as possible; an empty list if there is none.
std::vector<VertexId> find_path(const Graph& graph, VertexId source, VertexId target,
                                const frontier::Values& distances);

}  // namespace lockstep::sssp
