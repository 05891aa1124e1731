// Square and uniform graphs of lockstep-generate. All edges are streamed; only graphs drawn without repeated
// edges are held in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "lockstep/schedules/types.hpp"

namespace lockstep::generate {

using EmitPair = std::function<void(VertexId, VertexId)>;
using EmitEdge = std::function<void(VertexId, VertexId, double)>;

/// Emits `edges` distinct cells of a users x items matrix in random order. Each set of cells is equally
/// likely, up to the quality of the permutation. Throws UsageError if there are fewer cells.
void uniform_pairs(VertexId users, VertexId items, EdgeId edges, std::uint64_t seed, const EmitPair& emit);

/// A road-like grid of `vertices` intersections, `width` per row (the last row may be shorter).
struct RoadShape {
    VertexId width = 0;
    std::uint64_t vertices = 0;
    double drop = 0.8;        ///< share of the grid edges outside the spanning tree that are missing
    double diagonals = 0.05;  ///< share of the cells with a diagonal
};
/// Emits a connected road-like graph. Every vertex but the first keeps the edge to its left or its upper
/// neighbour (a spanning tree); of all other grid edges the share `drop` is missing. The mean degree is about
/// 2 + 2 (1 - drop) + 2 diagonals, the maximum degree at most 8. Each undirected edge is emitted once, with a
/// length of 75 to 125 (times √2 on diagonals).
void road(const RoadShape& shape, std::uint64_t seed, const EmitEdge& emit);

/// Random arcs, drawn in parallel; each arc is a function of its index. Repeated arcs and self-loops may
/// occur.
struct DrawnArcs {
    EdgeId edges = 0;  ///< number of arcs drawn
    /// False: repeated arcs are dropped, so that fewer are emitted; needs 8 bytes per edge.
    bool duplicates = true;
    bool self_loops = true;   ///< false: self-loops are dropped
    bool undirected = false;  ///< true: u v and v u are the same edge
};
struct RmatShape {
    unsigned scale = 0;  ///< 2^scale vertices
    double a = 0.57, b = 0.19, c = 0.19;
};
/// Emits a recursive-matrix graph (R-MAT, Chakrabarti et al.; Graph500 calls it Kronecker): each edge
/// descends `scale` times into one quadrant; vertex IDs are permuted. O(edges scale) time, 4 bytes per
/// vertex. Calls `step` periodically.
void rmat(const RmatShape& shape, const DrawnArcs& drawn, std::uint64_t seed, void (*step)(),
          const EmitPair& emit);
/// Emits arcs whose endpoints are uniformly random. Calls `step` periodically.
void random_arcs(VertexId vertices, const DrawnArcs& drawn, std::uint64_t seed, void (*step)(),
                 const EmitPair& emit);

/// Emits the edges of a torus with the given number of vertices per dimension; the last dimension varies
/// fastest. Each vertex is connected to the next one in every dimension, cyclically. Each edge is emitted
/// once, so that a dimension of size 2 has one edge and a dimension of size 1 none. O(edges).
void torus(const std::vector<VertexId>& sides, const EmitPair& emit);

/// Graphs with known degrees, for tests of neighbour iteration: constant degrees, and the worst case. Edges
/// are streamed; each undirected edge is emitted once.
enum class FixedDegreeGraph {
    star,      ///< edges 0 – v
    chain,     ///< edges v – v + 1
    ring,      ///< a closed chain
    regular,   ///< arcs v → v + 1, …, v + degree (modulo vertices): constant in- and out-degree
    grid,      ///< each vertex with its right and its lower neighbour
    tree,      ///< edges (v - 1) / 2 – v: a binary tree
    complete,  ///< edges u – v for all u < v
};
/// Emits the edges of a graph. Grids use `width`, regular graphs `degree` (less than `vertices`). O(edges).
void plain(FixedDegreeGraph kind, VertexId vertices, VertexId width, VertexId degree, const EmitPair& emit);
/// Returns the number of edges that `plain` emits; for grids an upper bound.
EdgeId plain_edges(FixedDegreeGraph kind, VertexId vertices, VertexId degree);

}  // namespace lockstep::generate
