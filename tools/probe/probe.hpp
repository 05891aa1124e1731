// What lockstep-probe measures on a GPU.
#pragma once

#include <string>

namespace lockstep {

struct Probe {
    std::string device;
    int rank;
    double barrier, block_barrier, update_l2, update_near, update_locked;  ///< seconds
    double racing_rate, locked_rate;                                       ///< updates a second
};

/// With the updates of SGD at rank 16. Throws Error (no_device) without a GPU.
Probe probe_gpu();

}  // namespace lockstep
