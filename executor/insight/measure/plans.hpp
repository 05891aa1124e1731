// Made-up plans and graphs that are one thing alone: a chain, a round, edges that never meet.
#pragma once

#include <functional>
#include <utility>

#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::insight {

/// Vertex x mod `side`, a power of two, after a step that permutes them.
VertexId scattered(EdgeId x, VertexId side);
/// A random number of 32 bits from its position (the finaliser of MurmurHash3).
std::uint32_t mixed(EdgeId x);

/// `rounds` matchings of `size` edges, each sorted by row as the builders leave it.
EdgePlan rounds_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols);
/// The same in one block, all columns resident.
EdgePlan resident_plan(EdgeId rounds, EdgeId size, VertexId rows, VertexId cols);
/// `phases` phases of `tasks` blocks of edges that share no end, each `edges` long: 8 edges a column, rows of
/// the block at random.
EdgePlan tasks_plan(EdgeId phases, EdgeId tasks, EdgeId edges);
/// Edges in the order of an online walk; `ends(i)` is a pair of row and column.
EdgePlan online_plan(const Walk& walk, EdgeId edges, VertexId rows, VertexId cols,
                     const std::function<std::pair<VertexId, VertexId>(EdgeId)>& ends);
/// `edges` edges of column 0 and the rows 0 … rows - 1 in turn, one after another on one worker, under
/// the locks of both ends or none.
EdgePlan chain_plan(bool locked, EdgeId edges, VertexId rows);

/// Every vertex has two neighbours, the next ones.
Graph road(VertexId vertices);
/// Random ratings; the first item has `hub` of them.
Graph ratings(VertexId users, VertexId items, EdgeId edges, EdgeId hub);

}  // namespace lockstep::insight
