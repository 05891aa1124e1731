// Verification of schedules with tasks or tiles (units): units that run concurrently must not share an
// endpoint. To find out, every unit claims the endpoints of its edges. Like all of the verifier, this code is
// shared with no builder.
#pragma once

#include <vector>

#include "lockstep/schedules/schedule.hpp"
#include "lockstep/schedules/tile_grid.hpp"

namespace lockstep {

/// Returns the offsets of level l as positions of edges, counted from the first edge that is not locked.
std::vector<EdgeId> offsets_in_edges(const Schedule& schedule, Level l);

/// The endpoints of all edges that are not locked, in the order of the schedule. The order must contain edge
/// IDs of the graph, and the offsets must be nested. 8 bytes per edge, 12 during construction.
class Units {
public:
    static constexpr EdgeId none = ~EdgeId{0};

    Units(const Graph& graph, const Schedule& schedule);

    /// Returns the position of a conflicting edge in the first set that has a conflict, or `none`. `sets` are
    /// the edge offsets of sets whose units run concurrently, and `units` the edge offsets of the units
    /// (nullptr: every edge is a unit). A conflict is an endpoint that two units of a set share, on the sides
    /// named by schedule.disjoint. If `stars` is true, every unit must also be a star: all its edges share
    /// one endpoint, and no two share both. O(edges) time, with whole sets per thread; 8 bytes per edge.
    EdgeId first_conflict(const std::vector<EdgeId>* units, const std::vector<EdgeId>& sets,
                          bool stars) const;
    /// Returns the position of an edge whose endpoints are not in the item block and the user block of its
    /// tile, or `none`.
    EdgeId first_misplaced_edge(const TileGrid& grid) const;
    /// Returns the position of an edge whose column is not in the part of the columns that belongs to its
    /// task (task b, part b), or `none`.
    EdgeId first_misplaced_edge() const;

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
    Array<Ends> ends_;  // position -> endpoints of the edge
};

}  // namespace lockstep
