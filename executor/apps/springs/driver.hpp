// A run of springs: frames of substeps, each of which predicts positions, sweeps over the springs, and takes the
// velocities from what came of it. An engine does so on a device.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "apps/springs/spring.hpp"
#include "apps/springs/strips.hpp"
#include "lockstep/executor/edge/plan.hpp"

namespace lockstep::springs {

struct Settings {
    std::uint64_t frames = 60, substeps = 10, iterations = 1;
    double frame_seconds = 1.0 / 60;
    double compliance = 0;  ///< α, the inverse of a stiffness
    Velocity gravity{0, -9.81F, 0};
    double relaxation = 0.25;       ///< of Jacobi's sums
    std::optional<double> until{};  ///< residual at which a substep's sweeps end; `iterations` at most

    Substep substep() const;
    float scaled_compliance() const;  ///< α / Δt²
    /// Whether springs keep their multiplier between sweeps.
    bool multiplied() const { return compliance > 0 && iterations > 1; }
};

/// How a sweep keeps springs apart.
enum class Way {
    walk,    ///< as the plan's walk does
    strips,  ///< the plan's, on a GPU in one cluster of thread blocks
    sums,    ///< Jacobi: changes of all springs at once, added by atomic operations
    gather,  ///< Jacobi: every particle adds those of its own springs
};

/// What is simulated.
struct Model {
    EdgePlan plan;
    Array<float> rest;                ///< in the order of the plan
    std::vector<Particle> particles;  ///< by vertex
    Way way = Way::walk;
    std::optional<Strips> strips{};
};

/// The plan of a graph under a strategy, and what goes with it; strips are made here, and proved. `schedule`: that the
/// strategy needs, or an order. Throws as make_plan.
void plan_springs(Model& model, const Graph& graph, const Strategy& strategy, const Schedule* schedule);

struct State {
    std::vector<Particle> particles;
    std::vector<Velocity> velocities;
};

class Engine {
public:
    virtual ~Engine() = default;
    virtual void predict(const Substep& substep) = 0;
    /// Sweeps number `first`, … of a substep; `*seconds` is told their time.
    virtual SweepCounts sweep(std::uint64_t first, std::uint64_t count, double* seconds) = 0;
    virtual void finish(const Substep& substep) = 0;
    virtual void get(State& state) = 0;
    virtual void wait() {}  ///< until what was begun is done
    virtual EdgeId bytes() const = 0;
};
std::unique_ptr<Engine> on_cpu(const Model& model, const Settings& settings, int threads);
/// Throws Error (no_device) where the mesh does not fit there.
std::unique_ptr<Engine> on_cuda(const Model& model, const Settings& settings);
/// Serial: springs one after another in the order of the plan, particles likewise.
std::unique_ptr<Engine> reference(const Model& model, const Settings& settings);

/// What a frame did.
struct FrameCounts {
    SweepCounts sweeps;
    std::uint64_t iterations = 0;
    double sweep_seconds = 0, check_seconds = 0;
};
/// Where settings.until is given the residual is found after every sweep, which is no part of a run's time.
FrameCounts run_frame(Engine& engine, const Model& model, const Settings& settings);

/// Root mean square of (length - rest) / rest over all springs; summed in one order by any number of threads.
double residual(const Model& model, const std::vector<Particle>& particles);

}  // namespace lockstep::springs
