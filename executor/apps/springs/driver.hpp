// Simulates springs. A run is a sequence of frames, each divided into substeps. A substep predicts the
// positions of all particles, iterates over the springs to correct them, and sets the velocities to the
// changes of the positions. A Simulation does this on one device.
//
// In a symmetric iteration, a sweep in the order of the schedule is followed by a sweep in the opposite
// order, for stability: in small motions, the sweeps of a substep multiply the positions by a matrix P, a
// product of one projection per spring, so that y(n + 1) = P (2 y(n) - y(n - 1)). An eigenvalue m of P gives
// the two growth factors m ± sqrt(m (m - 1)). Their absolute value is sqrt(m) <= 1 for real m in [0, 1], but
// above 1 for complex m: 1 + sqrt(t / 2) for m = exp(i t) and small t. The product in one order has complex
// eigenvalues for any length of a substep. The product in one order and then in the opposite order is
// self-adjoint in the metric of the masses, with eigenvalues in [0, 1]. The Jacobi method is self-adjoint
// without a second sweep.
#pragma once

#include <optional>

#include "apps/springs/spring.hpp"
#include "apps/springs/strips.hpp"
#include "lockstep/executor/edge/plan.hpp"
#include "lockstep/executor/run.hpp"

namespace lockstep::springs {

struct Settings {
    std::uint64_t frames = 60, substeps = 10, iterations = 1;
    double frame_seconds = 1.0 / 60;
    double compliance = 0;  ///< α, the inverse of the stiffness of the springs
    Velocity gravity{0, -9.81F, 0};
    double relaxation = 0.25;  ///< Jacobi: share of the sum of its changes by which a particle moves
    /// Residual below which the iterations of a substep end, after at most `iterations` of them; nullopt:
    /// always `iterations`.
    std::optional<double> until{};
    bool symmetric = true;  ///< whether an iteration has a second sweep in the opposite order
    double damping = 0;     ///< rate at which velocities decay, per second: exp(-damping t)

    Substep substep() const;
    /// Returns true if springs store their multipliers between iterations.
    bool multiplied() const { return compliance > 0 && iterations > 1; }
    /// Returns the number of multipliers that each spring stores: one for each sweep of an iteration (see
    /// scaled_compliance).
    unsigned multipliers() const { return multiplied() ? 1 + unsigned{symmetric} : 0; }
};

/// The method by which a sweep prevents conflicts between springs that share a particle.
enum class ConflictMethod {
    walk,  ///< the walk of the plan, as in any application that updates edges
    /// On a GPU, strips of the mesh in the shared memory of one cluster of thread blocks; on a CPU, the walk
    /// of the plan.
    strips,
    /// Jacobi: all springs use the same positions, and add their changes to their endpoints with atomic
    /// operations.
    sums,
    /// Jacobi: all springs use the same positions, and each particle adds the changes of its springs.
    gather,
};

/// The springs of a model in the order of one sweep.
struct Springs {
    EdgePlan plan;
    Array<float> rest;  ///< rest length of each spring, in the order of the plan
};
/// The model that is simulated. The springs of the base class are those of the first sweep of an iteration.
struct Model : Springs {
    std::vector<Particle> particles;  ///< position and inverse mass of each particle, by vertex
    ConflictMethod method = ConflictMethod::walk;
    std::optional<Strips> strips{};
    /// Springs in the order of the second sweep of a symmetric iteration; nullopt if there is none.
    std::optional<Springs> backward{};

    unsigned sweeps() const { return backward ? 2 : 1; }  ///< number of sweeps in an iteration
};

/// Makes the plan of the springs for a strategy, or divides the mesh into strips if the strategy uses strips.
/// `schedule` is the schedule that the strategy requires, or an edge order. Throws the errors of make_plan,
/// and Error (verification) if the strips have conflicts.
void plan_springs(Model& model, const Graph& graph, const Strategy& strategy, const Schedule* schedule);
/// Adds the second sweep of symmetric iterations to a model that has its plan and rest lengths. Does nothing
/// for Jacobi methods. `strategy` and `schedule` are those with which the plan was made. Throws the errors of
/// make_plan. O(springs), 24 bytes per spring.
void add_backward_sweep(Model& model, const Graph& graph, const Strategy& strategy, const Schedule* schedule);
/// Returns α / Δt² multiplied by the number of sweeps in an iteration. The two sweeps of a symmetric
/// iteration treat a spring as two parallel springs, each with twice the compliance.
float scaled_compliance(const Model& model, const Settings& settings);

struct State {
    std::vector<Particle> particles;
    std::vector<Velocity> velocities;
};

/// The part of a substep that one call of a simulation runs: its beginning, some of its iterations, its end,
/// or several of these.
struct Step {
    Substep substep;
    /// The iterations with the numbers `first` to `first + count - 1` are run.
    std::uint64_t first = 0, count = 0;
    bool begins = false;  ///< whether the call predicts the positions before the iterations
    bool ends = false;    ///< whether the call sets the velocities after the iterations
    bool waits = false;   ///< whether the call returns only when the device has completed all work
};
/// A simulation on one device. run() executes a step, adds the time of its iterations to `*seconds`, and
/// returns the counts of its sweeps; result() returns the current state.
using Simulation = Run<SweepCounts(const Step& step, double* seconds), State()>;

Simulation on_cpu(const Model& model, const Settings& settings, int threads);
/// Makes a simulation on a GPU. Throws Error (no_device) if there is no GPU, or if the mesh does not fit in
/// its memory.
Simulation on_cuda(const Model& model, const Settings& settings);
/// Makes the serial reference simulation, which processes one spring after another in the order of the plan.
Simulation reference(const Model& model, const Settings& settings);

/// Counts and times of one frame.
struct FrameCounts {
    SweepCounts sweeps;
    std::uint64_t iterations = 0;
    double sweep_seconds = 0, check_seconds = 0;
};
/// Runs one frame, and returns after all its work is done. If settings.until is set, computes the residual
/// after every iteration; this time is in `check_seconds`.
FrameCounts run_frame(const Simulation& simulation, const Model& model, const Settings& settings);

/// Returns the root mean square of (length - rest) / rest over all springs. The order of additions does not
/// depend on the number of threads.
double residual(const Model& model, const std::vector<Particle>& particles);

}  // namespace lockstep::springs
