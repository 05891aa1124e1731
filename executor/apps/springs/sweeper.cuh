// A sweeper runs the iterations of a substep on a GPU.
#pragma once

#include <memory>

#include "apps/springs/driver.hpp"
#include "lockstep/executor/device/memory.cuh"

namespace lockstep::springs {

/// Runs iterations, or one of the two sweeps of each, on particles in an order of its own: `count` iterations
/// from number `first` of the substep on. Adds their time to `*seconds`.
struct Sweeper : Run<SweepCounts(gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                                 double* seconds)> {
    std::vector<VertexId> order;  ///< vertex of each particle; empty: particles are by vertex
};
/// Makes a sweeper that calls work->sweep(), for particles in `order`.
template <class Work>
Sweeper make_sweeper(std::shared_ptr<Work> work, std::vector<VertexId> order) {
    return {{work->bytes(), 0,
             [work](gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                    double* seconds) { return work->sweep(particles, first, count, seconds); }},
            std::move(order)};
}
/// Makes a sweeper that uses a walk of the springs' plan. Each function is in a translation unit of its own,
/// because it instantiates every walk.
Sweeper rigid_walk(const Springs& springs, float compliance);
Sweeper multiplied_walk(const Springs& springs, float compliance);

/// Returns the payloads of springs, in the order of their plan.
template <class U>
std::vector<typename U::Edge> payloads_of(const Springs& springs) {
    std::vector<typename U::Edge> payloads(springs.plan.edges());
    for (EdgeId e = 0; e < payloads.size(); ++e) payloads[e].rest = springs.rest[e];
    return payloads;
}

}  // namespace lockstep::springs
