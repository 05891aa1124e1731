// Passes over worklists: the number of their workers, and the counters of the worklists.
#pragma once

#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

/// Returns the number of workers of the next pass. If few edges of a pass found their endpoints free, the
/// next pass has fewer workers, until a sufficient share of the attempts succeeds.
__device__ __forceinline__ unsigned next_active_workers(unsigned active, unsigned all, EdgeId tried,
                                                        EdgeId deferred) {
    const double success = static_cast<double>(tried - deferred) / static_cast<double>(tried);
    const auto wanted = static_cast<unsigned>(active * success / tuning::wanted_success);
    return min(all, max(static_cast<unsigned>(tuning::fewest_workers), wanted));
}

/// Returns the counter of the worklist of pass `pass`. Of three counters, one is read, the next is filled,
/// and the third is cleared at the same time.
__device__ __forceinline__ EdgeId* list_counter(EdgeId* counters, EdgeId pass) {
    return counters + list_size + pass % 3;
}

}  // namespace lockstep::gpu
