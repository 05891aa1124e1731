// Which item block meets which user block when, in a tiled schedule.
//
// There are G groups of P item blocks each, and G groups of R >= 2 P user blocks each, R even. In
// super-stratum s = 0 … G - 1 item group g meets user group (g + s) mod G, and inside, in phase t = 0 … R -
// 1, item block p meets user block (2 p + t) mod R where t is even, (2 p - t) mod R where it is odd. A phase
// of the schedule is a pair (s, t); its tiles are those of all G P item blocks side by side.
//
// So even user blocks go from item block p + 1 to p, odd ones from p - 1 to p, two phases each time, and what
// an item block has learnt reaches both neighbours soon. If all went one way, it would reach the other
// neighbour only once round, and learning would lag behind a random order
// (docs/experiments/tiled-one-way.md).
//
// So the tiles of a phase share nothing, whether one device runs the groups one after another or several
// side by side: a device that has finished a user group passes it on to the one with the item group before.
// The G x G and the R x P squares are Latin (cf. Gemulla et al., "Large-scale matrix factorization with
// distributed stochastic gradient descent", KDD 2011).
#pragma once

#include <algorithm>

#include "lockstep/schedules/types.hpp"

namespace lockstep {

struct Schedule;

struct TileGrid {
    EdgeId groups = 1;       ///< G
    EdgeId item_blocks = 0;  ///< P, of a group
    EdgeId user_blocks = 0;  ///< R, of a group

    constexpr EdgeId all_item_blocks() const { return groups * item_blocks; }
    constexpr EdgeId all_user_blocks() const { return groups * user_blocks; }
    constexpr EdgeId phases() const { return all_user_blocks(); }
    constexpr EdgeId tiles() const { return phases() * all_item_blocks(); }

    /// The user group that item group `g` meets in super-stratum `s`, and its inverse.
    constexpr EdgeId user_group(EdgeId g, EdgeId s) const { return (g + s) % groups; }
    constexpr EdgeId item_group(EdgeId user_group, EdgeId s) const {
        return (user_group + groups - s % groups) % groups;
    }
    /// Where tiles are told apart by who meets: the first of item group `g` in super-stratum `s`. Its R x P
    /// tiles lie phase after phase, in a phase item block after item block.
    constexpr EdgeId super_tile(EdgeId g, EdgeId s) const {
        return (s * groups + g) * user_blocks * item_blocks;
    }
    /// The user block of a group that its item block p meets in phase t of a super-stratum.
    constexpr EdgeId user_block(EdgeId p, EdgeId t) const {
        return (2 * p + (t % 2 ? user_blocks - t : t)) % user_blocks;
    }
    /// The phase in which item block p and user block u (of all) meet.
    constexpr EdgeId phase(EdgeId p, EdgeId u) const {
        const EdgeId s = (u / user_blocks + groups - p / item_blocks) % groups;
        const EdgeId ahead = (u % user_blocks + 2 * (user_blocks - p % item_blocks)) % user_blocks;
        return s * user_blocks + (ahead % 2 ? user_blocks - ahead : ahead);
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

/// The grid that a schedule of forms::tiles has: its blocks are the super-strata, one a group. Throws
/// ScheduleError where levels and parts do not make one. O(phases).
TileGrid tile_grid(const Schedule& schedule);
/// Whether its rows stay on chip, and the columns move, so that "item" above means a row: there are more
/// blocks of what moves.
bool rows_reside(const Schedule& schedule);

}  // namespace lockstep
