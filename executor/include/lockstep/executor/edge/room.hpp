// What an application leaves a plan on a GPU.
#pragma once

#include "lockstep/schedules/types.hpp"

namespace lockstep::gpu {

struct Room {
    EdgeId other_bytes = 0;    ///< of device memory, that the application takes (of the first GPU)
    int gpus = 1;              ///< tiled: at most as many as the plan has groups
    EdgeId device_memory = 0;  ///< tiled: bytes to take at most of each GPU; 0 = all that are free
};

}  // namespace lockstep::gpu
