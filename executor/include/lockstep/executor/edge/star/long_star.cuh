// Selects the method for an operator's long stars in shared memory: segments with affine maps, or four edges
// at a time (star/arithmetic.hpp).
#pragma once

#include "lockstep/executor/edge/star/fours.cuh"
#include "lockstep/executor/edge/star/mapped.cuh"

namespace lockstep::gpu {

/// Replaces the class of long stars for operators that are not affine. Their long stars are processed like
/// other stars.
struct NoLongStar {
    struct Next {};
    static constexpr int fixed_floats = 0, place_floats = 0;
};

/// Returns the type of an operator's long stars, in a type_identity. Only the selected type is instantiated.
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
