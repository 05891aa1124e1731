// A sweeper for springs on a GPU that uses the walk of their plan.
#pragma once

#include "apps/springs/sweeper.cuh"
#include "lockstep/executor/update/run.cuh"

namespace lockstep::springs {

template <bool multiplied>
class WalkSweeper {
public:
    using U = Spring<multiplied>;
    WalkSweeper(const Springs& springs, float compliance)
        : by_value_(update::payload_is_value<U> && update::payloads_are_values(springs.plan)),
          plan_(by_value_ ? springs.plan : marked(springs.plan), update::DeviceOperator<U>{},
                memory_limits(springs.plan)),
          payloads_(payloads_of<U>(springs)),
          compliance_(compliance) {
        if (by_value_) local()->set_values(reinterpret_cast<const float*>(payloads_.data()));
    }
    std::vector<VertexId> order() const { return local() ? local()->row_order() : std::vector<VertexId>{}; }
    SweepCounts sweep(gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                      double* seconds) {
        auto* const vectors = reinterpret_cast<update::Vector<U>*>(particles.data());
        SweepCounts counts{0, 0};
        for (std::uint64_t i = first; i < first + count; ++i) {
            double taken = 0;
            const typename U::Parameters parameters{compliance_, i == 0 ? 0.0F : 1.0F};
            counts = counts + plan_.sweep(
                                  update::DeviceOperator<U>{
                                      {vectors, vectors, payloads_.data()}, parameters, by_value_},
                                  &taken);
            *seconds += taken;
        }
        return counts;
    }
    EdgeId bytes() const { return plan_.bytes(); }

private:
    static gpu::DeviceMemoryLimits memory_limits(const EdgePlan& plan) {
        return {.other_bytes = plan.rows * (2 * sizeof(Particle) + sizeof(Velocity)) +
                               plan.edges() * sizeof(typename U::Edge)};
    }
    /// Returns a copy of the plan for walks with tiles in shared memory. The value of each edge is the index
    /// of its data, as such a walk requires.
    static EdgePlan marked(const EdgePlan& plan) {
        EdgePlan marked = plan;
        if (std::holds_alternative<LocalPlan>(plan.walk)) marked.value = update::shared_memory_values(plan);
        return marked;
    }
    gpu::DeviceWalk<LocalPlan>* local() const {
        return const_cast<gpu::DevicePlan&>(plan_).get_if<LocalPlan>();
    }

    bool by_value_;  ///< whether the value of an edge in shared memory is the rest length itself
    gpu::DevicePlan plan_;
    gpu::Buffer<typename U::Edge> payloads_;
    float compliance_;
};

template <bool multiplied>
Sweeper make_walk_sweeper(const Springs& springs, float compliance) {
    const auto work = std::make_shared<WalkSweeper<multiplied>>(springs, compliance);
    return make_sweeper(work, work->order());
}

}  // namespace lockstep::springs
