// The order in which item blocks and user blocks meet in a tiled schedule.
//
// There are G user groups of R >= 2 P user blocks each, R even, and G shares of the items, each of L item
// groups of P item blocks. A share belongs to one device. If its items do not fit in shared memory, they form
// several groups, L > 1, which take turns: laps. In super-stratum s = 0 … G L - 1, the item group s mod L of
// share a meets user group (a + s / L) mod G. Within a super-stratum, in phase t = 0 … R - 1, item block p
// meets user block (2 p + t) mod R if t is even, and (2 p - t) mod R if t is odd. A phase of the schedule is
// a pair (s, t). Its tiles are those of G P concurrent item blocks, P of each share.
//
// Even user blocks thus move from item block p + 1 to p and odd ones from p - 1 to p, once every two phases.
// The updates of an item block therefore reach both of its neighbours early. If all user blocks moved in one
// direction, updates would reach the other neighbour only after a full round, and convergence would lag
// behind a random order (docs/research/experiments.md).
//
// The tiles of a phase share no vertex, whether one device runs the shares one after another or several
// devices run them concurrently. A device that has finished the laps of a user group passes the group on to
// the device of the preceding share. The G x G and the R x P squares are Latin (cf. Gemulla et al.,
// "Large-scale matrix factorization with distributed stochastic gradient descent", KDD 2011).
#pragma once

#include <algorithm>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct Schedule;

struct TileGrid {
    EdgeId groups = 1;       ///< G, the number of user groups, and of shares of the items
    EdgeId item_blocks = 0;  ///< P, the number of item blocks per group
    EdgeId user_blocks = 0;  ///< R, the number of user blocks per group
    EdgeId laps = 1;         ///< L, the number of item groups per share

    constexpr EdgeId strata() const { return groups * laps; }
    constexpr EdgeId all_item_blocks() const { return strata() * item_blocks; }
    constexpr EdgeId all_user_blocks() const { return groups * user_blocks; }
    constexpr EdgeId phases() const { return strata() * user_blocks; }
    constexpr EdgeId side_by_side() const { return groups * item_blocks; }  ///< number of tiles per phase
    constexpr EdgeId tiles() const { return phases() * side_by_side(); }

    /// Return the user group and the item group that meet in super-stratum `s` in share `a`.
    constexpr EdgeId user_group(EdgeId a, EdgeId s) const { return (a + s / laps) % groups; }
    constexpr EdgeId item_group(EdgeId a, EdgeId s) const { return a * laps + s % laps; }
    /// Returns whether the user group stays on its device for another lap after super-stratum `s`.
    constexpr bool stays(EdgeId s) const { return (s + 1) % laps; }
    /// Returns the index of the first tile of share `a` in super-stratum `s` when tiles are numbered by
    /// super-stratum, then share. The R x P tiles of such a pair are ordered by phase, then by item block.
    constexpr EdgeId super_tile(EdgeId a, EdgeId s) const {
        return (s * groups + a) * user_blocks * item_blocks;
    }
    /// Return the item block and the user block of the n-th tile of a phase, numbered over all groups.
    constexpr EdgeId item_block_of(EdgeId phase, EdgeId n) const {
        return item_group(n / item_blocks, phase / user_blocks) * item_blocks + n % item_blocks;
    }
    constexpr EdgeId user_block_of(EdgeId phase, EdgeId n) const {
        return user_group(n / item_blocks, phase / user_blocks) * user_blocks +
               user_block(n % item_blocks, phase % user_blocks);
    }
    /// Returns the user block, within its group, that item block p of a group meets in phase t of a
    /// super-stratum.
    constexpr EdgeId user_block(EdgeId p, EdgeId t) const {
        return (2 * p + (t % 2 ? user_blocks - t : t)) % user_blocks;
    }
    /// Returns the index of the tile in which item block p and user block u meet, both numbered over all
    /// groups.
    constexpr EdgeId tile(EdgeId p, EdgeId u) const {
        const EdgeId g = p / item_blocks, a = g / laps;
        const EdgeId s = (u / user_blocks + groups - a) % groups * laps + g % laps;
        const EdgeId ahead = (u % user_blocks + 2 * (user_blocks - p % item_blocks)) % user_blocks;
        const EdgeId phase = s * user_blocks + (ahead % 2 ? user_blocks - ahead : ahead);
        return phase * side_by_side() + a * item_blocks + p % item_blocks;
    }
    /// Returns the number of item blocks of a group that its user block u meets before item block p.
    constexpr EdgeId meetings_before(EdgeId u, EdgeId p) const {
        if (u % 2) {  // upwards from `first`, then from 0
            const EdgeId first = (u + 1) / 2;
            return first < item_blocks ? (p + item_blocks - first) % item_blocks : p;
        }
        // downwards from `first`, then from the last one
        const EdgeId first = std::min(item_blocks - 1, u / 2);
        return (first + item_blocks - p) % item_blocks;
    }
};

/// Returns the grid of a schedule of forms::tiles, whose blocks are the super-strata. Throws ScheduleError if
/// its levels and parts do not form a grid. O(phases).
TileGrid tile_grid(const Schedule& schedule);
/// Returns whether the rows stay in shared memory and the columns move, as the schedule's parameters record.
/// If so, "item" means a row in this header.
bool rows_reside(const Schedule& schedule);

}  // namespace lockstep
