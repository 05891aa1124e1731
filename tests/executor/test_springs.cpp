// Springs: engines against the serial reference, what is kept, and what the checks find.
#include <cmath>
#include <cstring>
#include <random>

#include "apps/springs/check.hpp"
#include "catch.hpp"
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
/// A grid, shaken; rest lengths are those of the grid.
Model model_of(const Graph& graph, VertexId side, const char* name) {
    Model model;
    const Strategy& strategy = find_strategy(name, "springs");
    BuildOptions options;
    options.rank = 4, options.on_chip_bytes = 1 << 14;
    const std::optional<Schedule> schedule =
        strategy.schedule ? std::optional(find_builder(strategy.schedule).build(graph, options))
                          : std::nullopt;
    plan_springs(model, graph, strategy, schedule ? &*schedule : nullptr);
    std::mt19937 random(3);
    const auto noise = [&] { return static_cast<float>(random() >> 8) * 0x1p-25F - 0.25F; };
    for (VertexId v = 0; v < graph.rows; ++v)
        model.particles.push_back(
            {static_cast<float>(v % side) + noise(), noise(), static_cast<float>(v / side) + noise(), 1});
    for (EdgeId e = 0; e < model.plan.edges(); ++e) {
        const VertexId a = model.plan.row[e], b = model.plan.col[e];
        model.rest.push_back(std::hypot(static_cast<float>(a % side) - static_cast<float>(b % side),
                                        static_cast<float>(a / side) - static_cast<float>(b / side)));
    }
    return model;
}
Settings settings_of(std::uint64_t frames, std::uint64_t iterations, double compliance) {
    Settings s;
    s.frames = frames, s.substeps = 2, s.iterations = iterations, s.compliance = compliance;
    return s;
}
State after(const Model& model, const Settings& settings, int threads) {
    const auto engine = on_cpu(model, settings, threads);
    for (std::uint64_t f = 0; f < settings.frames; ++f) run_frame(*engine, model, settings);
    State state;
    engine->get(state);
    return state;
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
    for (const double compliance : {0.0, 1e-4}) {
        const Settings settings = settings_of(3, 3, compliance);
        for (const char* name : deterministic) {
            INFO(name << ' ' << compliance);
            const Model model = model_of(graph, 24, name);
            if (settings.multiplied() && model.way == Way::gather) continue;
            const State one = after(model, settings, 1);
            for (const int threads : {2, 3, 4}) CHECK(same(after(model, settings, threads), one));
            CHECK(departure_from_serial(model, settings, settings.frames, one).empty());
            CHECK(lost_momentum(model, settings, settings.frames, 18, one).empty());
        }
    }
}

TEST_CASE("springs: strategies that lock or add by atomic operations keep the momentum") {
    const Graph graph = graph_of(400, cloth(20));
    for (const char* name : others) {
        INFO(name);
        const Model model = model_of(graph, 20, name);
        const Settings settings = settings_of(4, 2, 0);
        CHECK(lost_momentum(model, settings, settings.frames, 16, after(model, settings, 4)).empty());
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
    CHECK_THAT(lost_momentum(model, settings, 2, 8, pushed), Catch::Contains("momentum along x"));
    State unbounded = right;
    unbounded.velocities[7].x = std::nanf("");
    CHECK(!lost_momentum(model, settings, 2, 8, unbounded).empty());

    Model swapped = model;  // two springs that share a particle, the other way round
    EdgeId other = 1;
    while (swapped.plan.row[other] != swapped.plan.row[0]) ++other;
    std::swap(swapped.plan.col[0], swapped.plan.col[other]), std::swap(swapped.rest[0], swapped.rest[other]);
    CHECK(!departure_from_serial(model, settings, 2, after(swapped, settings, 1)).empty());
    Model fewer = model;  // of one spring nothing comes
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
        CHECK(strips_fit(strips, true));
    }
    CHECK(make_strips(graph_of(64 * 64, cloth(64))).count == 16);
}

TEST_CASE(
    "springs: sweeps pull a ring to its lengths, pinned, coincident and single particles are left where they "
    "are") {
    const VertexId n = 30;
    const Graph graph = graph_of(n, ring(n));
    Model model = model_of(graph, n, "agm-e");
    for (float& rest : model.rest) rest = 1;
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
