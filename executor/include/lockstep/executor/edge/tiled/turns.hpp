// The order in which the threads of a CPU run tiles.
//
// A tile must wait for two others: the previous one at its position in the phases (and so of its block of
// columns), and the previous one of its block of rows (tile_grid.hpp). No other two tiles are ordered, and
// there are no barriers. Threads claim tiles phase after phase, several neighbours of a phase at a time,
// because the edges of neighbouring tiles are also neighbours in the plan. The two tiles to wait for are then
// one or two phases earlier, so threads seldom wait.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep::cpu {

/// Shares [first, last) of the columns in super-strata [stratum, strata_end).
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
          places_(std::make_unique<Turn[]>(grid.side_by_side())),
          row_blocks_(std::make_unique<Turn[]>(grid.all_user_blocks())) {}

    /// Calls run(phase, n) for the n-th tile of a phase, for tiles that no other thread runs, until none is
    /// left. Every thread of a team must call it.
    template <class Run>
    void work(Run run) {
        // Tiles are claimed in order, and a tile waits only for earlier tiles, all of which have been
        // claimed.
        const EdgeId tiles = (range_.strata_end - range_.stratum) * grid_.user_blocks * blocks_;
        for (EdgeId first; (first = drawn_.fetch_add(at_once_, std::memory_order_relaxed)) < tiles;) {
            for (EdgeId tile = first; tile < std::min(first + at_once_, tiles); ++tile)
                take(tile / blocks_, range_.first * grid_.item_blocks + tile % blocks_, run);
        }
    }

private:
    struct alignas(64) Turn {
        /// position: number of finished phases; row block: number of finished column blocks
        std::atomic<EdgeId> value{0};
    };

    /// Runs the n-th tile of phase t of the range, as soon as the tiles before it are finished.
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
    /// Returns the number of column blocks that row block u has met in the range before its n-th tile of
    /// phase t.
    EdgeId before(EdgeId n, EdgeId u, EdgeId t) const {
        return t / grid_.user_blocks * grid_.item_blocks +
               grid_.meetings_before(u % grid_.user_blocks, n % grid_.item_blocks);
    }
    static void wait_for(const Turn& turn, EdgeId value) {
        for (int spins = 0; turn.value.load(std::memory_order_acquire) < value; ++spins) {
            if (spins > 1000) std::this_thread::yield();
        }
    }

    TileGrid grid_;
    TileRange range_;
    EdgeId blocks_;  // number of column blocks side by side
    EdgeId at_once_;
    std::unique_ptr<Turn[]> places_, row_blocks_;  // one per position in a phase, and per row block
    std::atomic<EdgeId> drawn_{0};
};

}  // namespace lockstep::cpu
