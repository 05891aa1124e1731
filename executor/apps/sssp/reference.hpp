// Shortest paths by other means: a serial reference, and the proof of distances. They share no code with the
// operator and whoever runs it.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "lockstep/schedules/graph.hpp"

namespace lockstep::sssp {

/// Whole numbers where all weights are, and below 2^24; else floats.
using DistancesOf = std::variant<std::vector<float>, std::vector<std::uint32_t>>;

struct Weights {
    bool whole = true;              ///< distances are whole numbers
    std::optional<Triple> refused;  ///< the first arc with a weight below 0
};
/// O(arcs), all threads.
Weights weights_of(const Graph& graph);

/// Dijkstra's. O(arcs log(arcs)), serial.
DistancesOf reference_distances(const Graph& graph, VertexId source);

/// Why these are not the distances from `source`; empty: the triangle inequality holds for every arc, and
/// arcs for which it is an equation lead to every vertex that is reached. O(arcs).
std::string problem_of_distances(const Graph& graph, VertexId source, const DistancesOf& distances);

/// The vertices of a shortest path, of the fewest arcs among them; empty where there is none.
std::vector<VertexId> shortest_path(const Graph& graph, const DistancesOf& distances, VertexId source,
                                    VertexId target);

}  // namespace lockstep::sssp
