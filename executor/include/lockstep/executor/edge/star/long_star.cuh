// The method by which an operator's long stars run in shared memory: by maps, or four edges at a time.
#pragma once

#include "lockstep/executor/edge/star/fours.cuh"
#include "lockstep/executor/edge/star/mapped.cuh"

namespace lockstep::gpu {

/// Stands for the long stars of an operator that is not affine; they run like other stars.
struct NoLongStar {
    struct Next {};
    static constexpr int fixed_floats = 0, place_floats = 0;
};

/// Returns the type of an operator's long stars. Only that type is instantiated.
template <class Op>
constexpr auto long_star_of() {
    if constexpr (!Op::affine)
        return std::type_identity<NoLongStar>{};
    else if constexpr (StarMap<Op>::used)
        return std::type_identity<LongStarMapped<Op>>{};
    else
        return std::type_identity<LongStarFours<Op>>{};
}
template <class Op>
using LongStar = typename decltype(long_star_of<Op>())::type;

}  // namespace lockstep::gpu
