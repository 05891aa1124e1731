// A small mesh cut into strips, as many as a cluster has thread blocks, so that all of it stays on chip.
//
// Vertices lie in an order in which neighbours are near: no spring spans more than `reach` places. A strip is at least
// twice as long, so that a spring lies in one strip, or leads from one into the first `reach` vertices of the next, and
// these of different strips never meet. Two phases: all strips, then all borders between two.
#pragma once

#include <utility>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep::springs {

struct Strips {
    Schedule schedule;  ///< in the form of `local`; tiles are the strips, then their borders, empty ones too
    std::vector<VertexId> order;  ///< place -> vertex
    VertexId length = 0;          ///< of a strip; the last may be shorter
    VertexId reach = 0;
    unsigned count = 0;
};

/// At most `most` strips. The order is the graph's, or breadth-first from a vertex at its rim, where that has the shorter
/// reach. O(edges largest degree).
Strips make_strips(const Graph& graph, unsigned most = 16);

/// Springs of the fullest tile among the strips, and among the borders.
std::pair<EdgeId, EdgeId> fullest_of(const Strips& strips);
/// What a thread block has on chip: its strip with the beginning of the next, the springs of both its tiles of
/// `record_bytes` each.
EdgeId strip_bytes(const Strips& strips, EdgeId record_bytes);
/// Returns whether a thread block has that on an H100, the smallest GPU with clusters. `multipliers`: per spring; each
/// comes with a copy of the spring.
bool strips_fit(const Strips& strips, unsigned multipliers);

}  // namespace lockstep::springs
