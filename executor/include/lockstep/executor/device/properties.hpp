// The properties of a GPU on which plans and launches depend. Predictions and tests may use the properties of
// an imaginary GPU.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

struct Properties {
    EdgeId multiprocessors = 0;
    EdgeId shared_bytes = 0;   ///< maximum bytes of shared memory per thread block
    int major = 0, minor = 0;  ///< compute capability major.minor

    /// Returns true if the device has bulk copies (bulk.cuh).
    bool copies_in_bulk() const { return major >= 9; }
    /// Returns true if thread blocks can form clusters that access each other's shared memory.
    bool has_clusters() const { return major >= 9; }
};

/// The launch configuration of a kernel.
struct Shape {
    int threads;        ///< threads per block
    int blocks_per_sm;  ///< maximum number of blocks per multiprocessor
    /// whether the kernel reads through the L1 cache, which should then get most of the on-chip memory
    bool near = false;
    EdgeId blocks = 0;  ///< exact number of thread blocks; 0: as many as can be resident concurrently
};

}  // namespace lockstep::gpu
