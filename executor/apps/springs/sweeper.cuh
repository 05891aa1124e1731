// Interface of the classes that run the iterations of a substep on a GPU.
#pragma once

#include "apps/springs/driver.hpp"
#include "lockstep/executor/device/memory.cuh"

namespace lockstep::springs {

/// Runs iterations, or one of the two sweeps of each, on particles in an order of its own.
class Sweeper {
public:
    virtual ~Sweeper() = default;
    /// Vertex of each particle; null: particles are by vertex.
    virtual const std::vector<VertexId>* order() const { return nullptr; }
    virtual SweepCounts sweep(gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                              double* seconds) = 0;
    virtual EdgeId bytes() const = 0;
};
/// Makes a sweeper that uses a walk of the springs' plan. Each function is in a translation unit of its own,
/// because it instantiates every walk.
std::unique_ptr<Sweeper> rigid_walk(const Springs& springs, float compliance);
std::unique_ptr<Sweeper> multiplied_walk(const Springs& springs, float compliance);

/// Returns the payloads of springs, in the order of their plan.
template <class U>
std::vector<typename U::Edge> payloads_of(const Springs& springs) {
    std::vector<typename U::Edge> payloads(springs.plan.edges());
    for (EdgeId e = 0; e < payloads.size(); ++e) payloads[e].rest = springs.rest[e];
    return payloads;
}

}  // namespace lockstep::springs
