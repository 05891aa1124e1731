// The order in which the threads of a CPU run the tiles of a tiled plan.
//
// A tile shares vertices only with tiles of the same block of columns or of the same block of rows. It must
// therefore wait for two tiles: the previous one of its block of columns, and the previous one of its block
// of rows (tile_grid.hpp). There is no barrier. Threads claim tiles in the order of the phases, several
// neighbouring tiles at a time, because the edges of neighbouring tiles are also neighbours in memory. The
// two tiles to wait for then belong to the two previous phases, so threads seldom wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep::cpu {

/// The tiles of the column shares [first, last) in the super-strata [stratum, strata_end) (tile_grid.hpp).
struct TileRange {
    EdgeId first, last, stratum, strata_end;
};

class TileTurns {
public:
    TileTurns(const TileGrid& grid, const TileRange& range, int threads)
        : grid_(grid),
          range_(range),
          blocks_((range.last - range.first) * grid.item_blocks),
          at_once_(std::clamp<EdgeId>(blocks_ / (4 * static_cast<EdgeId>(threads)), 1, 16)),
          places_(std::make_unique<ThreadTurn[]>(grid.side_by_side())),
          row_blocks_(std::make_unique<ThreadTurn[]>(grid.all_user_blocks())) {}

    /// Calls run(phase, n) for tiles that this thread has claimed, until all tiles are claimed; n is the
    /// index of the tile in its phase. Every thread of a team must call this function.
    template <class Run>
    void work(Run run) {
        // No deadlock is possible: tiles are claimed in order, and a tile waits only for earlier tiles, which
        // have all been claimed.
        const EdgeId tiles = (range_.strata_end - range_.stratum) * grid_.user_blocks * blocks_;
        for (EdgeId first; (first = drawn_.fetch_add(at_once_, std::memory_order_relaxed)) < tiles;) {
            for (EdgeId tile = first; tile < std::min(first + at_once_, tiles); ++tile)
                take(tile / blocks_, range_.first * grid_.item_blocks + tile % blocks_, run);
        }
    }

private:
    struct alignas(64) ThreadTurn {
        /// for a position in the phases: number of finished phases; for a row block: number of finished
        /// column blocks
        std::atomic<EdgeId> value{0};
    };

    /// Runs the n-th tile of phase t of the range, after waiting for the two tiles that must precede it.
    template <class Run>
    void take(EdgeId t, EdgeId n, Run& run) {
        const EdgeId phase = range_.stratum * grid_.user_blocks + t, u = grid_.user_block_of(phase, n);
        const EdgeId met = before(n, u, t);
        wait_for(places_[n], t);
        wait_for(row_blocks_[u], met);
        run(phase, n);
        places_[n].value.store(t + 1, std::memory_order_release);
        row_blocks_[u].value.store(met + 1, std::memory_order_release);
    }
    /// Returns the number of column blocks that row block u has met, within the range, before its n-th tile
    /// of phase t.
    EdgeId before(EdgeId n, EdgeId u, EdgeId t) const {
        return t / grid_.user_blocks * grid_.item_blocks +
               grid_.meetings_before(u % grid_.user_blocks, n % grid_.item_blocks);
    }
    static void wait_for(const ThreadTurn& turn, EdgeId value) {
        for (int spins = 0; turn.value.load(std::memory_order_acquire) < value; ++spins) {
            if (spins > 1000) std::this_thread::yield();
        }
    }

    TileGrid grid_;
    TileRange range_;
    EdgeId blocks_;  // number of column blocks of the range, i.e. of tiles per phase
    EdgeId at_once_;
    // progress of each position in a phase, and of each row block
    std::unique_ptr<ThreadTurn[]> places_, row_blocks_;
    std::atomic<EdgeId> drawn_{0};
};

}  // namespace lockstep::cpu
