// The device memory of the walk `regions`, and its representation of labels (values as bits) and weights.
#pragma once

#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/frontier/regions.hpp"

namespace lockstep::frontier::regions_gpu {

using namespace lockstep::gpu;

// The lengths of the four warps' parts of the queue are read as one uint4.
inline constexpr int region_threads = 128, region_warps = 4;
inline constexpr std::uint32_t nothing = ~0U;  // the bits that mean "no label"
enum Verdict : std::uint32_t { proceed = 0, ended = 1, overdue = 2 };

struct RegionView {
    RegionShape shape;
    std::uint32_t regions, workers;
    /// number of words of a worker's line: floor, verdict, state (2 words), then the wake words of its
    /// regions
    std::uint32_t line;
    const unsigned char* records;
    std::uint32_t* labels;  ///< label of each slot of each region
    /// marks of each slot of each region: whether offers with the vertex's label remain to be sent
    unsigned char* deferred;
    std::uint32_t* inbox;
    /// lines of all workers, through which they communicate with each other and with the monitor
    std::uint32_t* lines;
    /// Owner of each region, then writer of each inbox word, for checks. nullptr: no checks.
    std::uint32_t* claims;
    std::uint32_t* verdict;  ///< verdict of the run, then the number of violations that the checks have found
    /// Labels that exceed the floor by more than this are deferred. `nothing`: no label is deferred.
    std::uint32_t window;
    std::uint32_t rounds;  ///< number of rounds in a region between two exchanges with other regions
    std::uint64_t max_nanoseconds;

    static constexpr std::uint32_t header = 4;
    __device__ std::uint32_t* line_of(std::uint32_t worker) const {
        return lines + std::size_t{worker} * line;
    }
    __device__ std::uint32_t* wake_word(std::uint32_t region) const {
        return line_of(region % workers) + header + region / workers;
    }
};

/// Returns the label that exceeds `floor` by `window`, but at most `none` - 1. Labels of floats are converted
/// to values for the addition.
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

/// The data that the warps of a worker exchange in shared memory.
struct alignas(16) RegionControl {
    // lengths of the warps' parts of the queue, for even and odd rounds
    std::uint32_t count[2][region_warps];
    // set by choose(): the next region of this worker, and the limit of labels
    std::uint32_t chosen, what, least, limit;
    // used by process_region(), while a region is processed
    std::uint32_t next_limit, deferred_least, working_least, woken, verdict;
};

/// Converts the weights of a row of four arcs from their storage format.
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
