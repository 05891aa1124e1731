// What of a GPU plans and launches depend on. Made-up figures do for predictions and tests.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

struct Properties {
    EdgeId multiprocessors = 0;
    EdgeId shared_bytes = 0;   ///< shared memory of a thread block, at most
    int major = 0, minor = 0;  ///< compute capability

    /// Bulk copies (bulk.cuh).
    bool copies_in_bulk() const { return major >= 9; }
    /// Clusters of thread blocks that see each other's shared memory.
    bool has_clusters() const { return major >= 9; }
};

/// Of a launch.
struct Shape {
    int threads;        ///< of a block
    int blocks_per_sm;  ///< at most
    bool near = false;  ///< the kernel reads through the L1 cache: shared memory takes no more than it needs
    EdgeId blocks = 0;  ///< exactly so many; 0: all that the device holds at once
};

}  // namespace lockstep::gpu
