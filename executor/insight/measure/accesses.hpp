// What an access to global memory costs, as the work models of neighbour iteration count them
// (executor/arc/arcs.hpp): reads, writes and atomic additions, of neighbouring words or of random ones.
#pragma once

#include "apps/device.hpp"
#include "lockstep/executor/lanes.hpp"
#include "lockstep/schedules/types.hpp"

namespace lockstep::insight {

/// Seconds of one access, of all workers together: of all accesses, over their number.
struct Accesses {
    // 4 bytes each, by neighbouring workers to neighbouring words; to random ones.
    double read_in_order = 0, write_in_order = 0, read = 0, write = 0;
    double add_float = 0,
           add_whole = 0;  ///< atomically, to random words: 4 bytes of float, 8 of whole number
};

enum class Access { read, write, add_float, add_whole };

/// Number i of a sequence of random words below `size`.
LOCKSTEP_HD VertexId random_word(std::uint32_t i, VertexId size) {
    i = (i ^ i >> 16) * 0x85ebca6bU;
    i = (i ^ i >> 13) * 0xc2b2ae35U;  // the finaliser of MurmurHash3
    return static_cast<VertexId>(std::uint64_t{i ^ i >> 16} * size >> 32);
}

/// To an array of `size` words (1 at least): millions of accesses, of a GPU 2^24, which come back to a word
/// where there are fewer. Medians of five. `threads` of a CPU, 0: all. Throws Error (no_device) without the device.
Accesses measure_accesses(Device device, VertexId size, int threads = 0);
/// The same on the present GPU.
Accesses cuda_accesses(VertexId size);

}  // namespace lockstep::insight
