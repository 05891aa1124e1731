// Springs with multipliers, by the walks.
#include "apps/springs/walk.cuh"

namespace lockstep::springs {

std::unique_ptr<Sweeper> multiplied_walk(const Springs& springs, float compliance) {
    return std::make_unique<WalkSweeper<true>>(springs, compliance);
}

}  // namespace lockstep::springs
