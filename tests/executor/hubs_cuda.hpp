// Runs the kernels of the hub-first walk under conditions that no test graph would cause.
#pragma once

#include "lockstep/executor/frontier/hubs.hpp"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::test {

inline constexpr int hub_ways = 6;
/// Returns the values from vertex `source`, computed by `blocks` thread blocks (0: as many as the device
/// holds); few blocks have several sheets of words. `way`: 0 the usual walk, 1 no pushes, 2 pushes of one
/// piece, 3 a queue of three pieces, 4 pushes whenever possible, 5 all vertices as hubs, or as few as
/// possible.
template <class Op>
frontier::Values hub_values(const frontier::Hubs& plan, VertexId source, EdgeId blocks, int way);

}  // namespace lockstep::test
