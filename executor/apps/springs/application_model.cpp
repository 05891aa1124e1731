#include "apps/springs/application_model.hpp"

#include <fmt/format.h>

#include <cmath>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/positions.hpp"

namespace lockstep::springs {

namespace {

std::vector<Particle> particles_of(const Positions& positions, const std::vector<std::size_t>& rows,
                                   const std::string& path) {
    std::vector<Particle> particles(rows.size());
    for (VertexId v = 0; v < rows.size(); ++v) {
        const float* const x = positions.values.data() + rows[v] * positions.columns;
        particles[v] = {x[0], x[1], positions.columns > 2 ? x[2] : 0, positions.columns > 3 ? x[3] : 1};
        if (particles[v].inverse_mass < 0)
            throw FormatError(
                path, fmt::format("the inverse mass {} is negative; expected at least 0 (0 = pinned)", x[3]));
    }
    return particles;
}

float distance(const Particle& a, const Particle& b) {
    const double x = double{a.x} - b.x, y = double{a.y} - b.y, z = double{a.z} - b.z;
    return static_cast<float>(std::sqrt(x * x + y * y + z * z));
}

}  // namespace

Model make_model(const Input& input, const InputFiles& given, bool symmetric) {
    const Graph& graph = input.graph();
    const IdMap& ids = input.file.dataset.row_ids;
    const Positions positions = read_positions(given.positions);
    Model model;
    model.particles = particles_of(positions, rows_of(positions, ids, given.positions), given.positions);
    for (const std::string& id : given.pinned) {
        const auto v = ids.find(id);
        if (!v)
            throw UsageError(fmt::format("--pin contains {}, which is not a vertex; the vertices are {}", id,
                                         ids.describe()));
        model.particles[*v].inverse_mass = 0;
    }
    plan_springs(model, graph, input.strategy, input.schedule());
    const EdgePlan& plan = model.plan;
    model.rest.resize(plan.edges());
    for (EdgeId e = 0; e < plan.edges(); ++e) {
        const VertexId a = plan.row[e], b = plan.col[e];
        model.rest[e] =
            graph.value.empty() ? distance(model.particles[a], model.particles[b]) : graph.value[plan.id[e]];
        if (model.rest[e] > 0 && std::isfinite(model.rest[e]) && a != b) continue;
        throw FormatError(input.file.summary.path,
                          fmt::format("the spring {} - {} has the rest length {}; expected a rest length "
                                      "above zero, between two different particles{}",
                                      ids.name(a), ids.name(b), model.rest[e],
                                      graph.value.empty() ? ": these two have the same position" : ""));
    }
    if (symmetric) add_backward_sweep(model, graph, input.strategy, input.schedule());
    return model;
}

}  // namespace lockstep::springs
