// Tests of springs: simulations are compared with the serial reference, strategies with locks or atomic
// operations keep the momentum, and the checks find faults.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "apps/springs/check.hpp"
#include "catch.hpp"
#include "insight/build_options.hpp"
#include "lockstep/executor/update/run.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/verify.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::springs;

namespace {

using Pairs = std::vector<std::pair<VertexId, VertexId>>;

Graph graph_of(VertexId particles, const Pairs& pairs) {
    std::vector<Triple> triples;
    for (const auto& [a, b] : pairs) triples.push_back({a, b, 1});
    return build_graph(std::move(triples), particles, particles,
                       {.shape = GraphShape::square, .weighted = false, .ends = Ends::vertices});
}
Pairs ring(VertexId n) {
    Pairs pairs;
    for (VertexId v = 0; v < n; ++v) pairs.emplace_back(v, (v + 1) % n);
    return pairs;
}
Pairs cloth(VertexId side) {
    Pairs pairs;
    for (VertexId i = 0; i < side; ++i) {
        for (VertexId j = 0; j < side; ++j) {
            const VertexId v = i * side + j;
            if (j + 1 < side) pairs.emplace_back(v, v + 1);
            if (i + 1 < side) pairs.emplace_back(v, v + side);
            if (i + 1 < side && j + 1 < side) pairs.emplace_back(v, v + side + 1);
            if (i + 1 < side && j > 0) pairs.emplace_back(v, v + side - 1);
            if (j + 2 < side) pairs.emplace_back(v, v + 2);
        }
    }
    return pairs;
}
/// Makes a grid with rest lengths of its own, whose positions are off by up to `noise`.
Model model_of(const Graph& graph, VertexId side, const char* name, bool symmetric = true,
               float noise_size = 1) {
    Model model;
    const Strategy& strategy = find_strategy(name, "springs");
    BuildOptions options = insight::default_build_options();
    options.rank = 4, options.shared_memory_bytes = 1 << 14;
    const std::optional<Schedule> schedule =
        strategy.schedule ? std::optional(find_builder(strategy.schedule).build(graph, options))
                          : std::nullopt;
    plan_springs(model, graph, strategy, schedule ? &*schedule : nullptr);
    std::mt19937 random(3);
    const auto noise = [&] { return noise_size * (static_cast<float>(random() >> 8) * 0x1p-25F - 0.25F); };
    for (VertexId v = 0; v < graph.rows; ++v)
        model.particles.push_back(
            {static_cast<float>(v % side) + noise(), noise(), static_cast<float>(v / side) + noise(), 1});
    for (EdgeId e = 0; e < model.plan.edges(); ++e) {
        const VertexId a = model.plan.row[e], b = model.plan.col[e];
        model.rest.push_back(std::hypot(static_cast<float>(a % side) - static_cast<float>(b % side),
                                        static_cast<float>(a / side) - static_cast<float>(b / side)));
    }
    if (symmetric) add_backward_sweep(model, graph, strategy, schedule ? &*schedule : nullptr);
    return model;
}
Settings settings_of(std::uint64_t frames, std::uint64_t iterations, double compliance) {
    Settings s;
    s.frames = frames, s.substeps = 2, s.iterations = iterations, s.compliance = compliance;
    return s;
}
State after(const Model& model, const Settings& settings, int threads) {
    const Simulation simulation = on_cpu(model, settings, threads);
    for (std::uint64_t f = 0; f < settings.frames; ++f) run_frame(simulation, model, settings);
    return simulation.result();
}
bool same(const State& a, const State& b) {
    return a.particles.size() == b.particles.size() &&
           std::memcmp(a.particles.data(), b.particles.data(), a.particles.size() * sizeof(Particle)) == 0 &&
           std::memcmp(a.velocities.data(), b.velocities.data(), a.velocities.size() * sizeof(Velocity)) == 0;
}
constexpr const char* deterministic[] = {"agm-e", "blkdiag", "tiled",        "stars",
                                         "local", "strips",  "jacobi-gather"};
constexpr const char* others[] = {"el", "nl", "nl-marks", "nl-el", "jacobi"};

}  // namespace

TEST_CASE(
    "springs: every strategy that is deterministic has the bits of a serial loop, with any number of "
    "threads") {
    const Graph graph = graph_of(24 * 24, cloth(24));
    for (const auto& [compliance, symmetric, damping] :
         {std::tuple(0.0, true, 0.0), std::tuple(1e-4, true, 2.0), std::tuple(0.0, false, 1e-3),
          std::tuple(1e-4, false, 0.0)}) {
        Settings settings = settings_of(3, 3, compliance);
        settings.symmetric = symmetric, settings.damping = damping;
        for (const char* name : deterministic) {
            INFO(name << ' ' << compliance << ' ' << symmetric);
            const Model model = model_of(graph, 24, name, symmetric);
            if (settings.multiplied() && model.method == ConflictMethod::gather) continue;
            const State one = after(model, settings, 1);
            for (const int threads : {2, 3, 4}) CHECK(same(after(model, settings, threads), one));
            CHECK(departure_from_serial(model, settings, settings.frames, one).empty());
            CHECK(find_momentum_problem(model, settings, settings.frames, 18 * model.sweeps(), one).empty());
        }
    }
}

TEST_CASE("springs: the second sweep of an iteration has the springs in the opposite order") {
    const Graph graph = graph_of(24 * 24, cloth(24));
    for (const char* name : deterministic) {
        INFO(name);
        const Model model = model_of(graph, 24, name);
        REQUIRE(model.backward.has_value() == (model.method != ConflictMethod::gather));
        if (!model.backward) continue;
        const Springs& back = *model.backward;
        REQUIRE(back.plan.edges() == model.plan.edges());
        for (EdgeId e = 0, b = model.plan.edges(); b-- > 0; ++e) {
            CHECK((back.plan.id[e] == model.plan.id[b] && back.plan.row[e] == model.plan.row[b] &&
                   back.plan.col[e] == model.plan.col[b] && back.rest[e] == model.rest[b]));
        }
    }
}

TEST_CASE("springs: small motions by symmetric iterations and by Jacobi are self-adjoint, by one order not") {
    constexpr VertexId side = 8;
    const Graph graph = graph_of(side * side, cloth(side));
    std::mt19937 random(5);
    std::uniform_real_distribution<float> uniform(-1, 1);
    const auto direction = [&] {
        std::vector<Velocity> d(graph.rows);
        for (Velocity& v : d) v = {uniform(random), uniform(random), uniform(random)};
        return d;
    };
    /// Returns the largest |<u, P v> - <P u, v>| of some u and v, in the metric of the masses.
    const auto asymmetry = [&](const char* name, const Settings& settings) {
        Model rest = model_of(graph, side, name, settings.symmetric, 0);
        for (Particle& p : rest.particles) p.inverse_mass = 0.75F + 0.25F * uniform(random);
        const auto moved = [&](const std::vector<Velocity>& by, float size) {
            Model model = rest;
            for (VertexId v = 0; v < graph.rows; ++v) {
                Particle& p = model.particles[v];
                p.x += size * by[v].x, p.y += size * by[v].y, p.z += size * by[v].z;
            }
            const Simulation simulation = on_cpu(model, settings, 1);
            double seconds = 0;
            simulation.run({.substep = settings.substep(), .count = settings.iterations}, &seconds);
            return simulation.result().particles;
        };
        /// Returns <u, P v>, P v by a central difference.
        const auto product = [&](const std::vector<Velocity>& u, const std::vector<Velocity>& v) {
            constexpr float size = 1e-3F;
            const std::vector<Particle> up = moved(v, size), down = moved(v, -size);
            double sum = 0;
            for (VertexId i = 0; i < graph.rows; ++i)
                sum += (u[i].x * (double{up[i].x} - down[i].x) + u[i].y * (double{up[i].y} - down[i].y) +
                        u[i].z * (double{up[i].z} - down[i].z)) /
                       (2 * size * rest.particles[i].inverse_mass);
            return sum;
        };
        double largest = 0;
        for (int i = 0; i < 8; ++i) {
            const auto u = direction(), v = direction();
            largest = std::max(largest, std::abs(product(u, v) - product(v, u)));
        }
        return largest;
    };
    for (const auto& [iterations, compliance] : {std::pair(1, 0.0), std::pair(1, 1e-4), std::pair(3, 1e-4)}) {
        Settings settings = settings_of(1, static_cast<std::uint64_t>(iterations), compliance);
        for (const char* name : {"agm-e", "local", "strips"}) {
            INFO(name << ' ' << iterations << ' ' << compliance);
            settings.symmetric = true;
            const double symmetric = asymmetry(name, settings);
            settings.symmetric = false;
            CHECK(asymmetry(name, settings) > 5 * symmetric);
            CHECK(symmetric < 0.1);
        }
    }
    CHECK(asymmetry("jacobi-gather", settings_of(1, 1, 0)) < 0.1);
}

TEST_CASE("springs: strategies that lock or add by atomic operations keep the momentum") {
    const Graph graph = graph_of(400, cloth(20));
    for (const char* name : others) {
        INFO(name);
        const Model model = model_of(graph, 20, name);
        const Settings settings = settings_of(4, 2, 0);
        const std::uint64_t sweeps = 16 * model.sweeps();
        CHECK(find_momentum_problem(model, settings, settings.frames, sweeps, after(model, settings, 4))
                  .empty());
    }
}

TEST_CASE("springs: twenty runs have one result") {
    const Graph graph = graph_of(100, cloth(10));
    const Model model = model_of(graph, 10, "strips");
    const Settings settings = settings_of(2, 2, 1e-5);
    const State first = after(model, settings, 2);
    for (int i = 1; i < 20; ++i) CHECK(same(after(model, settings, 1 + i % 4), first));
}

TEST_CASE("springs: the checks find a lost update, another order and a particle that was pushed") {
    const Graph graph = graph_of(400, cloth(20));
    const Model model = model_of(graph, 20, "agm-e");
    const Settings settings = settings_of(2, 2, 0);
    const State right = after(model, settings, 2);
    REQUIRE(departure_from_serial(model, settings, 2, right).empty());

    State moved = right;
    moved.particles[7].y = std::nextafter(moved.particles[7].y, 100.0F);
    CHECK(!departure_from_serial(model, settings, 2, moved).empty());
    State pushed = right;
    pushed.velocities[7].x += 40;
    CHECK_THAT(find_momentum_problem(model, settings, 2, 8, pushed), Catch::Contains("momentum along x"));
    State unbounded = right;
    unbounded.velocities[7].x = std::nanf("");
    CHECK(!find_momentum_problem(model, settings, 2, 8, unbounded).empty());

    Model swapped = model;  // two springs that share a particle are in the other order
    EdgeId other = 1;
    while (swapped.plan.row[other] != swapped.plan.row[0]) ++other;
    std::swap(swapped.plan.col[0], swapped.plan.col[other]), std::swap(swapped.rest[0], swapped.rest[other]);
    CHECK(!departure_from_serial(model, settings, 2, after(swapped, settings, 1)).empty());
    Model fewer = model;  // one spring has no effect
    fewer.rest[5] = 3;
    CHECK(!departure_from_serial(model, settings, 2, after(fewer, settings, 1)).empty());
}

TEST_CASE(
    "springs: strips are a proved schedule of at most sixteen, or one where a mesh has no narrow order") {
    for (const auto& [graph, side, most] :
         {std::tuple(graph_of(64 * 64, cloth(64)), 64, 16), std::tuple(graph_of(50, ring(50)), 50, 12),
          std::tuple(graph_of(1, {}), 1, 1), std::tuple(graph_of(7, {{0, 6}, {2, 3}}), 7, 3)}) {
        const Strips strips = make_strips(graph);
        CHECK(verify(graph, strips.schedule).problems == std::vector<std::string>{});
        CHECK(strips.count <= static_cast<unsigned>(most));
        if (strips.count > 1) CHECK(strips.length >= 2 * strips.reach);
        std::vector<VertexId> order = strips.order;
        std::sort(order.begin(), order.end());
        for (VertexId v = 0; v < graph.rows; ++v) CHECK(order[v] == v);
        CHECK(strips_fit(strips, 2));
    }
    CHECK(make_strips(graph_of(64 * 64, cloth(64))).count == 16);
}

TEST_CASE(
    "springs: sweeps pull a ring to its lengths, pinned, coincident and single particles are left where they "
    "are") {
    const VertexId n = 30;
    const Graph graph = graph_of(n, ring(n));
    Model model = model_of(graph, n, "agm-e");
    std::ranges::fill(model.rest, 1.0F), std::ranges::fill(model.backward->rest, 1.0F);
    for (VertexId v = 0; v < n; ++v)
        model.particles[v] = {6 * std::cos(2.0F * 3.14159265F * static_cast<float>(v) / n),
                              6 * std::sin(2.0F * 3.14159265F * static_cast<float>(v) / n), 0, 1};
    Settings settings = settings_of(1, 200, 0);
    settings.substeps = 1, settings.gravity = {0, 0, 0};
    CHECK(residual(model, model.particles) > 0.2);
    CHECK(residual(model, after(model, settings, 2).particles) < 1e-3);
    settings.until = 0.1;
    const double reached = residual(model, after(model, settings, 2).particles);
    CHECK(reached <= 0.1);
    CHECK(reached > 0.01);

    Model pinned = model;
    for (Particle& p : pinned.particles) p.inverse_mass = 0;
    settings.gravity = {0, -9.81F, 0};
    const State still = after(pinned, settings, 2);
    CHECK(std::memcmp(still.particles.data(), pinned.particles.data(), n * sizeof(Particle)) == 0);

    Model together = model;
    for (Particle& p : together.particles) p = {1, 2, 3, 1};
    settings.gravity = {0, 0, 0};
    const State unmoved = after(together, settings, 2);
    CHECK(std::memcmp(unmoved.particles.data(), together.particles.data(), n * sizeof(Particle)) == 0);
}
