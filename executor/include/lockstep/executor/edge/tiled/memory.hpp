// The tiled walk on a GPU: what a launch sees, which warps do what, and what lies on chip. Of host and
// device.
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/operator_size.hpp"
#include "lockstep/executor/edge/tiled/layout.hpp"
#include "lockstep/executor/edge/tuning.hpp"
#include "lockstep/executor/lanes.hpp"

namespace lockstep::gpu {

/// What a launch sees: a column group that meets a row group.
struct TiledView {
    int col_blocks, row_blocks;            ///< of a group
    int first_phase, phases;               ///< of this launch
    int phases_before;                     ///< of the super-strata before in this sweep
    int most_cols, most_rows, most_words;  ///< of a block, of a tile's stream
    int stride;                            ///< 32-bit words from vector to vector
    int step_warps;                        ///< warps for the steps
    const std::uint32_t* words;            ///< from word `first_word` on
    EdgeId first_word;
    const EdgeId* tile_words;             ///< of the super-tile (layout.hpp)
    const EdgeId *row_parts, *col_parts;  ///< of the groups
    const VertexId* col_order;            ///< place -> column; nullptr: columns lie in this order
    float *rows, *cols;                   ///< vectors as words, the rows' in the order of the blocks
    unsigned* done;                       ///< block of columns -> phases that it has finished in this sweep
    EdgeId* counters;
};

namespace tiled {

inline constexpr int threads = tuning::tiled.threads, warps = threads / 32;
inline constexpr int buffers = 2;

/// Which warps do what: those of the steps, those of the chain, the moving one. Where long stars go by
/// segments (of affine operators) the last one of the chain follows the segments of the others.
struct Crew {
    static constexpr int moving_warp = warps - 1;
    int step_warps, chain_warps, places;

    LOCKSTEP_HD Crew(int warps_for_steps, bool segments)
        : step_warps(warps_for_steps),
          chain_warps(moving_warp - step_warps),
          places(segments && chain_warps ? chain_warps - 1 : 0) {}
    static constexpr int fewest_chain_warps(bool segments) { return segments ? 2 : 1; }
    static constexpr int step_warps_beside_chain(bool segments) {
        return segments ? 9 : moving_warp - 1;  // docs/data/tuning.csv
    }
};

/// What lies in shared memory: 32-bit words from its beginning. Offsets, not pointers: so the compiler sees
/// that everything lies in shared memory. Each part is a multiple of 16 bytes.
struct Map {
    static constexpr int barrier_words = 2;
    int null_at;  ///< a vector of zeros, behind the columns
    int rows_at, row_words, words_at, words;
    int long_star_at, barriers_at, end;

    LOCKSTEP_HD Map(const TiledView& v, int long_star_words)
        : null_at(v.most_cols * v.stride),
          rows_at(null_at + v.stride),
          row_words(v.most_rows * v.stride),
          words_at(rows_at + buffers * row_words),
          words(v.most_words),
          long_star_at(words_at + buffers * words),
          barriers_at(long_star_at + long_star_words),
          end(barriers_at + buffers * barrier_words) {}
    LOCKSTEP_HD EdgeId bytes() const { return EdgeId{4} * static_cast<unsigned>(end); }
};

}  // namespace tiled

/// The warps for the steps, and the bytes on chip, with which a launch fits; nothing where none does.
/// Segments of long stars take what room there is: with less the steps have more warps.
struct TiledShape {
    int step_warps;
    EdgeId bytes;
};
std::optional<TiledShape> tiled_shape(const TiledSizes& sizes, const OperatorSize& size,
                                      const Properties& device);

}  // namespace lockstep::gpu

namespace lockstep {

/// As of a plan (edge/plan.hpp).
std::optional<std::string> why_not(const TiledSizes& sizes, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
