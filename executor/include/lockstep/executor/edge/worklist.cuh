// Passes over worklists: their workers, and the slots that count them.
#pragma once

#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

/// Workers of the next pass. When few edges of a pass found their ends free, fewer workers try the next,
/// until a good part of the attempts succeeds.
__device__ __forceinline__ unsigned next_active_workers(unsigned active, unsigned all, EdgeId tried,
                                                        EdgeId deferred) {
    const double success = static_cast<double>(tried - deferred) / static_cast<double>(tried);
    const auto wanted = static_cast<unsigned>(active * success / tuning::wanted_success);
    return min(all, max(static_cast<unsigned>(tuning::fewest_workers), wanted));
}

/// Counter of a worklist in pass `pass`: one is read, the next filled, and the one after cleared meanwhile.
__device__ __forceinline__ EdgeId* list_counter(EdgeId* counters, EdgeId pass) {
    return counters + list_size + pass % 3;
}

}  // namespace lockstep::gpu
