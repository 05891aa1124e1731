// The GPUs, and the memory on them, that an application leaves to a plan.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

struct Room {
    EdgeId other_bytes = 0;  ///< bytes of device memory that the application itself uses (on the first GPU)
    int gpus = 1;            ///< tiled walk: number of GPUs, at most the number of groups of the plan
    /// tiled walk: maximum number of bytes to use on each GPU; 0 = all free memory
    EdgeId device_memory = 0;
};

}  // namespace lockstep::gpu
