// The order in which a plan runs the phases of its schedule. Any is free of conflicts, and any is one serial
// order of the edges; but not all teach alike: matchings found edge by edge get smaller and smaller, so that
// a sweep in their order ends with the edges of hubs alone, those of the last rows at that.
#pragma once

#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

enum class PhaseOrder {
    given,  ///< that of the schedule
    mixed,  ///< pseudo-random, the same everywhere, small phases together: as good as shuffled edges
};

/// Phases of fewer edges are not worth all workers at any rank, so a mixed order keeps runs of them.
inline constexpr EdgeId small_phase = 512;

/// Mixes the phases of a schedule, those of a block among themselves, and with them `order`, its edges
/// without the held-out ones. Returns the mixed schedule, its levels in positions of its order. Tasks stay
/// whole. Where there are residents a block falls into parts of small and of other phases that follow one
/// another, each with all residents of the block. O(edges + phases log phases)
Schedule mix_phases(const Schedule& schedule, const Kept& kept, std::span<const EdgeId> order);

/// Whether a plan of that strategy has them mixed: where the order is wanted, and there are phases that may
/// change places, which those of tiles may not, since they hand vertices on.
bool mixes_phases(const Strategy& strategy, const Schedule* schedule, PhaseOrder wanted);

}  // namespace lockstep
