// How an operator's long stars run on chip: by maps, or four edges at a time.
#pragma once

#include "lockstep/executor/cuda/long_star_fours.cuh"
#include "lockstep/executor/cuda/long_star_mapped.cuh"

namespace lockstep::gpu {

/// Where the operator clips its long stars are run as others.
struct NoLongStar {
    struct Next {};
    __host__ __device__ static constexpr int floats(int) { return 0; }
    template <class Op>
    __device__ static void initialise(const Op&, float*, int) {}
};

/// Not instantiated but for the one that is used.
template <class Op, bool clips = Op::clips, bool mapped = StarMap<Op>::used>
struct LongStarOf {
    using type = LongStarFours<Op>;
};
template <class Op>
struct LongStarOf<Op, false, true> {
    using type = LongStarMapped<Op>;
};
template <class Op, bool mapped>
struct LongStarOf<Op, true, mapped> {
    using type = NoLongStar;
};
template <class Op>
using LongStar = typename LongStarOf<Op>::type;

}  // namespace lockstep::gpu
