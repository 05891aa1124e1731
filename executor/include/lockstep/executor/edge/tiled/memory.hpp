// The tiled walk on a GPU: the parameters of its kernel, the roles of the warps, and the layout of shared
// memory. Host and device code use this file.
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/operator_size.hpp"
#include "lockstep/executor/edge/tiled/layout.hpp"
#include "lockstep/executor/edge/tuning.hpp"
#include "lockstep/executor/lanes.hpp"

namespace lockstep::gpu {

/// The parameters of a launch, in which one column group meets one row group (tile_grid.hpp).
struct TiledView {
    int col_blocks, row_blocks;  ///< number of blocks of the column group, and of the row group
    int first_phase, phases;     ///< first phase of this launch, and number of its phases
    int phases_before;           ///< number of phases of the previous super-strata of this sweep
    /// maximum number of columns and rows per block, and of words per stream of a tile
    int max_cols, max_rows, max_words;
    int stride;                  ///< distance of consecutive vectors in 32-bit words
    int step_warps;              ///< number of warps for the steps
    const std::uint32_t* words;  ///< streams of the tiles, beginning with the word of index `first_word`
    EdgeId first_word;
    const EdgeId* tile_words;  ///< offset of each tile's stream in the super-tile (layout.hpp)
    /// offset of each block of the row group and of the column group in the order of the vectors
    const EdgeId *row_parts, *col_parts;
    /// index of the column's vector at each position of the block order; nullptr if the vectors have this
    /// order
    const VertexId* col_order;
    float *rows, *cols;  ///< vectors as 32-bit words; the vectors of the rows are in the order of the blocks
    /// number of phases that the thread block of each block of columns has finished in this sweep
    unsigned* done;
    EdgeId* counters;
};

namespace tiled {

inline constexpr int threads = tuning::tiled.threads, warps = threads / 32;
inline constexpr int buffers = 2;

/// The number of warps of each role: some run the steps, some run the chain, and one moves the rows. If an
/// affine operator processes long stars in segments, the last chain warp combines the segments of the other
/// chain warps.
struct WarpRoles {
    static constexpr int moving_warp = warps - 1;
    int step_warps, chain_warps, places;

    LOCKSTEP_HD WarpRoles(int warps_for_steps, bool segments)
        : step_warps(warps_for_steps),
          chain_warps(moving_warp - step_warps),
          places(segments && chain_warps ? chain_warps - 1 : 0) {}
    static constexpr int min_chain_warps(bool segments) { return segments ? 2 : 1; }
    static constexpr int step_warps_beside_chain(bool segments) {
        return segments ? 9 : moving_warp - 1;  // docs/data/tuning.csv contains the measurements
    }
};

/// The offsets of the parts of shared memory, in 32-bit words. Offsets instead of pointers let the compiler
/// see that all parts are in shared memory. The size of each part is a multiple of 16 bytes.
struct Map {
    static constexpr int barrier_words = 2;
    int null_at;  ///< offset of a vector of zeros, after the vectors of the columns
    int rows_at, row_words, words_at, words;
    int long_star_at, barriers_at, end;

    LOCKSTEP_HD Map(const TiledView& v, int long_star_words)
        : null_at(v.max_cols * v.stride),
          rows_at(null_at + v.stride),
          row_words(v.max_rows * v.stride),
          words_at(rows_at + buffers * row_words),
          words(v.max_words),
          long_star_at(words_at + buffers * words),
          barriers_at(long_star_at + long_star_words),
          end(barriers_at + buffers * barrier_words) {}
    LOCKSTEP_HD EdgeId bytes() const { return EdgeId{4} * static_cast<unsigned>(end); }
};

}  // namespace tiled

/// The configuration of a launch: the number of warps for the steps, and the bytes of shared memory per
/// thread block. tiled_shape() returns nothing if the sizes do not fit on the device. The segments of long
/// stars get the remaining shared memory; the smaller it is, the more warps run steps.
struct TiledShape {
    int step_warps;
    EdgeId bytes;
};
std::optional<TiledShape> tiled_shape(const TiledSizes& sizes, const OperatorSize& size,
                                      const Properties& device);

}  // namespace lockstep::gpu

namespace lockstep {

/// Returns an error message if a GPU cannot run a plan of these sizes, as why_not() of a plan does
/// (edge/plan.hpp).
std::optional<std::string> why_not(const TiledSizes& sizes, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
