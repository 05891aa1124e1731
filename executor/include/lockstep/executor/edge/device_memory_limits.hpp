// The number of GPUs, and the limits of their memory, with which a plan is uploaded.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

struct DeviceMemoryLimits {
    /// bytes of device memory that the application's own data occupies on the first GPU
    EdgeId other_bytes = 0;
    int gpus = 1;  ///< tiled walk: number of GPUs; at most the number of row groups of the plan
    /// tiled walk: maximum number of bytes to use on each GPU; 0 = all free memory
    EdgeId device_memory = 0;
};

}  // namespace lockstep::gpu
