// A small mesh cut into strips, one per thread block of a cluster, so that the whole mesh stays in shared
// memory.
//
// Vertices are in an order in which neighbours are close: no spring spans more than `reach` positions. A
// strip is at least twice as long. A spring therefore lies in one strip, or leads from a strip to the first
// `reach` vertices of the next, and springs of different borders have no common vertex. There are two phases:
// all strips, then all borders between two strips.
#pragma once

#include <utility>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep::springs {

struct Strips {
    /// Schedule in the form of `local`; the tiles are the strips, then the borders, including empty ones.
    Schedule schedule;
    std::vector<VertexId> order;  ///< vertex at each position
    VertexId length = 0;          ///< number of vertices in a strip; the last strip may have fewer
    VertexId reach = 0;
    unsigned count = 0;
};

/// Cuts a graph into at most `most` strips. The order is the graph's own, or breadth-first from a vertex at
/// its rim if that has the shorter reach. O(edges x maximum degree).
Strips make_strips(const Graph& graph, unsigned most = 16);

/// Returns the maximum number of springs in a strip, and in a border.
std::pair<EdgeId, EdgeId> fullest_of(const Strips& strips);
/// Returns the shared memory of a thread block, in bytes: its strip with the beginning of the next one, and
/// the springs of both its tiles, `record_bytes` each.
EdgeId strip_bytes(const Strips& strips, EdgeId record_bytes);
/// Returns whether the data of a thread block fit in the shared memory of an H100, the smallest GPU with
/// clusters. `multipliers`: number of multipliers per spring, each of which comes with a copy of the spring.
bool strips_fit(const Strips& strips, unsigned multipliers);

}  // namespace lockstep::springs
