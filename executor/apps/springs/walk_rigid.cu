// Instantiates all walks for springs without multipliers.
#include "apps/springs/walk.cuh"

namespace lockstep::springs {

Sweeper rigid_walk(const Springs& springs, float compliance) {
    return make_walk_sweeper<false>(springs, compliance);
}

}  // namespace lockstep::springs
