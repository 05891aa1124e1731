// A run of springs: frames of substeps, each of which predicts positions, iterates over the springs, and sets
// the velocities to the changes of the positions. A simulation runs them on a device.
//
// An iteration is symmetric: a sweep in the order of the schedule, then a sweep in the opposite order. In
// small motions a sweep multiplies the positions by a matrix P, a product of one projection for each spring,
// and a substep is y(n + 1) = P (2 y(n) - y(n - 1)). An eigenvalue m of P gives the two growth factors
// m ± sqrt(m (m - 1)), of absolute value sqrt(m) <= 1 for real m in [0, 1], but above 1 for complex m:
// 1 + sqrt(t / 2) for m = exp(i t) and small t. The product in one order has complex eigenvalues, whatever
// the length of a substep is. The product in one order and then in the opposite one is self-adjoint in the
// metric of the masses, with eigenvalues in [0, 1]. Jacobi is self-adjoint by itself.
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
    double compliance = 0;  ///< α, the inverse of a stiffness
    Velocity gravity{0, -9.81F, 0};
    double relaxation = 0.25;  ///< part of Jacobi's sums by which a particle moves
    /// Residual that ends the iterations of a substep; `iterations` is their maximum.
    std::optional<double> until{};
    bool symmetric = true;  ///< whether each iteration has a second sweep, in the opposite order
    double damping = 0;     ///< rate of decay of velocities, per second: exp(-damping t)

    Substep substep() const;
    /// Returns whether springs keep their multipliers between iterations.
    bool multiplied() const { return compliance > 0 && iterations > 1; }
    /// Returns the number of multipliers per spring. Each sweep of an iteration has its own
    /// (scaled_compliance).
    unsigned multipliers() const { return multiplied() ? 1 + unsigned{symmetric} : 0; }
};

/// The method by which a sweep avoids conflicts between springs.
enum class Way {
    walk,    ///< the walk of the plan
    strips,  ///< the walk of the plan; on a GPU one cluster of thread blocks
    sums,    ///< Jacobi: changes of all springs are computed concurrently, and added by atomic operations
    gather,  ///< Jacobi: every particle adds the changes of its own springs
};

/// The springs in the order of a sweep.
struct Springs {
    EdgePlan plan;
    Array<float> rest;  ///< rest lengths in the order of the plan
};
/// The simulated model. The springs are in the order of the first sweep of an iteration.
struct Model : Springs {
    std::vector<Particle> particles;  ///< particles by vertex
    Way way = Way::walk;
    std::optional<Strips> strips{};
    std::optional<Springs> backward{};  ///< springs of the second sweep of a symmetric iteration

    unsigned sweeps() const { return backward ? 2 : 1; }  ///< number of sweeps in an iteration
};

/// Makes the plan of a graph under a strategy, and its strips if the strategy requires them. `schedule` is
/// the one that the strategy requires, or an order. Throws as make_plan does, and Error (verification) if
/// strips are wrong.
void plan_springs(Model& model, const Graph& graph, const Strategy& strategy, const Schedule* schedule);
/// Adds the second sweep of symmetric iterations to a model that has its plan and rest lengths, unless the
/// model uses Jacobi. `strategy` and `schedule` are those of the plan. Throws as make_plan does. O(springs),
/// 24 bytes per spring.
void add_backward_sweep(Model& model, const Graph& graph, const Strategy& strategy, const Schedule* schedule);
/// Returns α / Δt², times the number of sweeps in an iteration: each spring of a symmetric iteration is a
/// pair of parallel springs of twice the compliance, one for each sweep.
float scaled_compliance(const Model& model, const Settings& settings);

struct State {
    std::vector<Particle> particles;
    std::vector<Velocity> velocities;
};

/// The part of a substep that one call runs: its beginning, some of its iterations, its end, or all of them.
struct Step {
    Substep substep;
    std::uint64_t first = 0, count = 0;  ///< iterations `first` to `first + count - 1` of the substep
    bool begins = false;                 ///< whether positions are predicted, before the iterations
    bool ends = false;                   ///< whether velocities are set, after the iterations
    bool waits = false;                  ///< whether the call waits until all work that was begun is done
};
/// Runs parts of substeps, one after another. Adds the time of the iterations alone to `*seconds`.
using Simulation = Run<SweepCounts(const Step& step, double* seconds), State()>;

Simulation on_cpu(const Model& model, const Settings& settings, int threads);
/// Makes the simulation of a GPU. Throws Error (no_device) if there is no GPU or the mesh does not fit.
Simulation on_cuda(const Model& model, const Settings& settings);
/// Makes a serial simulation, which processes springs one after another in the order of the plan, and
/// particles by index.
Simulation reference(const Model& model, const Settings& settings);

/// Numbers and times of one frame.
struct FrameCounts {
    SweepCounts sweeps;
    std::uint64_t iterations = 0;
    double sweep_seconds = 0, check_seconds = 0;
};
/// Runs a frame. If settings.until is set, computes the residual after every iteration, outside the measured
/// time. Returns when all work of the frame is done.
FrameCounts run_frame(const Simulation& simulation, const Model& model, const Settings& settings);

/// Returns the root mean square of (length - rest) / rest over all springs. The sum has one order for any
/// number of threads.
double residual(const Model& model, const std::vector<Particle>& particles);

}  // namespace lockstep::springs
