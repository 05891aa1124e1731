// local_layout(): converts a local plan to the format that the thread blocks of the GPU read: an order of the
// vectors in memory, and one stream of 32-bit words per tile.
//
// The vectors are stored in the order of the tiles of the first phase. Loading such a tile takes three
// copies: its rows, its columns, and its stream. The vectors of a tile of a later phase are loaded one by
// one. There is no barrier between phases: for each of its vectors, a tile waits for the last tile before it
// that has the same vector. The stream of a tile contains
//
//     8 words      rows; vectors; steps; tiles to wait for; offset of the edges; unused
//     steps        the first edge of each step, and the end
//     tiles        tiles to wait for                                                       in later phases
//     vectors      positions of the vectors in memory: rows, then columns                  in later phases
//     edges        position of the row | position of the column << 16; value         (from an even word on)
//
// The positions in `edges` are indices of vectors in the tile, rows first. The length of a stream is a
// multiple of four words. If rows and columns are vertices of one set, all vertices are stored as rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/local/plan.hpp"
#include "lockstep/executor/edge/operator_size.hpp"
#include "lockstep/schedules/array.hpp"

namespace lockstep {

struct LocalTile {
    EdgeId word;          ///< offset of the tile's stream in words
    EdgeId edge;          ///< first edge of the tile in the order of the plan
    std::uint32_t words;  ///< length of the tile's stream in words
    /// tiles of the first phase: number of rows and of columns; their vectors are consecutive in memory
    std::uint32_t rows, cols;
    /// tiles of the first phase: positions of the first row and of the first column in memory
    std::uint32_t row, col;
};

struct LocalLayout {
    std::vector<VertexId> row_order, col_order;  ///< vertex whose vector is at each position in memory
    std::vector<LocalTile> tiles;                ///< description of each tile, in the order of the plan
    EdgeId first_phase = 0;                      ///< number of tiles of the first phase
    /// maximum number of vectors, and of words of the stream, per tile
    EdgeId max_vectors = 0, max_words = 0;
    Array<std::uint32_t> words;  ///< streams of all tiles, one after another
};

/// Builds the layout. Throws ScheduleError if a tile has more vertices than 16-bit positions allow. O(edges
/// log edges of a tile)
LocalLayout local_layout(const EdgeList& edges, const LocalPlan& plan);

/// Returns the bytes of shared memory per thread block: the vectors of a tile, a vector of zeros, the stream,
/// and the barrier for the copies.
inline EdgeId local_bytes(const LocalLayout& layout, const OperatorSize& size) {
    return (layout.max_vectors + 1) * size.vector_bytes + 4 * layout.max_words + sizeof(std::uint64_t);
}

/// Returns an error message if a GPU cannot run a plan of this layout, as why_not() of a plan does
/// (edge/plan.hpp).
std::optional<std::string> why_not(const LocalLayout& layout, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
