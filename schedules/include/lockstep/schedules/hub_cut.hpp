// Which vertices of a graph are hubs, for core-tail.
#pragma once

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/tile_cost.hpp"

namespace lockstep {

/// Hubs are the items of more than `items` edges, and the users with more than `users` edges to other items.
struct HubCut {
    EdgeId items = 0, users = 0;
    /// Predicted, as far as the choice was by cost.
    struct Core {
        EdgeId edges = 0, largest = 0, phases = 0;  ///< largest degree of a hub
        double seconds = 0;                         ///< of a sweep
    };
    Core users_core = {}, items_core = {};
    double tail_rounds = 0, tail_seconds = 0;
    double seconds() const { return users_core.seconds + items_core.seconds + tail_seconds; }
};

/// By predicted cost, among limits half an octave apart; or BuildOptions::hub_degree for both sides. O(edges
/// + rows x limits), 16 bytes a pair of limits and thread.
HubCut choose_hubs(const Graph& graph, const BuildOptions& options);

}  // namespace lockstep
