// Schedules of one set of vertices: no vertex twice at once, whichever end of an edge it is.
#include <omp.h>

#include <algorithm>
#include <random>
#include <set>

#include "proved.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Graph one_set(VertexId vertices, std::vector<std::pair<VertexId, VertexId>> edges) {
    std::vector<Triple> triples;
    for (const auto& [u, v] : edges) triples.push_back({u, v, 1});
    return build_graph(std::move(triples), vertices, vertices,
                       {.shape = GraphShape::square, .ends = Ends::vertices});
}
Graph ring(VertexId size) {
    std::vector<std::pair<VertexId, VertexId>> edges;
    for (VertexId v = 0; v < size; ++v) edges.emplace_back(v, (v + 1) % size);
    return one_set(size, edges);
}
/// Hubs, loops, parallel edges and both directions of some.
Graph skewed(VertexId vertices, EdgeId edges, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<VertexId, VertexId>> pairs;
    const auto vertex = [&] {
        const double x = std::uniform_real_distribution<>(0, 1)(random);
        return static_cast<VertexId>(x * x * x * vertices);
    };
    for (EdgeId e = 0; e < edges; ++e) {
        pairs.emplace_back(vertex(), vertex());
        if (e % 50 == 0) pairs.push_back(pairs.back());
        if (e % 60 == 0) pairs.emplace_back(pairs.back().second, pairs.back().first);
        if (e % 70 == 0) pairs.emplace_back(pairs.back().first, pairs.back().first);
    }
    return one_set(vertices, pairs);
}

std::vector<const Builder*> of_one_set() {
    std::vector<const Builder*> found;
    for (const Builder& builder : builders()) {
        if (why_not(builder, Ends::vertices).empty()) found.push_back(&builder);
    }
    return found;
}
BuildOptions few_blocks() {
    BuildOptions options;
    options.on_chip_bytes = 4 << 10, options.multiprocessors = 4;
    return options;
}

/// By definition, without the checker: what runs at once shares no vertex.
bool disjoint_by_hand(const Graph& graph, const Schedule& schedule) {
    const Array<VertexId> row = edge_rows(graph);
    const Level outer = schedule.has(Level::step) ? Level::step : Level::phase;
    const std::vector<EdgeId> sets = edge_offsets(schedule, outer);
    const bool tasks = schedule.has(Level::task), tiles = schedule.has(Level::tile);
    const auto shares = [&](const std::vector<EdgeId>& within, const std::vector<EdgeId>* units) {
        for (std::size_t s = 0; s + 1 < within.size(); ++s) {
            std::map<VertexId, EdgeId> owner;
            for (EdgeId i = within[s]; i < within[s + 1]; ++i) {
                const EdgeId e = schedule.order[i];
                const EdgeId unit =
                    units ? static_cast<EdgeId>(std::upper_bound(units->begin(), units->end(), i) -
                                                units->begin())
                          : i;
                for (const VertexId v : {row[e], graph.col[e]}) {
                    if (owner.try_emplace(v, unit).first->second != unit) return true;
                }
            }
        }
        return false;
    };
    const std::vector<EdgeId> of_tasks = tasks ? edge_offsets(schedule, Level::task) : std::vector<EdgeId>{};
    if (shares(sets, tasks ? &of_tasks : nullptr)) return false;
    if (!tiles) return true;
    const std::vector<EdgeId> of_tiles = edge_offsets(schedule, Level::tile);
    return !shares(edge_offsets(schedule, Level::phase), &of_tiles);
}

}  // namespace

TEST_CASE("one set: every graph of at most six vertices, by every builder") {
    std::vector<std::pair<VertexId, VertexId>> pairs;
    for (VertexId v = 1; v < 6; ++v)
        for (VertexId u = 0; u < v; ++u) pairs.emplace_back(u, v);
    omp_set_num_threads(1);
    for (unsigned bits = 0; bits < 1U << pairs.size(); ++bits) {
        std::vector<std::pair<VertexId, VertexId>> edges;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            if (bits >> i & 1) edges.push_back(i % 2 ? pairs[i] : std::pair(pairs[i].second, pairs[i].first));
        }
        const Graph graph = one_set(6, edges);
        for (const Builder* builder : of_one_set()) {
            const Schedule schedule = builder->build(graph, few_blocks());
            const bool good = verify(graph, schedule).ok() &&
                              (schedule.disjoint == Disjoint::none || disjoint_by_hand(graph, schedule));
            if (!good) FAIL(builder->name << " of the graph " << bits);
        }
        BuildOptions exact;
        exact.matching = Matching::exact;
        const Schedule few = build_agm_e(graph, exact);
        const std::vector<EdgeId> degree = vertex_degrees(graph);
        const EdgeId most = *std::max_element(degree.begin(), degree.end());
        if (!verify(graph, few).ok() || few.count(Level::phase) > most + 1)
            FAIL("exact of the graph " << bits);
    }
    omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("one set: rings of springs take two rounds, or three") {
    BuildOptions exact;
    exact.matching = Matching::exact;
    CHECK(build_agm_e(ring(6), {}).count(Level::phase) == 2);
    CHECK(build_agm_e(ring(5), {}).count(Level::phase) == 3);
    CHECK(build_agm_e(ring(6), exact).count(Level::phase) <= 3);
    // For two sides the same ring is one round: a vertex as row and as column has two states.
    Graph two_sides = ring(6);
    two_sides.ends = Ends::sides;
    CHECK(build_agm_e(two_sides, {}).count(Level::phase) == 1);
    const Schedule one_round = build_agm_e(two_sides, {});
    CHECK_FALSE(verify(ring(6), one_round).disjoint);
}

TEST_CASE("one set: complete graphs have no more matchings than Vizing allows") {
    BuildOptions exact;
    exact.matching = Matching::exact;
    for (VertexId n = 2; n < 24; ++n) {
        std::vector<std::pair<VertexId, VertexId>> edges;
        for (VertexId v = 1; v < n; ++v)
            for (VertexId u = 0; u < v; ++u) edges.emplace_back(u, v);
        const Graph graph = one_set(n, edges);
        const Schedule schedule = build_agm_e(graph, exact);
        INFO(n << " vertices");
        require_proved(verify(graph, schedule));
        CHECK(schedule.count(Level::phase) <= n);
    }
}

TEST_CASE("one set: hubs, loops and parallel edges, the same for any number of threads") {
    const BuildOptions options = few_blocks();
    for (const auto& [vertices, edges] :
         {std::pair<VertexId, EdgeId>{40, 300}, {3000, 20000}, {60000, 300000}}) {
        const Graph graph = skewed(vertices, edges, 7);
        for (const Builder* builder : of_one_set()) {
            INFO(builder->name << " of " << edges << " edges");
            if (edges > 100000 && std::string(builder->name) == "diag") continue;  // a round a vertex
            if (edges > 1000 && std::string(builder->name) == "local") continue;   // it has no locality
            omp_set_num_threads(1);
            const Schedule schedule = builder->build(graph, options);
            omp_set_num_threads(4);
            CHECK(builder->build(graph, options).order == schedule.order);
            require_proved(verify(graph, schedule));
            if (schedule.disjoint != Disjoint::none && edges < 100000)
                CHECK(disjoint_by_hand(graph, schedule));
        }
    }
    omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("one set: the checker finds a conflict of each kind") {
    const Graph graph = skewed(300, 900, 3);
    const Array<VertexId> row = edge_rows(graph);
    for (const Builder* builder : of_one_set()) {
        const Schedule good = builder->build(graph, few_blocks());
        if (good.disjoint == Disjoint::none) continue;
        INFO(builder->name);
        // Two rounds in one: some two edges of it share a vertex, as rows, as columns, or as one of each.
        Schedule merged = good;
        auto& phases = merged.level(Level::phase);
        REQUIRE(phases.size() > 2);
        phases.erase(phases.begin() + 1);
        merged.maximal = false;
        CHECK(verify(graph, merged).disjoint == disjoint_by_hand(graph, merged));
        // An edge left out, another one twice.
        Schedule twice = good;
        twice.order[0] = twice.order[1];
        CHECK_FALSE(verify(graph, twice).cover);
    }
    // A round that is not maximal.
    Schedule late = build_agm_e(ring(8), {});
    late.level(Level::phase) = {0, 3, 4, 8};
    CHECK(verify(ring(8), late).disjoint);
    CHECK_FALSE(verify(ring(8), late).maximal);
}

TEST_CASE("one set: what is for two sides says so") {
    const Graph graph = ring(9);
    for (const char* name : {"agm-n", "sgm", "el-sgm", "blocked", "edge-tiled", "hubs", "regions"})
        CHECK(refusal(name, graph, {}).find("two sides") != std::string::npos);
    CHECK_THROWS_AS(require_ends(graph, Ends::sides), ScheduleError);
    BuildOptions euler;
    euler.matching = Matching::euler;
    CHECK_THROWS_AS(build_agm_e(graph, euler), ScheduleError);
}
