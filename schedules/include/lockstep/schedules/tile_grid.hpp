// Which item block meets which user block when, in a tiled schedule.
//
// There are G user groups of R >= 2 P user blocks each, R even, and G shares of the items, each of L item
// groups of P item blocks. A share is a device's; where its items do not fit on chip they are several groups,
// L > 1, which take turns: laps. In super-stratum s = 0 … G L - 1 the item group s mod L of share a meets user
// group (a + s / L) mod G, and inside, in phase t = 0 … R - 1, item block p meets user block (2 p + t) mod R
// where t is even, (2 p - t) mod R where it is odd. A phase of the schedule is a pair (s, t); its tiles are
// those of G P item blocks side by side, P of each share.
//
// So even user blocks go from item block p + 1 to p, odd ones from p - 1 to p, two phases each time, and what
// an item block has learnt reaches both neighbours soon. If all went one way, it would reach the other
// neighbour only once round, and learning would lag behind a random order
// (docs/research/experiments.md).
//
// So the tiles of a phase share nothing, whether one device runs the shares one after another or several
// side by side: a device that has finished the laps of a user group passes it on to the one with the share
// before.
// The G x G and the R x P squares are Latin (cf. Gemulla et al., "Large-scale matrix factorization with
// distributed stochastic gradient descent", KDD 2011).
#pragma once

#include <algorithm>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct Schedule;

struct TileGrid {
    EdgeId groups = 1;       ///< G, of users; and shares of the items
    EdgeId item_blocks = 0;  ///< P, of a group
    EdgeId user_blocks = 0;  ///< R, of a group
    EdgeId laps = 1;         ///< L, item groups of a share

    constexpr EdgeId strata() const { return groups * laps; }
    constexpr EdgeId all_item_blocks() const { return strata() * item_blocks; }
    constexpr EdgeId all_user_blocks() const { return groups * user_blocks; }
    constexpr EdgeId phases() const { return strata() * user_blocks; }
    constexpr EdgeId side_by_side() const { return groups * item_blocks; }  ///< tiles of a phase
    constexpr EdgeId tiles() const { return phases() * side_by_side(); }

    /// Who meets in super-stratum `s`, of share `a`.
    constexpr EdgeId user_group(EdgeId a, EdgeId s) const { return (a + s / laps) % groups; }
    constexpr EdgeId item_group(EdgeId a, EdgeId s) const { return a * laps + s % laps; }
    /// The user group stays for another lap.
    constexpr bool stays(EdgeId s) const { return (s + 1) % laps; }
    /// Where tiles are told apart by who meets: the first of share `a` in super-stratum `s`. Its R x P tiles
    /// lie phase after phase, in a phase item block after item block.
    constexpr EdgeId super_tile(EdgeId a, EdgeId s) const {
        return (s * groups + a) * user_blocks * item_blocks;
    }
    /// The item block (of all) and the user block (of all) of a tile: the n-th of its phase.
    constexpr EdgeId item_block_of(EdgeId phase, EdgeId n) const {
        return item_group(n / item_blocks, phase / user_blocks) * item_blocks + n % item_blocks;
    }
    constexpr EdgeId user_block_of(EdgeId phase, EdgeId n) const {
        return user_group(n / item_blocks, phase / user_blocks) * user_blocks +
               user_block(n % item_blocks, phase % user_blocks);
    }
    /// The user block of a group that its item block p meets in phase t of a super-stratum.
    constexpr EdgeId user_block(EdgeId p, EdgeId t) const {
        return (2 * p + (t % 2 ? user_blocks - t : t)) % user_blocks;
    }
    /// The tile in which item block p and user block u (of all) meet.
    constexpr EdgeId tile(EdgeId p, EdgeId u) const {
        const EdgeId g = p / item_blocks, a = g / laps;
        const EdgeId s = (u / user_blocks + groups - a) % groups * laps + g % laps;
        const EdgeId ahead = (u % user_blocks + 2 * (user_blocks - p % item_blocks)) % user_blocks;
        const EdgeId phase = s * user_blocks + (ahead % 2 ? user_blocks - ahead : ahead);
        return phase * side_by_side() + a * item_blocks + p % item_blocks;
    }
    /// How many item blocks of a group its user block u meets before p.
    constexpr EdgeId meetings_before(EdgeId u, EdgeId p) const {
        if (u % 2) {  // upwards from the first one, then from 0
            const EdgeId first = (u + 1) / 2;
            return first < item_blocks ? (p + item_blocks - first) % item_blocks : p;
        }
        const EdgeId first = std::min(item_blocks - 1, u / 2);  // downwards, then from the last
        return (first + item_blocks - p) % item_blocks;
    }
};

/// The grid that a schedule of forms::tiles has: its blocks are the super-strata. Throws ScheduleError where
/// levels and parts do not make one. O(phases).
TileGrid tile_grid(const Schedule& schedule);
/// Whether its rows stay on chip, and the columns move, so that "item" above means a row: it says so.
bool rows_reside(const Schedule& schedule);

}  // namespace lockstep
