// Synthetic plans and graphs, each of which isolates one effect: a chain, a round, edges that share no
// vertex.
#pragma once

#include <functional>
#include <utility>

#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::insight {

/// Returns the vertex x mod `side`, a power of two, after a permutation.
VertexId scattered(EdgeId x, VertexId side);
/// Returns the 32-bit random number at position `x` of a sequence (the finaliser of MurmurHash3).
std::uint32_t mixed(EdgeId x);

/// Returns a plan of `rounds` matchings of `size` edges each, sorted by row as the builders sort them.
EdgePlan rounds_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols);
/// Returns the same plan as one block, in which all columns are resident.
EdgePlan resident_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols);
/// Returns a plan of `phases` phases, each of `tasks` blocks that share no endpoint. A block has `edges`
/// edges: 8 per column, with random rows of the block.
EdgePlan tasks_plan(EdgeId phases, EdgeId tasks, EdgeId edges);
/// Returns a plan of an online walk. Edge i has the endpoints `ends(i)`, a pair of row and column.
EdgePlan online_plan(const Walk& walk, EdgeId edges, VertexId rows, VertexId cols,
                     const std::function<std::pair<VertexId, VertexId>(EdgeId)>& ends);
/// Returns a plan in which one worker runs `edges` edges of column 0 one after another, with or without the
/// locks of both endpoints. Their rows cycle through 0 … rows - 1.
EdgePlan chain_plan(bool locked, EdgeId edges, VertexId rows);

/// Returns a graph in which each vertex has arcs to the next two vertices.
Graph road(VertexId vertices);
/// Returns random ratings, `hub` of which are of the first item.
Graph ratings(VertexId users, VertexId items, EdgeId edges, EdgeId hub);

}  // namespace lockstep::insight
