// Instantiates all walks for springs with multipliers.
#include "apps/springs/walk.cuh"

namespace lockstep::springs {

Sweeper multiplied_walk(const Springs& springs, float compliance) {
    return make_walk_sweeper<true>(springs, compliance);
}

}  // namespace lockstep::springs
