// Which vertices of a graph are hubs, for core-tail.
#pragma once

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/tile_cost.hpp"

namespace lockstep {

/// Hubs are the items of more than `items` edges, and the users with more than `users` edges to other items.
struct HubCut {
    EdgeId items, users;
    double users_core = 0, items_core = 0, tail = 0;  ///< predicted seconds of a sweep
    double seconds() const { return users_core + items_core + tail; }
};

/// By predicted cost, among limits half an octave apart; or BuildOptions::hub_degree for both sides. O(edges
/// + rows x limits), 16 bytes a pair of limits and thread.
HubCut choose_hubs(const Graph& graph, const BuildOptions& options);

}  // namespace lockstep
