// Measures the time of accesses to memory. The work models of algorithms along arcs (executor/arc/arcs.hpp)
// count reads, writes and atomic additions of consecutive or random words; the product with these times is a
// lower bound of an algorithm's time.
#pragma once

#include "apps/device.hpp"
#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::insight {

/// Times of accesses in seconds, while all workers access memory: the time of all accesses divided by their
/// number.
struct Accesses {
    // Accesses to words of 4 bytes: "in order" if neighbouring workers access neighbouring words, otherwise
    // random.
    double read_in_order = 0, write_in_order = 0, read = 0, write = 0;
    double add_float = 0,
           add_whole = 0;  ///< atomic additions to random words: 4-byte floats and 8-byte integers
};

enum class Access { read, write, add_float, add_whole };

/// Returns entry `i` of a fixed sequence of random indices below `size`.
LOCKSTEP_HD VertexId random_word(std::uint32_t i, VertexId size) {
    i = (i ^ i >> 16) * 0x85ebca6bU;
    i = (i ^ i >> 13) * 0xc2b2ae35U;  // finalizer of MurmurHash3
    return static_cast<VertexId>(std::uint64_t{i ^ i >> 16} * size >> 32);
}

/// Measures accesses to an array of `size` words (at least 1). A run makes 2^21 accesses on a CPU and 2^24 on
/// a GPU, so words of smaller arrays are accessed several times. Each result is the median of five runs.
/// `threads` is the number of CPU threads; 0: all. Throws Error (no_device) if the device does not exist.
Accesses measure_accesses(Device device, VertexId size, int threads = 0);
/// Measures the same accesses on the current GPU.
Accesses cuda_accesses(VertexId size);

}  // namespace lockstep::insight
