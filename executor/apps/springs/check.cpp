#include "apps/springs/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace lockstep::springs {

std::string departure_from_serial(const Model& model, const Settings& settings, std::uint64_t frames,
                                  const State& state) {
    const Simulation serial = reference(model, settings);
    for (std::uint64_t f = 0; f < frames; ++f) run_frame(serial, model, settings);
    const State expected = serial.result();
    for (VertexId v = 0; v < model.particles.size(); ++v) {
        if (std::memcmp(&expected.particles[v], &state.particles[v], sizeof(Particle)) == 0 &&
            std::memcmp(&expected.velocities[v], &state.velocities[v], sizeof(Velocity)) == 0)
            continue;
        return fmt::format(
            "the position or velocity of particle {} differs from that of a serial loop in the order of the "
            "schedule",
            v);
    }
    return {};
}

std::string find_momentum_problem(const Model& model, const Settings& settings, std::uint64_t frames,
                                  std::uint64_t sweeps, const State& state) {
    // Damping reduces the velocity that gravity adds in one substep to kept^i of it after i substeps. The sum
    // over all substeps is a geometric series.
    const double substeps = static_cast<double>(frames * settings.substeps), kept = settings.substep().kept;
    const double share = kept < 1 ? kept * -std::expm1(substeps * std::log(kept)) / (1 - kept) : substeps;
    const double fallen = settings.frame_seconds / static_cast<double>(settings.substeps) * share;
    double mass = 0, momentum[3] = {0, 0, 0}, farthest = 0;
    for (VertexId v = 0; v < model.particles.size(); ++v) {
        const Particle &p = state.particles[v], &start = model.particles[v];
        const double m = 1 / double{p.inverse_mass};
        mass += m;
        momentum[0] += m * state.velocities[v].x, momentum[1] += m * state.velocities[v].y,
            momentum[2] += m * state.velocities[v].z;
        for (const float x : {p.x, p.y, p.z, start.x, start.y, start.z})
            farthest = std::max(farthest, std::abs(double{x}));
    }
    // The position of a particle is rounded at every update. These errors add up like the steps of a random
    // walk, to the square root of their number.
    const double degree = 2 * static_cast<double>(model.plan.edges()) /
                          std::max<double>(1, static_cast<double>(model.particles.size()));
    const double updates = static_cast<double>(sweeps) * degree + 2 * substeps;
    const double rounding =
        std::numeric_limits<float>::epsilon() * (farthest + 1e-30) * settings.substep().per_second;
    const double most = mass * rounding * (4 + std::sqrt(updates));
    const float gravity[3] = {settings.gravity.x, settings.gravity.y, settings.gravity.z};
    for (std::size_t i = 0; i < 3; ++i) {
        const double expected = mass * gravity[i] * fallen;
        if (!(std::abs(momentum[i] - expected) <= most + 1e-4 * std::abs(expected)))
            return fmt::format("the momentum along {} is {:.6g}, expected {:.6g} within {:.2g}", "xyz"[i],
                               momentum[i], expected, most);
    }
    return {};
}

}  // namespace lockstep::springs
