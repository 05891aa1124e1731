// Blocks of T items with their phases: the frame that AGM-N and SGM share.
#pragma once

#include <vector>

#include "lockstep/schedules/schedule.hpp"

namespace lockstep {

/// Cuts schedule.residents into blocks of `workers` items, and returns the block of every column
/// (blocks for columns that are not resident is 0; they have no edge in a block).
std::vector<VertexId> assign_blocks(Schedule& schedule, VertexId cols, VertexId workers);

inline EdgeId block_count(const Schedule& schedule) { return schedule.resident_offsets.size() - 1; }

/// Sets the block and phase levels: `block_edges` are the offsets of the blocks in the part of the
/// order behind `locked`, in each of which the edges are sorted by `matching`; every matching that
/// has an edge in the block is a phase.
void set_block_phases(Schedule& schedule, const std::vector<EdgeId>& block_edges,
                      const std::vector<VertexId>& matching);

}  // namespace lockstep
