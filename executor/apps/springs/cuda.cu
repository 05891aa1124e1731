// Simulates springs on a GPU. The sweeps use the walk of the plan, strips of the mesh in shared memory, or
// the Jacobi method. The steps before and after the sweeps run with one thread per particle.
#include <numeric>

#include "apps/springs/jacobi.hpp"
#include "apps/springs/strips.cuh"
#include "apps/springs/sweeper.cuh"
#include "lockstep/executor/device/streams.cuh"
#include "lockstep/formats/console.hpp"

namespace lockstep::springs {

namespace {

constexpr int threads = 256;

/// Calls run(i) for all i below `count`, in one thread for each i.
template <class Run>
__global__ void for_each(VertexId count, Run run) {
    const VertexId i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) run(i);
}
template <class Run>
void launch_for_each(EdgeId count, Run run) {
    if (count == 0) return;
    for_each<<<static_cast<unsigned>((count + threads - 1) / threads), threads>>>(
        checked_cast<VertexId>(count, "springs"), run);
    LOCKSTEP_CUDA(cudaGetLastError());
}

struct Predict {
    Particle *particles, *before;
    Velocity* velocities;
    Substep substep;
    __device__ void operator()(VertexId v) const { predict(particles[v], before[v], velocities[v], substep); }
};
struct Finish {
    const Particle *particles, *before;
    Velocity* velocities;
    Substep substep;
    __device__ void operator()(VertexId v) const { finish(particles[v], before[v], velocities[v], substep); }
};

/// Jacobi method with one thread per spring: each thread adds the changes of its spring to the sums of both
/// endpoints.
struct AddChanges {
    const VertexId *row, *col;
    const float* rest;
    const Particle* particles;
    float4* changes;
    Spring<false>::Parameters parameters;
    __device__ void operator()(VertexId e) const {
        const Particle a = particles[row[e]], b = particles[col[e]];
        add_to(changes + row[e], change_of(a, b, rest[e], parameters));
        add_to(changes + col[e], change_of(b, a, rest[e], parameters));
    }
    __device__ static void add_to(float4* to, const Velocity& c) {
#if __CUDA_ARCH__ >= 900
        atomicAdd(to, make_float4(c.x, c.y, c.z, 0));
#else
        atomicAdd(&to->x, c.x), atomicAdd(&to->y, c.y), atomicAdd(&to->z, c.z);
#endif
    }
};
struct TakeChanges {
    Particle* particles;
    float4* changes;
    float part;
    __device__ void operator()(VertexId v) const {
        const float4 c = changes[v];
        particles[v] = moved_by(particles[v], {c.x, c.y, c.z}, part);
        changes[v] = float4{};
    }
};
struct Gather {
    const Particle* particles;
    Particle* moved;
    const EdgeId* first;
    const Incidence::End* ends;
    Spring<false>::Parameters parameters;
    float part;
    __device__ void operator()(VertexId v) const {
        moved[v] = gather_corrections(particles, v, first, ends, parameters, part);
    }
};

class JacobiSweeper {
public:
    JacobiSweeper(const Model& model, const Settings& settings)
        : parameters_{scaled_compliance(model, settings), 0},
          part_(static_cast<float>(settings.relaxation)),
          edges_(model.plan.edges()) {
        if (model.method == ConflictMethod::gather) {
            const Incidence incidence = incidence_of(model);
            first_ = gpu::Buffer<EdgeId>(incidence.first),
            ends_ = gpu::Buffer<Incidence::End>(incidence.ends);
            moved_ = gpu::Buffer<Particle>(model.particles.size());
        } else {
            row_ = gpu::Buffer<VertexId>(std::span<const VertexId>(model.plan.row));
            col_ = gpu::Buffer<VertexId>(std::span<const VertexId>(model.plan.col));
            rest_ = gpu::Buffer<float>(std::span<const float>(model.rest));
            changes_ = gpu::Buffer<float4>(model.particles.size());
            changes_.zero();
        }
    }
    SweepCounts sweep(gpu::Buffer<Particle>& particles, std::uint64_t, std::uint64_t count, double* seconds) {
        gpu::Timer timer;
        for (std::uint64_t i = 0; i < count; ++i) {
            if (moved_.size()) {
                launch_for_each(particles.size(), Gather{particles.data(), moved_.data(), first_.data(),
                                                         ends_.data(), parameters_, part_});
                std::swap(particles, moved_);
            } else {
                launch_for_each(edges_, AddChanges{row_.data(), col_.data(), rest_.data(), particles.data(),
                                                   changes_.data(), parameters_});
                launch_for_each(particles.size(), TakeChanges{particles.data(), changes_.data(), part_});
            }
        }
        *seconds += timer.seconds();
        return {edges_ * count, count};
    }
    EdgeId bytes() const {
        return first_.size() * sizeof(EdgeId) + ends_.size() * sizeof(Incidence::End) + 12 * rest_.size() +
               16 * (moved_.size() + changes_.size());
    }

private:
    Spring<false>::Parameters parameters_;
    float part_;
    EdgeId edges_;
    gpu::Buffer<VertexId> row_, col_;
    gpu::Buffer<float> rest_;
    gpu::Buffer<float4> changes_;
    gpu::Buffer<EdgeId> first_;
    gpu::Buffer<Incidence::End> ends_;
    gpu::Buffer<Particle> moved_;
};

template <bool multiplied>
class StripsSweeper {
public:
    StripsSweeper(const Model& model, float compliance)
        : strips_(*model.strips, model, payloads_of<Spring<multiplied>>(model)),
          compliance_(compliance),
          edges_(model.plan.edges()),
          sweeps_(model.sweeps()) {}
    SweepCounts sweep(gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                      double* seconds) {
        gpu::Timer timer;
        strips_.sweep(particles.data(), compliance_, first, count);
        *seconds += timer.seconds();
        return {edges_ * sweeps_ * count, sweeps_ * count};
    }
    EdgeId bytes() const { return strips_.bytes(); }

private:
    gpu::StripsOnDevice<Spring<multiplied>> strips_;
    float compliance_;
    EdgeId edges_;
    unsigned sweeps_;
};

/// Copies particles into another order: moved[i] becomes particles[from[i]].
struct Permute {
    const Particle* particles;
    Particle* moved;
    const VertexId* from;
    __device__ void operator()(VertexId i) const { moved[i] = particles[from[i]]; }
};

/// Runs symmetric iterations: a forward and a backward sweep, each with its own sweeper and its own order of
/// the particles.
class SymmetricSweeper {
public:
    SymmetricSweeper(Sweeper forward, Sweeper backward, std::size_t particles)
        : forward_(std::move(forward)), backward_(std::move(backward)) {
        if (forward_.order.empty() && backward_.order.empty()) return;
        const std::vector<VertexId> here = vertices(forward_, particles),
                                    there = vertices(backward_, particles);
        to_backward_ = gpu::Buffer<VertexId>(indices_in(here, there));
        to_forward_ = gpu::Buffer<VertexId>(indices_in(there, here));
        moved_ = gpu::Buffer<Particle>(particles);
    }
    SweepCounts sweep(gpu::Buffer<Particle>& particles, std::uint64_t first, std::uint64_t count,
                      double* seconds) {
        SweepCounts counts{0, 0};
        for (std::uint64_t i = first; i < first + count; ++i) {
            counts = counts + forward_.run(particles, i, 1, seconds);
            permute(particles, to_backward_, seconds);
            counts = counts + backward_.run(particles, i, 1, seconds);
            permute(particles, to_forward_, seconds);
        }
        return counts;
    }
    EdgeId bytes() const {
        return forward_.bytes + backward_.bytes + moved_.size() * sizeof(Particle) +
               (to_backward_.size() + to_forward_.size()) * sizeof(VertexId);
    }

private:
    static std::vector<VertexId> vertices(const Sweeper& sweeper, std::size_t particles) {
        if (!sweeper.order.empty()) return sweeper.order;
        std::vector<VertexId> order(particles);
        std::iota(order.begin(), order.end(), VertexId{0});
        return order;
    }
    /// Returns the index in `order` of each vertex in `wanted`.
    static std::vector<VertexId> indices_in(const std::vector<VertexId>& order,
                                            const std::vector<VertexId>& wanted) {
        std::vector<VertexId> index(order.size()), indices(order.size());
        for (VertexId i = 0; i < order.size(); ++i) index[order[i]] = i;
        for (VertexId i = 0; i < order.size(); ++i) indices[i] = index[wanted[i]];
        return indices;
    }
    void permute(gpu::Buffer<Particle>& particles, const gpu::Buffer<VertexId>& from, double* seconds) {
        if (!from.size()) return;
        gpu::Timer timer;
        launch_for_each(particles.size(), Permute{particles.data(), moved_.data(), from.data()});
        std::swap(particles, moved_);
        *seconds += timer.seconds();
    }

    Sweeper forward_, backward_;
    /// Permutations between the particle orders of the two sweepers; empty if the orders are equal.
    gpu::Buffer<VertexId> to_backward_, to_forward_;
    gpu::Buffer<Particle> moved_;
};

template <bool multiplied>
Sweeper make_strips_sweeper(const Model& model, float compliance) {
    return make_sweeper(std::make_shared<StripsSweeper<multiplied>>(model, compliance), model.strips->order);
}
Sweeper make_symmetric_sweeper(Sweeper forward, Sweeper backward, std::size_t particles) {
    std::vector<VertexId> order = forward.order;
    return make_sweeper(
        std::make_shared<SymmetricSweeper>(std::move(forward), std::move(backward), particles),
        std::move(order));
}
Sweeper sweeper_of(const Model& model, const Settings& settings) {
    const float compliance = scaled_compliance(model, settings);
    const bool multiplied = settings.multiplied();
    const auto walk = [&](const Springs& springs) {
        return multiplied ? multiplied_walk(springs, compliance) : rigid_walk(springs, compliance);
    };
    switch (model.method) {
        case ConflictMethod::strips:
            return multiplied ? make_strips_sweeper<true>(model, compliance)
                              : make_strips_sweeper<false>(model, compliance);
        case ConflictMethod::walk:
            if (!model.backward) return walk(model);
            return make_symmetric_sweeper(walk(model), walk(*model.backward), model.particles.size());
        default:
            return make_sweeper(std::make_shared<JacobiSweeper>(model, settings), {});
    }
}

class OnCuda {
public:
    OnCuda(const Model& model, const Settings& settings)
        : sweeper_(sweeper_of(model, settings)),
          particles_(model.particles.size()),
          before_(model.particles.size()),
          velocities_(std::vector<Velocity>(model.particles.size())) {
        std::vector<Particle> placed(model.particles.size());
        for (VertexId i = 0; i < placed.size(); ++i) placed[i] = model.particles[vertex(i)];
        particles_.upload(placed);
    }
    SweepCounts run(const Step& step, double* seconds) {
        const Substep& substep = step.substep;
        if (step.begins)
            launch_for_each(particles_.size(),
                            Predict{particles_.data(), before_.data(), velocities_.data(), substep});
        SweepCounts counts{0, 0};
        if (step.count) counts = sweeper_.run(particles_, step.first, step.count, seconds);
        if (step.ends)
            launch_for_each(particles_.size(),
                            Finish{particles_.data(), before_.data(), velocities_.data(), substep});
        if (step.waits) LOCKSTEP_CUDA(cudaDeviceSynchronize());
        return counts;
    }
    State state() const {
        const std::vector<Particle> particles = particles_.download();
        const std::vector<Velocity> velocities = velocities_.download();
        State state{std::vector<Particle>(particles.size()), std::vector<Velocity>(particles.size())};
        for (VertexId i = 0; i < particles.size(); ++i)
            state.particles[vertex(i)] = particles[i], state.velocities[vertex(i)] = velocities[i];
        return state;
    }
    EdgeId bytes() const {
        return sweeper_.bytes + particles_.size() * (2 * sizeof(Particle) + sizeof(Velocity));
    }

private:
    VertexId vertex(VertexId place) const { return sweeper_.order.empty() ? place : sweeper_.order[place]; }
    Sweeper sweeper_;
    gpu::Buffer<Particle> particles_, before_;
    gpu::Buffer<Velocity> velocities_;
};

}  // namespace

Simulation on_cuda(const Model& model, const Settings& settings) {
    const Stopwatch transfer;
    const auto work = std::make_shared<OnCuda>(model, settings);
    return {.bytes = work->bytes(),
            .transfer_seconds = transfer.seconds(),
            .run = [work](const Step& step, double* seconds) { return work->run(step, seconds); },
            .result = [work] { return work->state(); }};
}

}  // namespace lockstep::springs
