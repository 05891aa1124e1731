// Synthetic plans and graphs for measurements. Each plan isolates one effect that the cost model has a term
// for: a chain of dependent updates, the overhead of a round, or edges that share no vertex.
#pragma once

#include <functional>
#include <utility>

#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::insight {

/// Returns a permutation of the numbers 0 … `side` - 1, applied to x mod `side`; `side` must be a power of
/// two.
VertexId scatter_position(EdgeId x, VertexId side);
/// Returns entry `x` of a fixed sequence of 32-bit random numbers (finalizer of MurmurHash3).
std::uint32_t mix_bits(EdgeId x);

/// Returns a plan for walks over phases: `rounds` matchings of `size` edges each. Each matching is sorted by
/// row, as builders sort it.
EdgePlan rounds_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols);
/// Returns a plan with the same edges for walks that keep the vectors of columns in shared memory: one block,
/// whose columns all stay there.
EdgePlan resident_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols);
/// Returns a plan for walks over tasks: `phases` phases, each with `tasks` tasks that share no endpoint. A
/// task has `edges` edges, 8 for each of its columns, with random rows among the rows of the task.
EdgePlan make_tasks_plan(EdgeId phases, EdgeId tasks, EdgeId edges);
/// Returns a plan for a walk that needs no schedule. Edge i has the endpoints ends(i), a row and a column.
EdgePlan online_plan(const Walk& walk, EdgeId edges, VertexId rows, VertexId cols,
                     const std::function<std::pair<VertexId, VertexId>(EdgeId)>& ends);
/// Returns a plan in which one worker runs `edges` edges of column 0 one after another, under locks of both
/// endpoints if `locked`. The rows of the edges cycle through 0 … `rows` - 1.
EdgePlan chain_plan(bool locked, EdgeId edges, VertexId rows);

/// Returns a graph with great locality, like a road network: each vertex has arcs to the next two vertices.
Graph road(VertexId vertices);
/// Returns a graph of random ratings with a hub: `hub` of the edges belong to the first item.
Graph ratings(VertexId users, VertexId items, EdgeId edges, EdgeId hub);

}  // namespace lockstep::insight
