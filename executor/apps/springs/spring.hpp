// The operator of a spring: the distance constraint of extended position-based dynamics (Macklin, Müller and
// Chentanez, "XPBD", MIG 2016, equations 17 and 18). Also the steps of each particle before and after the
// sweeps (algorithm 1 of the paper).
#pragma once

#include "lockstep/executor/update/update.hpp"

namespace lockstep::springs {

struct Particle {
    float x, y, z, inverse_mass;  ///< inverse_mass is 0 if the particle is pinned, so that it does not move
};
struct Velocity {
    float x, y, z;
};

/// If `multiplied`, each spring stores its multiplier λ from one sweep of a substep to the next, which the
/// equations require if springs have compliance and a substep has several sweeps. Otherwise λ is not stored.
template <bool multiplied>
struct Spring {
    using Vertex = Particle;
    struct Rigid {
        float rest;
    };
    struct Multiplied {
        float rest, multiplier;
    };
    using Edge = std::conditional_t<multiplied, Multiplied, Rigid>;
    struct Parameters {
        float compliance;  ///< compliance α, divided by the squared length Δt of a substep
        /// Factor of the stored multiplier: 0 in the first sweep of a substep, which resets it, and 1 later.
        float kept;
    };

    /// Moves both particles so that their distance approaches the rest length. Does nothing if both particles
    /// have the same position, so that the direction is undefined, or if both are pinned.
    LOCKSTEP_HD static void update(Particle& a, Particle& b,
                                   std::conditional_t<multiplied, Edge&, const Edge&> e,
                                   const Parameters& p) {
        const float x = add(a.x, -b.x), y = add(a.y, -b.y), z = add(a.z, -b.z);
        const float length = sqrtf(fused_multiply_add(x, x, fused_multiply_add(y, y, multiply(z, z))));
        const float weight = add(a.inverse_mass, b.inverse_mass);
        if (length == 0 || weight == 0) return;
        float wanted = add(e.rest, -length);
        if constexpr (multiplied) {
            e.multiplier = multiply(p.kept, e.multiplier);
            wanted = fused_multiply_add(-p.compliance, e.multiplier, wanted);
        }
        const float step = wanted / multiply(length, add(weight, p.compliance));
        if constexpr (multiplied) e.multiplier = fused_multiply_add(step, length, e.multiplier);
        const float of_a = multiply(step, a.inverse_mass), of_b = multiply(-step, b.inverse_mass);
        a.x = fused_multiply_add(of_a, x, a.x), a.y = fused_multiply_add(of_a, y, a.y),
        a.z = fused_multiply_add(of_a, z, a.z);
        b.x = fused_multiply_add(of_b, x, b.x), b.y = fused_multiply_add(of_b, y, b.y),
        b.z = fused_multiply_add(of_b, z, b.z);
    }
};

/// The constants of a substep.
struct Substep {
    float seconds, per_second;
    Velocity gravity;   ///< acceleration by gravity times `seconds`
    float kept = 1.0F;  ///< factor by which damping reduces a velocity in a substep
};
/// Begins a substep for one particle: stores its position in `before`, adds gravity to its velocity, and
/// moves it by its velocity.
LOCKSTEP_HD void predict(Particle& p, Particle& before, Velocity& v, const Substep& s) {
    before = p;
    if (p.inverse_mass == 0) return;
    v = {add(v.x, s.gravity.x), add(v.y, s.gravity.y), add(v.z, s.gravity.z)};
    p.x = fused_multiply_add(s.seconds, v.x, p.x), p.y = fused_multiply_add(s.seconds, v.y, p.y);
    p.z = fused_multiply_add(s.seconds, v.z, p.z);
}
/// Ends a substep for one particle: sets its velocity to the change of its position per second, reduced by
/// damping.
LOCKSTEP_HD void finish(const Particle& p, const Particle& before, Velocity& v, const Substep& s) {
    v = {multiply(s.kept, multiply(s.per_second, add(p.x, -before.x))),
         multiply(s.kept, multiply(s.per_second, add(p.y, -before.y))),
         multiply(s.kept, multiply(s.per_second, add(p.z, -before.z)))};
}

}  // namespace lockstep::springs
