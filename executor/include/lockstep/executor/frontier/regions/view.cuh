// What the walk of regions has in device memory, and how it sees labels and weights.
#pragma once

#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/frontier/regions.hpp"

namespace lockstep::frontier::regions_gpu {

using namespace lockstep::gpu;

inline constexpr int region_threads = 128, region_warps = 4;  // counts of the warps are read as four words
inline constexpr std::uint32_t nothing = ~0U;                 // no label
enum Verdict : std::uint32_t { go_on = 0, ended = 1, overdue = 2 };

struct RegionView {
    RegionShape shape;
    std::uint32_t regions, workers;
    std::uint32_t line;  ///< words of a worker's line: floor, verdict, state (2), wake words
    const unsigned char* records;
    std::uint32_t* labels;    ///< by place
    unsigned char* deferred;  ///< by place: its label has not been passed on
    std::uint32_t* inbox;
    std::uint32_t* lines;
    std::uint32_t* claims;   ///< by region, then by word of the inbox; nullptr: not checked
    std::uint32_t* verdict;  ///< how it ended, then violations that the claims found
    std::uint32_t window;    ///< labels this far above the floor wait; `nothing`: none does
    std::uint32_t rounds;    ///< between two looks at the neighbours
    std::uint64_t most_nanoseconds;

    static constexpr std::uint32_t header = 4;
    __device__ std::uint32_t* line_of(std::uint32_t worker) const {
        return lines + std::size_t{worker} * line;
    }
    __device__ std::uint32_t* wake_word(std::uint32_t region) const {
        return line_of(region % workers) + header + region / workers;
    }
};

/// A label `window` above: of floats in their values.
template <class Value>
__device__ __forceinline__ std::uint32_t limit_of(std::uint32_t floor, std::uint32_t window,
                                                  std::uint32_t none) {
    if (window == nothing || floor >= none) return none - 1;
    if constexpr (std::is_same_v<Value, float>) {
        return min(bits_of(value_of<float>(floor) + value_of<float>(window)), none - 1);
    } else {
        return floor < none - 1 - min(window, none - 1) ? floor + window : none - 1;
    }
}

/// What the warps of a worker tell each other.
struct alignas(16) RegionControl {
    std::uint32_t count[2][region_warps];                                     // of the parts of the queue
    std::uint32_t chosen, what, least, limit;                                 // by choose()
    std::uint32_t next_limit, deferred_least, working_least, woken, verdict;  // while a region is worked on
};

/// The weights of a row as they are kept.
template <class Weight>
struct Four {
    using Packed = uint4;
    __device__ static float at(const uint4& w, int k) {
        return __uint_as_float(k == 0 ? w.x : k == 1 ? w.y : k == 2 ? w.z : w.w);
    }
};
template <>
struct Four<std::uint8_t> {
    using Packed = std::uint32_t;
    __device__ static float at(std::uint32_t w, int k) { return static_cast<float>(w >> (8 * k) & 0xFF); }
};
template <>
struct Four<std::uint16_t> {
    using Packed = uint2;
    __device__ static float at(uint2 w, int k) {
        return static_cast<float>((k < 2 ? w.x : w.y) >> (16 * (k % 2)) & 0xFFFF);
    }
};

}  // namespace lockstep::frontier::regions_gpu
