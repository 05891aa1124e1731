// The time of one access to global memory, for the work models of neighbour iteration
// (executor/arc/arcs.hpp), which count reads, writes and atomic additions of neighbouring or random words.
#pragma once

#include "apps/device.hpp"
#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::insight {

/// Seconds per access with all workers running: the time of all accesses, divided by their number.
struct Accesses {
    // Accesses of 4 bytes: in order (neighbouring workers access neighbouring words), and to random words.
    double read_in_order = 0, write_in_order = 0, read = 0, write = 0;
    double add_float = 0,
           add_whole = 0;  ///< atomic additions to random words: 4-byte floats, 8-byte integers
};

enum class Access { read, write, add_float, add_whole };

/// Returns entry `i` of a sequence of random indices below `size`.
LOCKSTEP_HD VertexId random_word(std::uint32_t i, VertexId size) {
    i = (i ^ i >> 16) * 0x85ebca6bU;
    i = (i ^ i >> 13) * 0xc2b2ae35U;  // the finaliser of MurmurHash3
    return static_cast<VertexId>(std::uint64_t{i ^ i >> 16} * size >> 32);
}

/// Measures accesses to an array of `size` words (at least 1): 2^21 accesses on a CPU, 2^24 on a GPU, so that
/// those of a smaller array repeat. Each time is the median of five runs. `threads`: number of CPU threads, 0
/// = all. Throws Error (no_device) if the device is missing.
Accesses measure_accesses(Device device, VertexId size, int threads = 0);
/// Measures the same accesses on the current GPU.
Accesses cuda_accesses(VertexId size);

}  // namespace lockstep::insight
