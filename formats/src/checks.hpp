// Checks of arrays after reading, run by all threads. They throw hdf5::Failed with the name of the array.
#pragma once

#include <span>
#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Checks that offsets are absent, or monotone from 0 to `size`.
void check_offsets(std::span<const EdgeId> offsets, EdgeId size, const std::string& what);

/// Checks that every order is a permutation and that every level is monotone and ends at the size of the next
/// level. What the schedule claims about its rounds is checked by `verify`. Takes 1 byte per edge.
void check_schedule(const Schedule& schedule, const Graph& graph, const std::string& path);

/// Checks the vertex orders and parts of a schedule, as check_schedule does.
void check_vertex_orders(const Schedule& schedule, const Graph& graph, const std::string& path);

}  // namespace lockstep
