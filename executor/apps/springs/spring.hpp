// A spring as an update: the distance constraint of extended position-based dynamics (Macklin, Müller,
// Chentanez, "XPBD", MIG 2016, equations 17 and 18), and the steps of their algorithm 1 that a particle takes
// before and after the sweeps.
#pragma once

#include "lockstep/executor/update/update.hpp"

namespace lockstep::springs {

struct Particle {
    float x, y, z, inverse_mass;  ///< inverse_mass is 0 if the particle is pinned
};
struct Velocity {
    float x, y, z;
};

/// `multiplied`: the multiplier λ of each spring is kept from one sweep of a substep to the next, which is
/// required if there is compliance and several sweeps. In a single sweep, λ need not be stored.
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
        float compliance;  ///< α / Δt²
        float kept;  ///< share of the multiplier that a sweep keeps: 0 in a substep's first sweep, then 1
    };

    /// Moves both particles towards the rest length. Nothing happens if they are at the same position, and so
    /// have no direction, or if both are pinned.
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

/// Constants of a substep.
struct Substep {
    float seconds, per_second;
    Velocity gravity;   ///< acceleration times `seconds`
    float kept = 1.0F;  ///< share of the velocity that damping leaves
};
/// Sets `before` to the position, adds gravity to the velocity, and moves the particle by the velocity.
LOCKSTEP_HD void predict(Particle& p, Particle& before, Velocity& v, const Substep& s) {
    before = p;
    if (p.inverse_mass == 0) return;
    v = {add(v.x, s.gravity.x), add(v.y, s.gravity.y), add(v.z, s.gravity.z)};
    p.x = fused_multiply_add(s.seconds, v.x, p.x), p.y = fused_multiply_add(s.seconds, v.y, p.y);
    p.z = fused_multiply_add(s.seconds, v.z, p.z);
}
/// Sets the velocity to the damped change of the position per second.
LOCKSTEP_HD void finish(const Particle& p, const Particle& before, Velocity& v, const Substep& s) {
    v = {multiply(s.kept, multiply(s.per_second, add(p.x, -before.x))),
         multiply(s.kept, multiply(s.per_second, add(p.y, -before.y))),
         multiply(s.kept, multiply(s.per_second, add(p.z, -before.z)))};
}

}  // namespace lockstep::springs
