// Springs without multipliers by the walks.
#include "apps/springs/walk.cuh"

namespace lockstep::springs {

std::unique_ptr<Sweeper> rigid_walk(const Model& model, float compliance) {
    return std::make_unique<WalkSweeper<false>>(model, compliance);
}

}  // namespace lockstep::springs
