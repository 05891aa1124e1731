// Properties of a GPU on which plans and launches depend. Predictions and tests may use invented values.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

struct Properties {
    EdgeId multiprocessors = 0;
    EdgeId shared_bytes = 0;   ///< maximum shared memory per thread block
    int major = 0, minor = 0;  ///< compute capability

    /// Returns true if the device has bulk copies (bulk.cuh).
    bool copies_in_bulk() const { return major >= 9; }
    /// Returns true if thread blocks can form clusters that access each other's shared memory.
    bool has_clusters() const { return major >= 9; }
};

/// Size of a launch.
struct Shape {
    int threads;        ///< threads per block
    int blocks_per_sm;  ///< maximum number of blocks per multiprocessor
    bool near = false;  ///< the kernel reads through the L1 cache, so that shared memory should be small
    EdgeId blocks = 0;  ///< exact number of blocks; 0: as many as the device holds concurrently
};

}  // namespace lockstep::gpu
