// Verification of concurrent units: every unit claims the endpoints of its edges. Like all of the verifier,
// it shares no code with the builders.
#pragma once

#include <vector>

#include "lockstep/schedules/schedule.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Returns the offsets of level l as positions in the edges behind the locked ones.
std::vector<EdgeId> offsets_in_edges(const Schedule& schedule, Level l);

/// The endpoints of the edges behind schedule.locked, by position. The order must contain edge IDs of the
/// graph, and the offsets must be nested. 8 bytes per edge, 12 during construction.
class Units {
public:
    static constexpr EdgeId none = ~EdgeId{0};

    Units(const Graph& graph, const Schedule& schedule);

    /// Returns the position of a conflicting edge in the first set of `sets` (edge offsets) that has one, or
    /// `none`. The units of a set are concurrent. A conflict is an endpoint, on the sides named by
    /// schedule.disjoint, that two units have in common (`units`: edge offsets; nullptr: single edges). With
    /// `stars`, it is also a unit whose edges do not share one endpoint, or in which two edges share both.
    /// O(edges), with whole sets per thread; 8 bytes per edge.
    EdgeId first_conflict(const std::vector<EdgeId>* units, const std::vector<EdgeId>& sets,
                          bool stars) const;
    /// Returns the position of an edge that does not join the blocks of its tile, or `none`.
    EdgeId first_stranger(const TileGrid& grid) const;
    /// Returns the position of an edge in some task b whose column is not in part b, or `none`.
    EdgeId first_stranger() const;

private:
    struct Ends {
        VertexId row, col;
    };
    EdgeId size() const { return ends_.size(); }
    template <class Stamp>
    EdgeId claim(const std::vector<EdgeId>* units, const std::vector<EdgeId>& sets, bool stars) const;
    template <class IsStranger>
    EdgeId first_where(const std::vector<EdgeId>& units, IsStranger is_stranger) const;

    const Graph& graph_;
    const Schedule& schedule_;
    Array<Ends> ends_;  // position -> endpoints, gathered once, then read sequentially
};

}  // namespace lockstep
