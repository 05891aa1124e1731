#include "apps/springs/application_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lockstep/formats/hash.hpp"

namespace lockstep::springs {

namespace {

std::vector<float> positions_of(const std::vector<Particle>& particles) {
    std::vector<float> positions;
    positions.reserve(3 * particles.size());
    for (const Particle& p : particles) positions.insert(positions.end(), {p.x, p.y, p.z});
    return positions;
}

void keep(SpringsOutcome& o, const SpringsRunOptions& wanted, std::uint64_t frame) {
    if (wanted.by_frame || (wanted.picture && wanted.shows(frame)))
        o.kept.push_back(positions_of(o.state.particles));
}

/// Runs one frame, and then computes what the options require for it, such as the residual. These
/// computations count as evaluation, not as time of the frame.
void frame(SpringsOutcome& o, const Simulation& simulation, const SpringsRunOptions& wanted,
           std::uint64_t number, const RunCallbacks& callbacks) {
    const Stopwatch watch;
    const FrameCounts counts = run_frame(simulation, o.model, wanted.settings);
    const double seconds = watch.seconds() - counts.check_seconds;
    o.execute_seconds += seconds, o.sweep_seconds += counts.sweep_seconds, o.iterations += counts.iterations;
    const Stopwatch evaluating;
    SweepRecord record{number, seconds, {}, counts.sweeps.updates, counts.sweeps.passes};
    if (wanted.residuals || wanted.by_frame || (wanted.picture && wanted.shows(number)))
        o.state = simulation.result();
    if (wanted.residuals) record.metrics = {{"residual", residual(o.model, o.state.particles)}};
    keep(o, wanted, number);
    o.evaluate_seconds += evaluating.seconds() + counts.check_seconds;
    o.sweeps.push_back(record);
    if (callbacks.on_round) callbacks.on_round(o.sweeps.back());
    if (callbacks.interrupted && callbacks.interrupted()) o.status = "interrupted";
}

/// Returns a warning if the springs have become far more stretched or compressed than at the start, unless
/// they are soft (have compliance).
std::string warning_of(const SpringsOutcome& o, const Settings& settings) {
    constexpr double small = 0.01, growth = 10;
    if (settings.compliance > 0 || o.residual <= std::max(small, growth * o.residual_start)) return {};
    return fmt::format(
        "warning: the residual grew from {:.2g} to {:.2g}: springs no longer have their rest lengths; {}",
        o.residual_start, o.residual,
        o.model.backward     ? "increase --substeps or --iterations"
        : settings.symmetric ? "increase --iterations, decrease --relaxation, or use another strategy"
                             : "--sweep-order symmetric keeps small motions stable");
}

void finish(SpringsOutcome& o, const Simulation& simulation, const Settings& settings) {
    const Stopwatch evaluating;
    o.state = simulation.result();
    o.residual = residual(o.model, o.state.particles);
    o.evaluate_seconds += evaluating.seconds();
    const auto is_finite = [](const Particle& p) {
        return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z);
    };
    const bool are_finite = std::isfinite(o.residual) && std::ranges::all_of(o.state.particles, is_finite);
    o.message = warning_of(o, settings);
    if (!are_finite) {
        o.status = "diverged";
        o.message =
            "positions are no longer finite; more --substeps, or under jacobi a smaller "
            "--relaxation, may help; nothing was written";
    }
    ContentHash hash;
    hash.add(std::span<const Particle>(o.state.particles)),
        hash.add(std::span<const Velocity>(o.state.velocities));
    o.result_hash = hash.hex();
}

}  // namespace

bool SpringsRunOptions::shows(std::uint64_t frame) const {
    const std::uint64_t last = std::min<std::uint64_t>(settings.frames, 5);
    for (std::uint64_t i = 0; i <= last; ++i)
        if (frame == i * settings.frames / last) return true;
    return false;
}

std::unique_ptr<SpringsOutcome> run_frames(const Input& input, const SpringsRunOptions& wanted,
                                           const RunCallbacks& callbacks) {
    auto outcome = std::make_unique<SpringsOutcome>();
    SpringsOutcome& o = *outcome;
    const Device device = usable_device(wanted.device, &o.device_note);
    const Stopwatch planning;
    o.model = make_model(input, wanted.given, wanted.settings.symmetric);
    if (wanted.settings.multiplied() &&
        (o.model.method == ConflictMethod::sums || o.model.method == ConflictMethod::gather))
        throw UsageError(fmt::format(
            "{} stores no Lagrange multipliers: with --compliance give --iterations 1, and more --substeps",
            input.strategy.name));
    o.plan_seconds = planning.seconds();
    const Simulation simulation = on_device(
        device, [&] { return on_cpu(o.model, wanted.settings, wanted.threads); },
        [&] { return on_cuda(o.model, wanted.settings); });
    o.transfer_seconds = simulation.transfer_seconds;
    o.device = device_info(device, wanted.threads), o.device_bytes = simulation.bytes;
    if (callbacks.on_start) callbacks.on_start(o);
    const Stopwatch evaluating;
    o.residual_start = residual(o.model, o.model.particles);
    o.evaluate_seconds += evaluating.seconds();
    o.state = simulation.result();
    keep(o, wanted, 0);
    for (std::uint64_t f = 1; f <= wanted.settings.frames && o.status == "ok"; ++f)
        frame(o, simulation, wanted, f, callbacks);
    finish(o, simulation, wanted.settings);
    return outcome;
}

}  // namespace lockstep::springs
