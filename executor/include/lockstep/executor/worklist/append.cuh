// Places: the threads of a block reserve positions in a list together, with few atomic operations (IrGL's
// cooperative conversion).
#pragma once

#include <cub/block/block_scan.cuh>

#include "lockstep/executor/device/warp.cuh"
#include "lockstep/executor/worklist/axes.hpp"

namespace lockstep::worklist {

/// Reserves positions in a list. An object of this class must be in shared memory.
template <int threads>
class PositionReservation {
public:
    /// Reserves `wanted` consecutive positions for this thread in the list of length `*size`, and returns the
    /// first one. Uses one atomic operation per thread, per warp or per block. All threads of the block must
    /// call it.
    __device__ __forceinline__ unsigned of(unsigned wanted, unsigned* size, Append append) {
        if (append == Append::thread) return wanted ? atomicAdd(size, wanted) : 0;
        if (append == Append::warp) {
            const unsigned up_to = gpu::inclusive_sum(wanted);
            unsigned first = 0;
            if (gpu::lane_of_warp() == 31 && up_to) first = atomicAdd(size, up_to);
            return __shfl_sync(~0U, first, 31) + up_to - wanted;
        }
        unsigned before, all;
        Scan(scan_storage_).ExclusiveSum(wanted, before, all);
        if (threadIdx.x == 0) first_ = all ? atomicAdd(size, all) : 0;
        __syncthreads();
        const unsigned at = first_ + before;
        __syncthreads();
        return at;
    }

private:
    using Scan = cub::BlockScan<unsigned, threads, cub::BLOCK_SCAN_WARP_SCANS>;
    typename Scan::TempStorage scan_storage_;
    unsigned first_;
};

}  // namespace lockstep::worklist
