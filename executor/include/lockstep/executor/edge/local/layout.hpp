// A local plan as a thread block reads it: an order of the vectors, and each tile one stream of 32-bit words.
//
// In memory the vectors lie tile after tile of the first phase, so that such a tile is three copies: its
// rows, its columns, its stream. A tile of a later phase gathers its vectors one by one. It waits for the
// tiles that were the last ones to have one of them, and for no other: there is no barrier between phases.
//
//     8 words      rows; vectors; steps; tiles to wait for; where the edges begin; unused
//     steps        the first edge of each, and the end
//     tiles        to wait for                                      in later phases
//     vectors      where they lie, the rows', then the columns'     in later phases
//     edges        place of the row | place of the column << 16; value       (from an even word on)
//
// A place is a vector's number in the tile, rows first. A stream is a multiple of four words. The vertices of one set
// are all rows.
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
    EdgeId word;               ///< where its stream begins
    EdgeId edge;               ///< its first in the order of the plan
    std::uint32_t words;       ///< of its stream
    std::uint32_t rows, cols;  ///< vectors of the first phase's, one behind the other
    std::uint32_t row, col;    ///< where they lie
};

struct LocalLayout {
    std::vector<VertexId> row_order, col_order;  ///< where a vector lies -> its vertex
    std::vector<LocalTile> tiles;                ///< in the order of the plan
    EdgeId first_phase = 0;                      ///< tiles of the first phase
    EdgeId most_vectors = 0, most_words = 0;     ///< of a tile
    Array<std::uint32_t> words;                  ///< streams
};

/// Throws ScheduleError where a tile has too many vertices for 16 bits. O(edges log edges of a tile).
LocalLayout local_layout(const EdgeList& edges, const LocalPlan& plan);

/// Of a thread block on chip: a tile's vectors, one of zeros, its stream, the barrier of its copies.
inline EdgeId local_bytes(const LocalLayout& layout, const OperatorSize& size) {
    return (layout.most_vectors + 1) * size.vector_bytes + 4 * layout.most_words + sizeof(std::uint64_t);
}

/// As of a plan (edge/plan.hpp).
std::optional<std::string> why_not(const LocalLayout& layout, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
