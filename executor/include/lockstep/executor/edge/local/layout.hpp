// A local plan as a thread block reads it: an order of the vectors, and one stream of 32-bit words per tile.
//
// The vectors are stored tile after tile of the first phase, so that loading such a tile takes three copies:
// its rows, its columns, its stream. A tile of a later phase gathers its vectors one by one. It waits only
// for the tiles that were the last ones to have one of its vectors: there is no barrier between phases.
//
//     8 words      rows; vectors; steps; tiles to wait for; offset of the edges; unused
//     steps        the first edge of each step, and the end
//     tiles        tiles to wait for                                                       in later phases
//     vectors      positions of the vectors in memory: rows, then columns                  in later phases
//     edges        position of the row | position of the column << 16; value         (from an even word on)
//
// The positions in `edges` are those of the vectors in the tile, rows first. The length of a stream is a
// multiple of four words. The vertices of one set are all rows.
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
    EdgeId word;               ///< offset of its stream
    EdgeId edge;               ///< its first edge in the order of the plan
    std::uint32_t words;       ///< length of its stream
    std::uint32_t rows, cols;  ///< tiles of the first phase: numbers of their vectors, which are consecutive
    std::uint32_t row, col;    ///< positions of these vectors in memory
};

struct LocalLayout {
    std::vector<VertexId> row_order, col_order;  ///< vertex of the vector at each position in memory
    std::vector<LocalTile> tiles;                ///< tiles in the order of the plan
    EdgeId first_phase = 0;                      ///< number of tiles of the first phase
    EdgeId most_vectors = 0, most_words = 0;     ///< maximum per tile
    Array<std::uint32_t> words;                  ///< streams of all tiles
};

/// Builds the layout. Throws ScheduleError if a tile has too many vertices for 16 bits. O(edges log edges of
/// a tile).
LocalLayout local_layout(const EdgeList& edges, const LocalPlan& plan);

/// Returns the bytes of shared memory of a thread block: a tile's vectors, a vector of zeros, its stream, and
/// the barrier of its copies.
inline EdgeId local_bytes(const LocalLayout& layout, const OperatorSize& size) {
    return (layout.most_vectors + 1) * size.vector_bytes + 4 * layout.most_words + sizeof(std::uint64_t);
}

/// Returns the reason if a GPU cannot run a plan of this layout, as why_not() of a plan does (edge/plan.hpp).
std::optional<std::string> why_not(const LocalLayout& layout, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
