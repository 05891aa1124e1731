// The interface of a sweeper, which runs sweeps over the springs of a model on a GPU.
#pragma once

#include <memory>

#include "apps/springs/driver.hpp"
#include "lockstep/executor/device/memory.cuh"

namespace lockstep::springs {

/// Runs `count` iterations of a substep, beginning with number `first`, or in symmetric iterations one of
/// their two sweeps. The particles are in the sweeper's own order. Adds the execution time to `*seconds`.
struct Sweeper : Run<SweepCounts(gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                                 double* seconds)> {
    /// Vertex of each particle; empty if particles are in the order of the vertices.
    std::vector<VertexId> order;
};
/// Makes a sweeper from an object with a function sweep(), for particles in the order `order`.
template <class Work>
Sweeper make_sweeper(std::shared_ptr<Work> work, std::vector<VertexId> order) {
    return {{work->bytes(), 0,
             [work](gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                    double* seconds) { return work->sweep(particles, first, count, seconds); }},
            std::move(order)};
}
/// Makes a sweeper that runs the walk of the springs' plan, for springs without and with multipliers. The two
/// functions are in separate source files that compile in parallel, since each instantiates all walks.
Sweeper rigid_walk(const Springs& springs, float compliance);
Sweeper multiplied_walk(const Springs& springs, float compliance);

/// Returns the edge data of the springs (rest lengths, and multipliers of 0 if there are any), in the order
/// of their plan.
template <class U>
std::vector<typename U::Edge> payloads_of(const Springs& springs) {
    std::vector<typename U::Edge> payloads(springs.plan.edges());
    for (EdgeId e = 0; e < payloads.size(); ++e) payloads[e].rest = springs.rest[e];
    return payloads;
}

}  // namespace lockstep::springs
