// The Jacobi method for springs: all springs are processed from the same positions, and each particle moves
// by a share of the sum of the changes that its springs require.
#pragma once

#include <numeric>

#include "apps/springs/driver.hpp"

namespace lockstep::springs {

struct Incidence {
    struct End {
        VertexId other;
        float rest;
    };
    /// Offset of each particle's springs in `ends`; one more entry than particles.
    std::vector<EdgeId> first;
    std::vector<End> ends;
};

/// Returns the springs of each particle. O(springs).
inline Incidence incidence_of(const Model& model) {
    const EdgePlan& plan = model.plan;
    Incidence of{std::vector<EdgeId>(EdgeId{plan.rows} + 2), std::vector<Incidence::End>(2 * plan.edges())};
    for (EdgeId e = 0; e < plan.edges(); ++e)
        ++of.first[plan.row[e] + EdgeId{2}], ++of.first[plan.col[e] + EdgeId{2}];
    std::partial_sum(of.first.begin(), of.first.end(), of.first.begin());
    for (EdgeId e = 0; e < plan.edges(); ++e) {
        of.ends[of.first[plan.row[e] + EdgeId{1}]++] = {plan.col[e], model.rest[e]};
        of.ends[of.first[plan.col[e] + EdgeId{1}]++] = {plan.row[e], model.rest[e]};
    }
    of.first.pop_back();
    return of;
}

/// Returns the change of position of particle `a` that one spring with the other endpoint `b` requires.
LOCKSTEP_HD Velocity change_of(const Particle& a, Particle b, float rest,
                               const Spring<false>::Parameters& p) {
    Particle moved = a;
    Spring<false>::update(moved, b, {rest}, p);
    return {add(moved.x, -a.x), add(moved.y, -a.y), add(moved.z, -a.z)};
}
/// Returns the particle after it has moved by `part` times the sum of its changes.
LOCKSTEP_HD Particle moved_by(const Particle& p, const Velocity& change, float part) {
    return {fused_multiply_add(part, change.x, p.x), fused_multiply_add(part, change.y, p.y),
            fused_multiply_add(part, change.z, p.z), p.inverse_mass};
}

/// Returns particle v after a Jacobi sweep from the positions in `particles`: computes the changes of its
/// springs, adds them, and moves the particle.
LOCKSTEP_HD Particle gather_corrections(const Particle* particles, VertexId v, const EdgeId* first,
                                        const Incidence::End* ends, const Spring<false>::Parameters& p,
                                        float part) {
    Velocity sum{0, 0, 0};
    for (EdgeId i = first[v]; i < first[v + EdgeId{1}]; ++i) {
        const Velocity c = change_of(particles[v], particles[ends[i].other], ends[i].rest, p);
        sum = {add(sum.x, c.x), add(sum.y, c.y), add(sum.z, c.z)};
    }
    return moved_by(particles[v], sum, part);
}

}  // namespace lockstep::springs
