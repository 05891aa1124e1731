// The checker's pass over what runs at once: every unit claims the ends of its edges. Like all of the checker
// it shares nothing with the builders.
#pragma once

#include <vector>

#include "lockstep/schedules/schedule.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Offsets of level l in the edges behind the locked ones.
std::vector<EdgeId> offsets_in_edges(const Schedule& schedule, Level l);

/// The edges behind schedule.locked by their positions there; the order must hold ids of the graph, the
/// offsets must be nested. 8 bytes an edge, 12 while it is made.
class Units {
public:
    static constexpr EdgeId none = ~EdgeId{0};

    Units(const Graph& graph, const Schedule& schedule);

    /// An edge of the first of the concurrent sets `sets` (edge offsets) that has two units (`units`: edge
    /// offsets; nullptr: single edges) at one end, on the sides named by schedule.disjoint; or, of `stars`, a
    /// unit whose edges do not share one end, or both. O(edges), threads take whole sets; 8 bytes an edge.
    EdgeId first_conflict(const std::vector<EdgeId>* units, const std::vector<EdgeId>& sets,
                          bool stars) const;
    /// An edge that is not of the blocks which meet in its tile.
    EdgeId first_stranger(const TileGrid& grid) const;
    /// An edge in task b whose column is not in part b.
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
    Array<Ends> ends_;  // by position: fetched from the graph once, then gone through in order
};

}  // namespace lockstep
