// A serial reference of shortest paths, and the verification of distances. They share no code with the
// operator and the walks that run it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::sssp {

/// The distances: whole numbers if all weights are whole numbers below 2^24, otherwise floats.
using DistancesOf = std::variant<std::vector<float>, std::vector<std::uint32_t>>;

struct Weights {
    bool whole = true;              ///< whether distances are whole numbers
    std::optional<Triple> refused;  ///< the first arc with a weight that is negative or NaN
};
/// Finds the kind of the weights. O(arcs), all threads.
Weights weights_of(const Graph& graph);

/// Returns the distances by Dijkstra's algorithm. O(arcs log(arcs)), serial.
DistancesOf reference_distances(const Graph& graph, VertexId source);

/// Returns the reason why these are not the distances from `source`; an empty string if they are: the
/// triangle inequality holds for every arc, and arcs for which it is an equation lead to every vertex that is
/// reached. O(arcs).
std::string problem_of_distances(const Graph& graph, VertexId source, const DistancesOf& distances);

/// Returns the vertices of a shortest path with as few arcs as possible; an empty list if there is none.
std::vector<VertexId> shortest_path(const Graph& graph, const DistancesOf& distances, VertexId source,
                                    VertexId target);

}  // namespace lockstep::sssp
