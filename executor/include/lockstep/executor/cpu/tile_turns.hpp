// Who runs which tile when, on a CPU.
//
// A user block meets the item blocks in a fixed order, and an item block the user blocks, that of their
// phases (tile_grid.hpp). Nothing else orders two tiles. So a thread takes a user block from tile to tile for
// as long as each item block's turn has come, with the block's vectors in its cache, instead of a new one for
// every tile of a phase, and there are no barriers.
#pragma once

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep::cpu {

class TileTurns {
public:
    explicit TileTurns(const TileGrid& grid)
        : grid_(grid),
          next_phase_(grid.all_item_blocks()),
          users_(grid.all_user_blocks()),
          unfinished_(grid.item_blocks ? users_.size() : 0) {}

    /// Calls run(phase, item block) for tiles that no other thread runs, until none is left; every thread of
    /// a team calls it.
    template <class Run>
    void work(Run run) {
        for (EdgeId u = claim(0); unfinished_.load(std::memory_order_acquire) > 0;) {
            if (u == users_.size()) {
                std::this_thread::yield();
                u = claim(0);
                continue;
            }
            UserBlock& block = users_[u];
            while (block.met < next_phase_.size()) {
                const EdgeId p = item_block(u, block.met), t = grid_.phase(p, u);
                if (!its_turn(p, t)) break;
                run(t, p);
                ++block.met;
                next_phase_[p].value.store(t + 1, std::memory_order_release);
            }
            release(u);
            u = claim(u + 1);
        }
    }

private:
    struct alignas(64) Counter {
        std::atomic<EdgeId> value{0};
    };
    struct UserBlock {
        EdgeId met = 0;  ///< item blocks
        bool held = false;
    };

    /// The i-th item block that user block u meets: those of earlier phases first.
    EdgeId item_block(EdgeId u, EdgeId i) const {
        const EdgeId s = i / grid_.item_blocks, g = grid_.item_group(u / grid_.user_blocks, s);
        return g * grid_.item_blocks + grid_.item_block(u % grid_.user_blocks, i % grid_.item_blocks);
    }

    bool is_next(EdgeId p, EdgeId t) const {
        return next_phase_[p].value.load(std::memory_order_acquire) == t;
    }
    /// Waits a little: where threads follow one another, the one ahead is about to leave the item block.
    bool its_turn(EdgeId p, EdgeId t) const {
        for (int spins = 0; spins < 20000; ++spins) {
            if (is_next(p, t)) return true;
        }
        return false;
    }

    /// A user block, from `first` on, that can go on now; the number of them where there is none.
    EdgeId claim(EdgeId first) {
        const std::lock_guard lock(mutex_);
        for (EdgeId i = 0; i < users_.size(); ++i) {
            const EdgeId u = (first + i) % users_.size();
            UserBlock& block = users_[u];
            if (block.held || block.met == next_phase_.size()) continue;
            const EdgeId p = item_block(u, block.met);
            if (!is_next(p, grid_.phase(p, u))) continue;
            block.held = true;
            return u;
        }
        return users_.size();
    }
    void release(EdgeId u) {
        const std::lock_guard lock(mutex_);
        users_[u].held = false;
        if (users_[u].met == next_phase_.size()) unfinished_.fetch_sub(1, std::memory_order_release);
    }

    TileGrid grid_;
    std::vector<Counter> next_phase_;  // of every item block
    std::vector<UserBlock> users_;
    std::atomic<EdgeId> unfinished_;
    std::mutex mutex_;
};

}  // namespace lockstep::cpu
