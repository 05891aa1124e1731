// A tiled plan as a thread block reads it: each tile one stream of 32-bit words, with ids local to its
// blocks.
//
//     4 words         1 if there is a chain | where the stars begin << 16; steps; where the pairs begin; 1 if
//                     the chain of the next tile must wait for the end of this one
//     steps           the first star of each (one entry more: the end)
//     stars           first pair | edges << 16; centre | side << 31          side 1: the centre is a row
//     pairs of edges  two leaves, two values                                (the first: of no star, leaves 0)
//
// Vertices are given by the byte at which their vector begins in their block. An odd last edge stands twice
// in its pair. A step's stars stand longest first.
//
// The chain is the star of the block's first column, the one of most edges, in the tile's first step where it
// is long (star/arithmetic.hpp); it stands before all others. It shares nothing with the rest of that step
// and runs beside it, ahead of the later steps; and ahead of all of them into the next tile, unless something
// else here meets its column.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/executor/edge/tiled/plan.hpp"

namespace lockstep {

/// How large the parts of a tiled plan are.
struct TiledSizes {
    TileGrid grid;
    EdgeId most_cols = 0, most_rows = 0;  ///< of a block
    EdgeId most_words = 0;                ///< of a tile's stream
    bool has_chains = false;
    bool too_large = false;  ///< a tile has more edges than 16 bits can number: nothing can be written
    std::vector<EdgeId> tile_words;  ///< tile -> words; tiles as TileGrid::super_tile has them
    EdgeId words() const { return tile_words.back(); }
};
inline constexpr const char* too_large_tile =
    "a tile of the schedule is too large for a multiprocessor; preprocess with more --item-blocks and "
    "--user-blocks";

/// Which edges a stream's values are of: those of the i-th tile's s-th star follow one another, from edge
/// tile_edges[i] + star_edges[tile_stars[i] + s] of the plan on.
struct TiledEdges {
    std::vector<EdgeId> tile_edges, tile_stars;
    Array<std::uint32_t> star_edges;
};

/// Makes the streams of a plan, any of them at a time. Edges and plan must outlive it.
class TiledLayout {
public:
    /// `vector_bytes`: from vector to vector. O(vertices + tasks)
    TiledLayout(const EdgeList& edges, const TiledPlan& plan, EdgeId vector_bytes);
    TiledLayout(TiledLayout&&) noexcept;
    ~TiledLayout();

    const TiledSizes& sizes() const { return sizes_; }
    /// The streams of the tiles [first, last), one behind the other from `to` on; and where there are `edges`,
    /// those of these tiles' stars. O(their edges), on all threads.
    void write(EdgeId first, EdgeId last, std::uint32_t* to, TiledEdges* edges = nullptr) const;
    /// The edges of the tiles; room for those of the stars, 4 bytes a task.
    TiledEdges edges() const;

private:
    class Tiles;
    std::unique_ptr<const Tiles> tiles_;
    TiledSizes sizes_;
    std::vector<char> chains_;  // tile -> whether it has one
};

}  // namespace lockstep
