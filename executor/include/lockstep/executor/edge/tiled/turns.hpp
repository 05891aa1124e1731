// Who runs which tile when, on a CPU.
//
// A tile follows the one that its place in a phase, so its block of columns, had before and the one that its
// block of rows had before (tile_grid.hpp); nothing else orders two tiles, and there are no barriers. Threads
// draw tiles phase after phase, some neighbours of a phase at a time, whose edges are neighbours in the plan,
// too. Both tiles before are then a phase or two behind, and seldom waited for.
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

    /// Calls run(phase, n), the n-th tile of a phase, for tiles that no other thread runs, until none is left;
    /// every thread of a team calls it.
    template <class Run>
    void work(Run run) {
        // Tiles are drawn in order, so an earlier one has been drawn, and a tile waits for earlier ones only.
        const EdgeId tiles = (range_.strata_end - range_.stratum) * grid_.user_blocks * blocks_;
        for (EdgeId first; (first = drawn_.fetch_add(at_once_, std::memory_order_relaxed)) < tiles;) {
            for (EdgeId tile = first; tile < std::min(first + at_once_, tiles); ++tile)
                take(tile / blocks_, range_.first * grid_.item_blocks + tile % blocks_, run);
        }
    }

private:
    struct alignas(64) Turn {
        std::atomic<EdgeId> value{0};  ///< a place's phases, a row block's column blocks, done
    };

    /// The n-th tile of phase t of the range, when its turn has come.
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
    /// How many column blocks row block u has met in the range before its n-th tile of phase t.
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
    EdgeId blocks_;  // of columns, side by side
    EdgeId at_once_;
    std::unique_ptr<Turn[]> places_, row_blocks_;  // place: the n-th tile of every phase
    std::atomic<EdgeId> drawn_{0};
};

}  // namespace lockstep::cpu
