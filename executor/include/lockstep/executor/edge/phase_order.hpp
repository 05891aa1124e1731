// Chooses the order in which a plan runs the phases of its schedule. Every order of phases is conflict-free
// and equals some serial order of the edges, but the error of SGD falls faster with some orders. Greedy
// builders make the phases smaller and smaller, so in their order a sweep ends with edges of hubs only. A
// pseudo-random order of the phases avoids this.
#pragma once

#include "lockstep/executor/edge/plan_parts.hpp"
#include "lockstep/executor/strategy.hpp"

namespace lockstep {

enum class PhaseOrder {
    given,  ///< the order of the schedule
    /// a pseudo-random, reproducible order, in which small phases stay next to each other; the error falls as
    /// fast as with shuffled edges
    mixed,
};

/// A phase with fewer edges than this is small: one thread block runs it faster than the whole device, at any
/// number of factors. The mixed order puts small phases next to each other, so that one block can run many of
/// them without a device-wide barrier.
inline constexpr EdgeId small_phase = 512;

/// Returns `schedule` with its phases in the mixed order, within each block if it has blocks. `order`
/// contains the edges of the schedule without the held-out edges, which `kept` describes. The levels of the
/// result refer to its own edge order. Tasks are not divided. If there are residents, a block is split into
/// consecutive blocks of small and of other phases, each with all residents of the original block. O(edges +
/// phases log phases)
Schedule mix_phases(const Schedule& schedule, const TrainingPositions& kept, std::span<const EdgeId> order);

/// Returns true if a plan of the strategy has mixed phases: `wanted` is `mixed`, and the schedule has phases
/// that may be reordered. Phases that consist of tiles keep their order, because a tile hands its vectors
/// over to tiles of later phases.
bool mixes_phases(const Strategy& strategy, const Schedule* schedule, PhaseOrder wanted);

}  // namespace lockstep
