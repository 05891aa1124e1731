// How the sweeps of a substep go on a GPU.
#pragma once

#include "apps/springs/driver.hpp"
#include "lockstep/executor/device/memory.cuh"

namespace lockstep::springs {

/// Its particles lie at places that it may order.
class Sweeper {
public:
    virtual ~Sweeper() = default;
    virtual const std::vector<VertexId>* order() const { return nullptr; }  ///< place -> vertex
    virtual SweepCounts sweep(gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                              double* seconds) = 0;
    virtual EdgeId bytes() const = 0;
};
/// A walk of the plan. Each is a unit by itself, since it has all walks there are.
std::unique_ptr<Sweeper> rigid_walk(const Model& model, float compliance);
std::unique_ptr<Sweeper> multiplied_walk(const Model& model, float compliance);

/// The payloads of a model's springs, in the order of the plan.
template <class U>
std::vector<typename U::Edge> payloads_of(const Model& model) {
    std::vector<typename U::Edge> payloads(model.plan.edges());
    for (EdgeId e = 0; e < payloads.size(); ++e) payloads[e].rest = model.rest[e];
    return payloads;
}

}  // namespace lockstep::springs
