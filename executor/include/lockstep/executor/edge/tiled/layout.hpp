// A tiled plan as a thread block reads it: one stream of 32-bit words per tile, with IDs that are local to
// the blocks of the tile.
//
//     4 words         1 if there is a chain | offset of the stars << 16; number of steps; offset of the
//                     pairs; 1 if the chain of the next tile must wait for the end of this tile
//     steps           index of the first star of each step (one entry more: the end)
//     stars           first pair | edges << 16; centre | side << 31          side 1: the centre is a row
//     pairs of edges  two leaves, two values                 (the first pair is of no star, its leaves are 0)
//
// A vertex is given as the byte offset of its vector in its block. An odd last edge is stored twice in its
// pair. The stars of a step are sorted by length, longest first.
//
// The chain is the star of the block's first column, which has the most edges, if this star is long
// (star/arithmetic.hpp) and in the tile's first step. The chain is stored before all other stars. It shares
// no vertex with the rest of the first step and runs concurrently with it, ahead of the later steps. The
// chain of the next tile may start before the steps of this tile end, unless another star of this tile uses
// its column.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/executor/edge/tiled/plan.hpp"

namespace lockstep {

/// The sizes of the parts of a tiled plan.
struct TiledSizes {
    TileGrid grid;
    EdgeId most_cols = 0, most_rows = 0;  ///< maximum per block
    EdgeId most_words = 0;                ///< maximum number of words in one stream of a tile
    bool has_chains = false;
    /// A tile has too many edges to be indexed by 16 bits, or a block has 2^31 bytes or more; no streams can
    /// be written.
    bool too_large = false;
    /// offset of each tile's stream; tiles in the order of TileGrid::super_tile
    std::vector<EdgeId> tile_words;
    EdgeId words() const { return tile_words.back(); }
};
inline constexpr const char* too_large_tile =
    "a tile of the schedule is too large for a multiprocessor; preprocess with more --item-blocks and "
    "--user-blocks";

/// The edges to which the values of a stream belong: the edges of star s of the i-th tile are consecutive,
/// beginning with edge tile_edges[i] + star_edges[tile_stars[i] + s] of the plan.
struct TiledEdges {
    std::vector<EdgeId> tile_edges, tile_stars;
    Array<std::uint32_t> star_edges;
};

/// Writes the streams of a plan, for any range of tiles. The edges and the plan must outlive this object.
class TiledLayout {
public:
    /// Computes the sizes. `vector_bytes` is the distance of consecutive vectors. O(vertices + tasks)
    TiledLayout(const EdgeList& edges, const TiledPlan& plan, EdgeId vector_bytes);
    TiledLayout(TiledLayout&&) noexcept;
    ~TiledLayout();

    const TiledSizes& sizes() const { return sizes_; }
    /// Writes the streams of the tiles [first, last) one after another, beginning at `to`. If `edges` is not
    /// nullptr, stores there the first edges of these tiles' stars. O(edges of these tiles), on all threads.
    void write(EdgeId first, EdgeId last, std::uint32_t* to, TiledEdges* edges = nullptr) const;
    /// Returns the first edges of the tiles, with memory for those of the stars, 4 bytes per task, which
    /// write() fills.
    TiledEdges edges() const;

private:
    class Tiles;
    std::unique_ptr<const Tiles> tiles_;
    TiledSizes sizes_;
    std::vector<char> chains_;  // whether each tile has a chain
};

}  // namespace lockstep
