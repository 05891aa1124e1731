// The order in which a plan runs the phases of its schedule. Every order is conflict-free and equals some
// serial order of the edges, but some orders learn worse than others. Matchings that are found edge by edge
// get smaller and smaller, so a sweep in their order ends with edges of hubs only, and among these with the
// edges of the last rows.
#pragma once

#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

enum class PhaseOrder {
    given,  ///< the order of the schedule
    /// a pseudo-random, reproducible order that keeps small phases together; it learns as well as shuffled
    /// edges
    mixed,
};

/// Number of edges below which a phase is small. At no rank is a small phase worth using all workers, so the
/// mixed order keeps small phases together in runs.
inline constexpr EdgeId small_phase = 512;

/// Mixes the phases of a schedule, within each block if there are blocks. `order` contains the edges of the
/// schedule without the held-out ones. Returns the mixed schedule with its own order, to which its levels
/// refer. Tasks stay whole. If there are residents, a block is split into consecutive parts of small and of
/// other phases, and each part has all residents of the block. O(edges + phases log phases)
Schedule mix_phases(const Schedule& schedule, const Kept& kept, std::span<const EdgeId> order);

/// Returns true if a plan of the strategy has mixed phases: mixing is wanted, and the schedule has phases
/// that may be reordered. Phases of tiles may not be reordered, because tiles pass vertices on to later
/// tiles.
bool mixes_phases(const Strategy& strategy, const Schedule* schedule, PhaseOrder wanted);

}  // namespace lockstep
