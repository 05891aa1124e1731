// Springs without multipliers, by the walks.
#include "apps/springs/walk.cuh"

namespace lockstep::springs {

std::unique_ptr<Sweeper> rigid_walk(const Springs& springs, float compliance) {
    return std::make_unique<WalkSweeper<false>>(springs, compliance);
}

}  // namespace lockstep::springs
