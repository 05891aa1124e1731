// TiledLayout: converts a tiled plan to the format that the thread blocks of the GPU read. Each tile has a
// stream of 32-bit words, in which vertices are identified by their offset in the tile's blocks of rows and
// columns:
//
//     4 words         1 if there is a chain | offset of the stars << 16; number of steps; offset of the
//                     pairs; 1 if the chain of the next tile must wait for the end of this tile
//     steps           index of the first star of each step (one entry more: the end)
//     stars           first pair | edges << 16; centre | side << 31          side 1: the centre is a row
//     pairs of edges  two leaves, two values                 (the first pair is of no star, its leaves are 0)
//
// A vertex is stored as the byte offset of its vector in its block. If a star has an odd number of edges, its
// last pair contains the last edge twice. The stars of a step are sorted by length, longest first.
//
// The chain of a tile is the star of the block's first column, which has the most edges of the block. It
// exists if this star is long (star/arithmetic.hpp) and in the tile's first step. The chain is stored before
// all other stars. It shares no vertex with the other stars of the first step and runs concurrently with
// them; the later steps wait for it. The chain of the next tile may start before the steps of this tile end,
// unless another star of this tile uses the chain's column.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "lockstep/executor/edge/tiled/plan.hpp"

namespace lockstep {

/// The sizes of the parts of a tiled plan.
struct TiledSizes {
    TileGrid grid;
    EdgeId max_cols = 0, max_rows = 0;  ///< maximum number of columns, and of rows, per block
    EdgeId max_words = 0;               ///< maximum number of words in one stream of a tile
    bool has_chains = false;
    /// Whether the plan is too large for the format: a tile has too many edges for 16-bit indices, or the
    /// vectors of a block have 2^31 bytes or more. In this case there are no streams.
    bool too_large = false;
    /// offset of each tile's stream in words; the tiles are sorted by TileGrid::super_tile
    std::vector<EdgeId> tile_words;
    EdgeId words() const { return tile_words.back(); }
};
inline constexpr const char* too_large_tile =
    "a tile of the schedule is too large for a multiprocessor; preprocess with more --item-blocks and "
    "--user-blocks";

/// The edges to which the values in the streams belong. The edges of star s of the i-th tile are consecutive
/// in the plan, beginning with edge tile_edges[i] + star_edges[tile_stars[i] + s].
struct TiledEdges {
    std::vector<EdgeId> tile_edges, tile_stars;
    Array<std::uint32_t> star_edges;
};

/// Writes the streams of any range of tiles. The edges and the plan must outlive this object.
class TiledLayout {
public:
    /// Computes the sizes of all streams. `vector_bytes` is the distance of consecutive vectors in memory.
    /// O(vertices + tasks)
    TiledLayout(const EdgeList& edges, const TiledPlan& plan, EdgeId vector_bytes);
    TiledLayout(TiledLayout&&) noexcept;
    ~TiledLayout();

    const TiledSizes& sizes() const { return sizes_; }
    /// Writes the streams of the tiles [first, last) consecutively to `to`. If `edges` is not nullptr, also
    /// stores the first edge of each star of these tiles in `edges`. Uses all threads. O(edges of these
    /// tiles)
    void write(EdgeId first, EdgeId last, std::uint32_t* to, TiledEdges* edges = nullptr) const;
    /// Returns TiledEdges with the first edge of each tile. The first edge of each star (4 bytes per star) is
    /// allocated, and written by write().
    TiledEdges edges() const;

private:
    class Tiles;
    std::unique_ptr<const Tiles> tiles_;
    TiledSizes sizes_;
    std::vector<char> chains_;  // whether each tile has a chain
};

}  // namespace lockstep
