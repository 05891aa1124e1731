// Square and uniform graphs of lockstep-generate; all are streamed, with memory for nothing but R-MAT
// without repeated edges.
#pragma once

#include <cstdint>
#include <functional>

#include "lockstep/schedules/types.hpp"

namespace lockstep::generate {

using EmitPair = std::function<void(VertexId, VertexId)>;
using EmitEdge = std::function<void(VertexId, VertexId, double)>;

/// `edges` distinct cells of a users x items matrix, in random order, each set of cells equally likely
/// but for the quality of the permutation. Throws UsageError when there are fewer cells.
void uniform_pairs(VertexId users, VertexId items, EdgeId edges, std::uint64_t seed, const EmitPair& emit);

/// A road-like grid of `vertices` intersections, `width` a row (the last row may be short).
struct RoadShape {
    VertexId width = 0;
    std::uint64_t vertices = 0;
    double drop = 0.8;        ///< share of the grid edges outside the spanning tree that is missing
    double diagonals = 0.05;  ///< share of the cells with a diagonal
};
/// Connected: every vertex but the first keeps the edge to its left or its upper neighbour (a spanning
/// tree); of all other grid edges the share `drop` is missing. Mean degree about
/// 2 + 2 (1 - drop) + 2 diagonals, largest degree at most 8. Each undirected edge once, with a length
/// of 75 to 125 (times √2 on diagonals).
void road(const RoadShape& shape, std::uint64_t seed, const EmitEdge& emit);

struct RmatShape {
    unsigned scale = 0;  ///< 2^scale vertices
    EdgeId edges = 0;
    double a = 0.57, b = 0.19, c = 0.19;
    bool duplicates = true;  ///< false: repeated edges are dropped, so that fewer edges come
};
/// Recursive matrix (Chakrabarti et al.): each edge descends `scale` times into one quadrant. Directed;
/// self-loops stay; vertex ids are permuted. O(edges scale) time. `step` is called while nothing can be
/// emitted yet.
void rmat(const RmatShape& shape, std::uint64_t seed, const std::function<void(EdgeId)>& step,
          const EmitPair& emit);

/// Graphs whose degrees are known without a look, for neighbour iteration: what a strategy does on constant
/// degrees, and on the worst case. Each is streamed; undirected ones have each edge once.
enum class Plain {
    star,      ///< 0 – v
    chain,     ///< v – v + 1
    ring,      ///< the same, closed
    regular,   ///< v → v + 1, …, v + degree (modulo vertices): in- and out-degree constant
    grid,      ///< each with its right and its lower neighbour
    tree,      ///< (v - 1) / 2 – v: binary
    complete,  ///< u – v for all u < v
};
/// `width` is of grids, `degree` of regular graphs (below `vertices`). O(edges).
void plain(Plain kind, VertexId vertices, VertexId width, VertexId degree, const EmitPair& emit);
/// Edges that `plain` emits, or for grids a bound.
EdgeId plain_edges(Plain kind, VertexId vertices, VertexId degree);

}  // namespace lockstep::generate
