// Updates whose results show which edges a run processed, on a CPU and on a GPU.
#pragma once

#include <optional>

#include "lockstep/executor/update/run.hpp"

namespace lockstep::test {

/// Two endpoints balance their amounts in whole numbers, so the sum of all amounts is constant.
struct Flow {
    struct Vertex {
        std::int64_t amount;
        std::uint32_t edges;
    };
    struct Edge {
        std::int64_t moved;
    };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, Edge& e) {
        const std::int64_t moved = (a.amount - b.amount) / 2;
        a.amount -= moved, b.amount += moved;
        ++a.edges, ++b.edges;
        e.moved += moved;
    }
};
/// Rows and columns, which have different types, balance their amounts.
struct Trade {
    struct Row {
        std::int64_t amount;
    };
    struct Col {
        std::int32_t edges;
        std::int64_t amount;
    };
    struct Parameters {
        std::int64_t share = 2;
    };
    LOCKSTEP_HD static void update(Row& a, Col& b, const Parameters& p) {
        const std::int64_t moved = (a.amount - b.amount) / p.share;
        a.amount -= moved, b.amount += moved, ++b.edges;
    }
};
/// A distance constraint of two particles (Macklin, Müller, Chentanez, XPBD, 2016).
struct Spring {
    struct Vertex {
        float x, y, z, inverse_mass;
    };
    struct Edge {
        float rest;
    };
    struct Parameters {
        float compliance;
    };
    LOCKSTEP_HD static void update(Vertex& a, Vertex& b, const Edge& e, const Parameters& p) {
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
        const float length = std::sqrt(fused_multiply_add(dx, dx, fused_multiply_add(dy, dy, dz * dz)));
        const float weight = a.inverse_mass + b.inverse_mass + p.compliance;
        if (length == 0 || weight == 0) return;
        const float s = (length - e.rest) / (length * weight);
        a.x = fused_multiply_add(-s * a.inverse_mass, dx, a.x),
        b.x = fused_multiply_add(s * b.inverse_mass, dx, b.x);
        a.y = fused_multiply_add(-s * a.inverse_mass, dy, a.y),
        b.y = fused_multiply_add(s * b.inverse_mass, dy, b.y);
        a.z = fused_multiply_add(-s * a.inverse_mass, dz, a.z),
        b.z = fused_multiply_add(s * b.inverse_mass, dz, b.z);
    }
};

/// Runs `sweeps` sweeps on the current GPU from the states and payloads of `run`, and stores the results in
/// `run`. Returns the number of updates; nullopt if the plan does not fit on the GPU.
template <update::Update U>
std::optional<EdgeId> sweep_on_gpu(update::Run<U>& run, const Graph& graph, const Strategy& strategy,
                                   const Schedule* schedule, const update::ParametersOf<U>& parameters,
                                   int sweeps);

}  // namespace lockstep::test
