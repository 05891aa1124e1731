// Divides a small mesh into strips, one for each thread block of a cluster, so that the whole mesh stays in
// shared memory.
//
// The vertices are ordered so that neighbours are close: the endpoints of a spring are at most `reach`
// positions apart. A strip is a range of consecutive vertices that is at least 2 x `reach` long. So a spring
// is either inside one strip, or leads from a strip to the first `reach` vertices of the next strip. These
// springs form the border between the two strips; different borders share no vertex. A sweep has two phases:
// all strips concurrently, then all borders concurrently.
#pragma once

#include <utility>
#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep::springs {

struct Strips {
    /// Schedule of the form `local`. Its tiles are the strips, followed by the borders, some of which may be
    /// empty.
    Schedule schedule;
    std::vector<VertexId> order;  ///< vertex at each position of an order in which neighbours are close
    VertexId length = 0;          ///< number of vertices in a strip; the last strip may have fewer
    VertexId reach = 0;
    unsigned count = 0;
};

/// Divides a graph into at most `most` strips. The order of the vertices is that of the graph, or the
/// breadth-first order from a vertex at the rim if its `reach` is smaller. O(edges x maximum degree).
Strips make_strips(const Graph& graph, unsigned most = 16);

/// Returns the maximum number of springs inside a strip, and the maximum number in a border.
std::pair<EdgeId, EdgeId> fullest_of(const Strips& strips);
/// Returns the shared memory that a thread block requires, in bytes: for the vertices of its strip and the
/// first vertices of the next strip, and for the springs of its two tiles with `record_bytes` bytes each.
EdgeId strip_bytes(const Strips& strips, EdgeId record_bytes);
/// Returns true if the data of a thread block fit in the shared memory of an H100, which is the smallest
/// among GPUs with clusters. `multipliers` is the number of multipliers per spring; each has its own copy of
/// the spring.
bool strips_fit(const Strips& strips, unsigned multipliers);

}  // namespace lockstep::springs
