#include "apps/springs/driver.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "lockstep/schedules/verify.hpp"

namespace lockstep::springs {

Substep Settings::substep() const {
    const double h = frame_seconds / static_cast<double>(substeps);
    const auto times = [&](float g) { return static_cast<float>(g * h); };
    return {static_cast<float>(h),
            static_cast<float>(1 / h),
            {times(gravity.x), times(gravity.y), times(gravity.z)},
            static_cast<float>(std::exp(-damping * h))};
}
float scaled_compliance(const Model& model, const Settings& settings) {
    const double h = settings.frame_seconds / static_cast<double>(settings.substeps);
    return static_cast<float>(settings.compliance * model.sweeps() / (h * h));
}

namespace {

ConflictMethod conflict_method_of(const Strategy& strategy) {
    const std::string_view name = strategy.name;
    return name == "strips"          ? ConflictMethod::strips
           : name == "jacobi"        ? ConflictMethod::sums
           : name == "jacobi-gather" ? ConflictMethod::gather
                                     : ConflictMethod::walk;
}

EdgePlan plan_of(const Graph& graph, const Strategy& strategy, const Schedule* schedule) {
    return make_plan(graph, strategy, schedule, Endpoints::both, {}, PhaseOrder::given, Ends::vertices, true);
}

/// Returns a schedule with the edges of a plan in the opposite order. Springs that may run concurrently in
/// the plan's schedule may also run concurrently in the result.
Schedule reversed(const EdgePlan& plan, const Schedule* schedule) {
    Schedule back = schedule ? *schedule : Schedule{};
    back.maximal = false;
    back.order.assign(plan.id.rbegin(), plan.id.rend());
    for (std::vector<EdgeId>& offsets : back.offsets) {
        std::reverse(offsets.begin(), offsets.end());
        const EdgeId count = offsets.empty() ? 0 : offsets.front();
        for (EdgeId& offset : offsets) offset = count - offset;
    }
    return back;
}

}  // namespace

void plan_springs(Model& model, const Graph& graph, const Strategy& strategy, const Schedule* schedule) {
    model.method = conflict_method_of(strategy);
    if (model.method == ConflictMethod::walk) {
        model.plan = plan_of(graph, strategy, schedule);
    } else if (model.method != ConflictMethod::strips) {
        // Jacobi: the order of the springs is that of the input
        model.plan = plan_of(graph, find_strategy("el"), schedule);
    } else {
        model.strips = make_strips(graph);
        if (const Verification found = verify_concurrency(graph, model.strips->schedule); !found.ok())
            throw Error(Failure::verification, found.problems[0]);
        model.plan = plan_of(graph, find_strategy("local"), &model.strips->schedule);
    }
}

void add_backward_sweep(Model& model, const Graph& graph, const Strategy& strategy,
                        const Schedule* schedule) {
    if (model.method == ConflictMethod::sums || model.method == ConflictMethod::gather) return;
    const Strategy& method = model.strips ? find_strategy("local") : strategy;
    const Schedule back = reversed(model.plan, model.strips ? &model.strips->schedule : schedule);
    Springs& springs = model.backward.emplace(Springs{plan_of(graph, method, &back), {}});
    Array<float> rest(graph.edges());  // rest length of each edge of the graph
    for (EdgeId e = 0; e < model.plan.edges(); ++e) rest[model.plan.id[e]] = model.rest[e];
    springs.rest.resize(rest.size());
    for (EdgeId e = 0; e < rest.size(); ++e) springs.rest[e] = rest[springs.plan.id[e]];
}

FrameCounts run_frame(const Simulation& simulation, const Model& model, const Settings& settings) {
    FrameCounts counts;
    counts.sweeps.passes = 0;
    const Substep substep = settings.substep();
    const auto run = [&](const Step& step) {
        counts.sweeps = counts.sweeps + simulation.run(step, &counts.sweep_seconds);
        counts.iterations += step.count;
    };
    const auto reached = [&] {
        const double begin = omp_get_wtime();
        const bool small = residual(model, simulation.result().particles) <= *settings.until;
        counts.check_seconds += omp_get_wtime() - begin;
        return small;
    };
    for (std::uint64_t s = 0; s < settings.substeps; ++s) {
        const bool waits = s + 1 == settings.substeps;
        if (!settings.until) {
            run({substep, 0, settings.iterations, true, true, waits});
            continue;
        }
        run({.substep = substep, .begins = true});
        for (std::uint64_t i = 0; i < settings.iterations; ++i) {
            run({.substep = substep, .first = i, .count = 1});
            if (reached()) break;
        }
        run({.substep = substep, .ends = true, .waits = waits});
    }
    return counts;
}

double residual(const Model& model, const std::vector<Particle>& particles) {
    constexpr EdgeId chunk = 4096;
    const EdgeId edges = model.plan.edges(), chunks = (edges + chunk - 1) / chunk;
    std::vector<double> sums(chunks);
#pragma omp parallel for schedule(static)
    for (EdgeId c = 0; c < chunks; ++c) {
        for (EdgeId e = c * chunk; e < std::min(edges, (c + 1) * chunk); ++e) {
            const Particle &a = particles[model.plan.row[e]], &b = particles[model.plan.col[e]];
            const double x = double{a.x} - b.x, y = double{a.y} - b.y, z = double{a.z} - b.z;
            const double stretch = std::sqrt(x * x + y * y + z * z) / model.rest[e] - 1;
            sums[c] += stretch * stretch;
        }
    }
    double sum = 0;
    for (const double s : sums) sum += s;
    return edges ? std::sqrt(sum / static_cast<double>(edges)) : 0;
}

}  // namespace lockstep::springs
