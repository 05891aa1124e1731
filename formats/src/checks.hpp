// What is checked of arrays after reading, by all threads. Throws hdf5::Failed, naming them.
#pragma once

#include <span>
#include <string>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Monotone from 0 to `size`, or absent.
void check_offsets(std::span<const EdgeId> offsets, EdgeId size, const std::string& what);

/// Every order a permutation, every level monotone and of the size of the next. What the schedule
/// promises of its rounds is for `verify` to prove. Takes a byte an edge.
void check_schedule(const Schedule& schedule, const Graph& graph, const std::string& path);

/// The part of it that is about vertices.
void check_vertex_orders(const Schedule& schedule, const Graph& graph, const std::string& path);

}  // namespace lockstep
