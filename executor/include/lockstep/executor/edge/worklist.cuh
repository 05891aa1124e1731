// Passes over worklists of deferred edges: the number of workers of a pass, and the counters of the
// worklists.
#pragma once

#include "lockstep/executor/edge/edges.cuh"
#include "lockstep/executor/edge/tuning.hpp"

namespace lockstep::gpu {

/// Returns the number of workers of the next pass, after a pass that tried `tried` edges and deferred
/// `deferred` of them. If too few attempts succeeded, the next pass has fewer workers, so that fewer of them
/// conflict.
__device__ __forceinline__ unsigned next_active_workers(unsigned active, unsigned all, EdgeId tried,
                                                        EdgeId deferred) {
    const double success = static_cast<double>(tried - deferred) / static_cast<double>(tried);
    const auto wanted = static_cast<unsigned>(active * success / tuning::wanted_success);
    return min(all, max(static_cast<unsigned>(tuning::min_workers), wanted));
}

/// Returns the counter of the worklist of pass `pass`. Three counters are used in turn: the current pass
/// reads one and fills the next, and the third one is cleared meanwhile.
__device__ __forceinline__ EdgeId* list_counter(EdgeId* counters, EdgeId pass) {
    return counters + list_size + pass % 3;
}

}  // namespace lockstep::gpu
