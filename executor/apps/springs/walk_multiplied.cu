// Springs with multipliers by the walks.
#include "apps/springs/walk.cuh"

namespace lockstep::springs {

std::unique_ptr<Sweeper> multiplied_walk(const Model& model, float compliance) {
    return std::make_unique<WalkSweeper<true>>(model, compliance);
}

}  // namespace lockstep::springs
