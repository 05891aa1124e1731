// The grid of a tiled schedule: which item block and which user block form each tile, and in which phase.
//
// The users are divided into G user groups of R user blocks each; R is even and at least 2 P. The items are
// divided into G shares of L item groups each, and an item group into P item blocks. A share belongs to one
// device. If the items of a share fit in shared memory, L = 1; otherwise its L item groups take turns, which
// are called laps.
//
// A sweep consists of G L super-strata, s = 0 … G L - 1. In super-stratum s, item group s mod L of share a is
// combined with user group (a + s / L) mod G. A super-stratum has R phases, t = 0 … R - 1. In phase t, item
// block p is combined with user block (2 p + t) mod R if t is even, and (2 p - t) mod R if t is odd. A phase
// of the schedule is one pair (s, t). It has G P tiles: those of the P item blocks of one item group of each
// share.
//
// Even user blocks thus move from item block p + 1 to p, and odd ones from p - 1 to p, once every two phases.
// Therefore the updates of an item block reach both of its neighbours early. If all user blocks moved in one
// direction, updates would reach the other neighbour only after R phases, and training would converge more
// slowly than with a random order (docs/research/experiments.md).
//
// The tiles of a phase share no vertex, whether one device runs the shares one after another or several
// devices run them concurrently. A device that has finished the laps of a user group passes the group on to
// the device of the preceding share. Each user group is combined once with each share, and each user block
// once with each item block, as in a Latin square (cf. Gemulla et al., "Large-scale matrix factorization with
// distributed stochastic gradient descent", KDD 2011).
#pragma once

#include <algorithm>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct Schedule;

/// The dimensions of the grid, and functions that number its tiles.
struct TileGrid {
    EdgeId groups = 1;  ///< G, the number of user groups, which is also the number of shares of the items
    EdgeId item_blocks = 0;  ///< P, the number of item blocks per group
    EdgeId user_blocks = 0;  ///< R, the number of user blocks per group
    EdgeId laps = 1;         ///< L, the number of item groups per share

    constexpr EdgeId strata() const { return groups * laps; }
    constexpr EdgeId all_item_blocks() const { return strata() * item_blocks; }
    constexpr EdgeId all_user_blocks() const { return groups * user_blocks; }
    constexpr EdgeId phases() const { return strata() * user_blocks; }
    /// Number of tiles per phase, which run concurrently.
    constexpr EdgeId side_by_side() const { return groups * item_blocks; }
    constexpr EdgeId tiles() const { return phases() * side_by_side(); }

    /// Return the user group and the item group that share `a` combines in super-stratum `s`.
    constexpr EdgeId user_group(EdgeId a, EdgeId s) const { return (a + s / laps) % groups; }
    constexpr EdgeId item_group(EdgeId a, EdgeId s) const { return a * laps + s % laps; }
    /// Returns whether the user groups stay on their devices for another lap after super-stratum `s`.
    constexpr bool stays(EdgeId s) const { return (s + 1) % laps; }
    /// Returns the index of the first tile of share `a` in super-stratum `s`, if all tiles are numbered by
    /// super-stratum, then by share, then by phase and item block.
    constexpr EdgeId super_tile(EdgeId a, EdgeId s) const {
        return (s * groups + a) * user_blocks * item_blocks;
    }
    /// These two functions return the item block and the user block of the n-th tile of a phase. The numbers
    /// of blocks count through all groups of items, or of users.
    constexpr EdgeId item_block_of(EdgeId phase, EdgeId n) const {
        return item_group(n / item_blocks, phase / user_blocks) * item_blocks + n % item_blocks;
    }
    constexpr EdgeId user_block_of(EdgeId phase, EdgeId n) const {
        return user_group(n / item_blocks, phase / user_blocks) * user_blocks +
               user_block(n % item_blocks, phase % user_blocks);
    }
    /// Returns the user block that is combined with item block p in phase t of a super-stratum. Both are
    /// numbered within their group.
    constexpr EdgeId user_block(EdgeId p, EdgeId t) const {
        return (2 * p + (t % 2 ? user_blocks - t : t)) % user_blocks;
    }
    /// Returns the index, in schedule order, of the tile of item block p and user block u. Both are numbered
    /// over all groups.
    constexpr EdgeId tile(EdgeId p, EdgeId u) const {
        const EdgeId g = p / item_blocks, a = g / laps;
        const EdgeId s = (u / user_blocks + groups - a) % groups * laps + g % laps;
        const EdgeId ahead = (u % user_blocks + 2 * (user_blocks - p % item_blocks)) % user_blocks;
        const EdgeId phase = s * user_blocks + (ahead % 2 ? user_blocks - ahead : ahead);
        return phase * side_by_side() + a * item_blocks + p % item_blocks;
    }
    /// Returns the number of item blocks of a group with which user block u is combined before item block p.
    constexpr EdgeId meetings_before(EdgeId u, EdgeId p) const {
        if (u % 2) {  // its item blocks ascend from `first`, then continue at 0
            const EdgeId first = (u + 1) / 2;
            return first < item_blocks ? (p + item_blocks - first) % item_blocks : p;
        }
        // Its item blocks descend from `first`, then continue at the last one.
        const EdgeId first = std::min(item_blocks - 1, u / 2);
        return (first + item_blocks - p) % item_blocks;
    }
};

/// Returns the grid of a schedule that has the form forms::tiles. Throws ScheduleError if its levels and
/// parts do not form a grid. O(phases).
TileGrid tile_grid(const Schedule& schedule);
/// Returns whether the schedule's parameters record that the rows stay in shared memory and the columns move.
/// If so, the word "item" means a row in this header, and "user" a column.
bool rows_reside(const Schedule& schedule);

}  // namespace lockstep
