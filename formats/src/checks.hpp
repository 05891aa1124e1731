// Checks of arrays that were read from a file. They run on all threads, and throw hdf5::Hdf5Error with the
// name of the faulty array.
#pragma once

#include <span>
#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Checks that offsets are absent, or ascend from 0 to `size`. `what` is their name.
void check_offsets(std::span<const EdgeId> offsets, EdgeId size, const std::string& what);

/// Checks that the order of the edges and the vertex orders are permutations, and that the offsets of each
/// level ascend from 0 to the number of units of the next level. Conflicts are not checked here, but by
/// verify(). Takes 1 byte per edge. `path` is the name of the schedule's group in the file.
void check_schedule(const Schedule& schedule, const Graph& graph, const std::string& path);

/// Checks only the vertex orders and their parts, like check_schedule().
void check_vertex_orders(const Schedule& schedule, const Graph& graph, const std::string& path);

}  // namespace lockstep
