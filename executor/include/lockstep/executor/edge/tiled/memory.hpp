// The tiled walk on a GPU: the parameters of a launch, the roles of the warps, and the layout of shared
// memory. For host and device code.
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/operator_size.hpp"
#include "lockstep/executor/edge/tiled/layout.hpp"
#include "lockstep/executor/edge/tuning.hpp"
#include "lockstep/executor/lanes.hpp"

namespace lockstep::gpu {

/// The parameters of a launch: a column group that meets a row group.
struct TiledView {
    int col_blocks, row_blocks;            ///< number of blocks in a group
    int first_phase, phases;               ///< phases of this launch
    int phases_before;                     ///< number of phases of the previous super-strata in this sweep
    int most_cols, most_rows, most_words;  ///< maximum per block, and per stream of a tile
    int stride;                            ///< distance of consecutive vectors in 32-bit words
    int step_warps;                        ///< number of warps for the steps
    const std::uint32_t* words;            ///< streams, beginning with word `first_word`
    EdgeId first_word;
    const EdgeId* tile_words;             ///< offsets of the streams of the super-tile (layout.hpp)
    const EdgeId *row_parts, *col_parts;  ///< offsets of the blocks of the groups
    const VertexId* col_order;            ///< column at each position; nullptr if the vectors have this order
    float *rows, *cols;  ///< vectors as 32-bit words; those of the rows in the order of the blocks
    unsigned* done;      ///< number of phases that each block of columns has finished in this sweep
    EdgeId* counters;
};

namespace tiled {

inline constexpr int threads = tuning::tiled.threads, warps = threads / 32;
inline constexpr int buffers = 2;

/// The roles of the warps: some run the steps, some run the chain, and one moves the rows. If long stars run
/// in segments (affine operators), the last warp of the chain follows the segments of the other warps.
struct Crew {
    static constexpr int moving_warp = warps - 1;
    int step_warps, chain_warps, places;

    LOCKSTEP_HD Crew(int warps_for_steps, bool segments)
        : step_warps(warps_for_steps),
          chain_warps(moving_warp - step_warps),
          places(segments && chain_warps ? chain_warps - 1 : 0) {}
    static constexpr int fewest_chain_warps(bool segments) { return segments ? 2 : 1; }
    static constexpr int step_warps_beside_chain(bool segments) {
        return segments ? 9 : moving_warp - 1;  // measurements in docs/data/tuning.csv
    }
};

/// The layout of shared memory, in 32-bit words from its beginning. It consists of offsets instead of
/// pointers, so that the compiler can see that all parts are in shared memory. Each part is a multiple of 16
/// bytes.
struct Map {
    static constexpr int barrier_words = 2;
    int null_at;  ///< a vector of zeros, after the columns
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

/// The number of warps for the steps and the bytes of shared memory of a launch that fits on the device.
/// tiled_shape() returns nothing if no launch fits. The segments of long stars use the shared memory that is
/// left; the less is left, the more warps are for the steps.
struct TiledShape {
    int step_warps;
    EdgeId bytes;
};
std::optional<TiledShape> tiled_shape(const TiledSizes& sizes, const OperatorSize& size,
                                      const Properties& device);

}  // namespace lockstep::gpu

namespace lockstep {

/// Returns the reason if a GPU cannot run a plan of these sizes, as why_not() of a plan does (edge/plan.hpp).
std::optional<std::string> why_not(const TiledSizes& sizes, const OperatorSize& size,
                                   const gpu::Properties& device);

}  // namespace lockstep
