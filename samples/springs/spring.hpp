// The operator of a spring: a distance constraint between two particles (Macklin, Müller and Chentanez,
// "XPBD", MIG 2016), without stored multipliers.
#pragma once

#include "lockstep/executor/update/update.hpp"

// clang-format off
struct Spring {
    struct Vertex { float x, y, z, inverse_mass; };
    struct Edge { float rest; };
    struct Parameters { float compliance; };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e, const Parameters& p) {
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, weight = a.inverse_mass + b.inverse_mass;
        const float length = sqrtf(dx * dx + dy * dy + dz * dz);
        if (length == 0 || weight == 0) return;
        const float s = (length - e.rest) / (length * (weight + p.compliance)), r = s * a.inverse_mass, t = s * b.inverse_mass;
        a.x -= r * dx, a.y -= r * dy, a.z -= r * dz;
        b.x += t * dx, b.y += t * dy, b.z += t * dz;
    }
};
// clang-format on
