// The kernels of the hub-first walk in ways that no graph of a test would bring about.
#pragma once

#include "lockstep/executor/frontier/hubs.hpp"
#include "lockstep/executor/frontier/run.hpp"

namespace lockstep::test {

inline constexpr int hub_ways = 6;
/// Values from vertex `source`, by so many blocks (0: all that the device holds): few have several sheets of
/// words. Ways: 0 as it is, 1 no pushes, 2 pushes of one piece, 3 a queue of three pieces, 4 pushes whenever
/// possible, 5 all vertices as hubs, or as few as possible.
template <class Op>
frontier::Values hub_values(const frontier::Hubs& plan, VertexId source, EdgeId blocks, int way);

}  // namespace lockstep::test
