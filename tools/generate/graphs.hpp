// Square and uniform graphs of lockstep-generate; all are streamed, with memory for the edges of none but
// those that are drawn without repeats.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

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

/// Arcs that are drawn, each a function of its number, by all threads; repeats and self-loops may come.
struct DrawnArcs {
    EdgeId edges = 0;         ///< that are drawn
    bool duplicates = true;   ///< false: repeated ones are dropped, so that fewer come; 8 bytes an edge
    bool self_loops = true;   ///< false: these are dropped
    bool undirected = false;  ///< u v repeats v u
};
struct RmatShape {
    unsigned scale = 0;  ///< 2^scale vertices
    double a = 0.57, b = 0.19, c = 0.19;
};
/// Recursive matrix (Chakrabarti et al.), which Graph500 calls Kronecker: each edge descends `scale` times
/// into one quadrant; vertex ids are permuted. O(edges scale) time, 4 bytes a vertex. `step` is called now
/// and then.
void rmat(const RmatShape& shape, const DrawnArcs& drawn, std::uint64_t seed, void (*step)(),
          const EmitPair& emit);
/// Both ends of each arc uniform.
void random_arcs(VertexId vertices, const DrawnArcs& drawn, std::uint64_t seed, void (*step)(),
                 const EmitPair& emit);

/// The torus of so many vertices in each dimension, the last one counting fastest: each with the next in
/// every dimension, around the end; each edge once, so that a side of 2 has one and a side of 1 none.
/// O(edges).
void torus(const std::vector<VertexId>& sides, const EmitPair& emit);

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
