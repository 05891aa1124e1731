// Tests of the schedules for one set of vertices: concurrent work shares no vertex, whichever endpoint of an
// edge it is.
#include <omp.h>

#include <algorithm>
#include <bit>
#include <map>
#include <random>
#include <set>

#include "insight/build_options.hpp"
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
/// Returns a graph with hubs, self-loops, parallel edges, and some edges in both directions.
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
    BuildOptions options = insight::default_build_options();
    options.shared_memory_bytes = 4 << 10, options.multiprocessors = 4;
    return options;
}

/// Checks the definition without the verifier: concurrent work shares no vertex.
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
        BuildOptions exact = insight::default_build_options();
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
    BuildOptions exact = insight::default_build_options();
    exact.matching = Matching::exact;
    CHECK(build_agm_e(ring(6), {}).count(Level::phase) == 2);
    CHECK(build_agm_e(ring(5), {}).count(Level::phase) == 3);
    CHECK(build_agm_e(ring(6), exact).count(Level::phase) <= 3);
    // The same ring takes one round for two sides, because a vertex has one state as row and one as column.
    Graph two_sides = ring(6);
    two_sides.ends = Ends::sides;
    CHECK(build_agm_e(two_sides, {}).count(Level::phase) == 1);
    const Schedule one_round = build_agm_e(two_sides, {});
    CHECK_FALSE(verify(ring(6), one_round).disjoint);
}

TEST_CASE("one set: complete graphs have no more matchings than Vizing allows") {
    BuildOptions exact = insight::default_build_options();
    exact.matching = Matching::exact;
    for (VertexId n = 2; n < 24; ++n) {
        std::vector<std::pair<VertexId, VertexId>> edges;
        for (VertexId v = 1; v < n; ++v)
            for (VertexId u = 0; u < v; ++u) edges.emplace_back(u, v);
        const Graph graph = one_set(n, edges);
        const Schedule schedule = build_agm_e(graph, exact);
        INFO(n << " vertices");
        require_verified(verify(graph, schedule));
        CHECK(schedule.count(Level::phase) <= n);
    }
}

TEST_CASE("one set: exact matchings of a complete graph are the rounds of a tournament") {
    BuildOptions exact;
    exact.matching = Matching::exact;
    const auto rounds = [&](VertexId vertices, VertexId isolated, int left_out, int repeated) {
        std::vector<std::pair<VertexId, VertexId>> edges;
        for (VertexId u = 0; u < vertices; ++u)
            for (VertexId v = 0; v < u; ++v) edges.emplace_back(u % 2 ? u : v, u % 2 ? v : u);
        edges.resize(edges.size() - static_cast<std::size_t>(left_out));
        for (int i = 0; i < repeated; ++i) edges.emplace_back(edges[0].second, edges[0].first);
        const Graph graph = one_set(vertices + isolated, edges);
        const Schedule schedule = build_agm_e(graph, exact);
        require_verified(verify(graph, schedule));
        return schedule.count(Level::phase);
    };
    for (const VertexId n : {2, 4, 6, 8, 10, 20, 56, 64, 100}) {
        CHECK(rounds(n, 0, 0, 0) == n - 1);
        CHECK(rounds(n, 3, 0, 0) == n - 1);
        CHECK(rounds(n + 1, 0, 0, 0) == n + 1);
    }
    // An edge that occurs twice in place of another one leaves a graph that is not complete.
    CHECK(rounds(56, 0, 1, 1) <= 57);
    CHECK(rounds(56, 0, 1, 0) <= 56);
}

TEST_CASE("one set: exact matchings of parallel edges are within the bounds of Vizing and Shannon") {
    using Edges = std::vector<std::pair<VertexId, VertexId>>;
    BuildOptions exact = insight::default_build_options();
    exact.matching = Matching::exact;
    /// Returns the excess of rounds over max(maximum degree + 1, density of the densest odd set of vertices),
    /// a bound below which hardly any graph can be coloured. An odd set of k vertices has at most (k - 1) / 2
    /// edges per round.
    const auto excess = [&](VertexId vertices, const Edges& edges) {
        const Graph graph = one_set(vertices, edges);
        const Schedule schedule = build_agm_e(graph, exact);
        require_verified(verify(graph, schedule));
        const EdgeId rounds = schedule.count(Level::phase);
        const std::vector<EdgeId> degree = vertex_degrees(graph);
        const EdgeId largest = *std::max_element(degree.begin(), degree.end());
        std::map<std::pair<VertexId, VertexId>, EdgeId> joining;
        EdgeId parallel = 1, least = largest + 1;
        for (const auto& [u, v] : edges)
            if (u != v) parallel = std::max(parallel, ++joining[std::minmax(u, v)]);
        INFO(vertices << " vertices, degree " << largest << ", parallel " << parallel);
        REQUIRE(rounds <= (largest < 2 ? largest : std::min(largest + parallel, 3 * largest / 2)));
        for (unsigned set = 0; set < 1U << vertices; ++set) {
            const auto size = static_cast<EdgeId>(std::popcount(set));
            if (size < 3 || size % 2 == 0) continue;
            EdgeId inside = 0;
            for (const auto& [ends, count] : joining)
                if ((set >> ends.first & 1) && (set >> ends.second & 1)) inside += count;
            least = std::max(least, (2 * inside + size - 2) / (size - 1));
        }
        return rounds > least ? rounds - least : 0;
    };
    for (EdgeId times = 1; times < 20; ++times) {  // Shannon's graph: no two of its edges fit in one round
        Edges triangle;
        for (EdgeId i = 0; i < times; ++i) triangle.insert(triangle.end(), {{0, 1}, {1, 2}, {0, 2}});
        CHECK(excess(3, triangle) == 0);
        CHECK(build_agm_e(one_set(3, triangle), exact).count(Level::phase) == 3 * times);
    }
    int above = 0;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        std::mt19937 random(seed);
        const VertexId vertices = 2 + random() % 7;
        Edges edges(1 + random() % 80);
        for (auto& [u, v] : edges) u = random() % vertices, v = random() % vertices;
        const bool loops = seed % 2;
        if (!loops) std::erase_if(edges, [](const auto& e) { return e.first == e.second; });
        if (!edges.empty()) above += excess(vertices, edges) > 0 && !loops;
    }
    CHECK(above <= 5);
}

TEST_CASE("one set: thousands of loops at a vertex") {
    std::vector<std::pair<VertexId, VertexId>> edges(4000, {0, 0});
    for (VertexId v = 1; v < 200; ++v) {
        edges.emplace_back(v - 1, v);
        edges.insert(edges.end(), v % 7, {v, v});
    }
    const Graph graph = one_set(200, edges);
    for (const Builder* builder : of_one_set()) {
        INFO(builder->name);
        require_verified(verify(graph, builder->build(graph, few_blocks())));
    }
    // The hub forms its own tile; every other tile, with its self-loops, fits in shared memory.
    BuildOptions options = few_blocks();
    options.shared_memory_bytes = 16 << 10;
    const Schedule schedule = build_local(graph, options);
    const std::vector<EdgeId> tiles = edge_offsets(schedule, Level::tile);
    const Array<VertexId> row = edge_rows(graph);
    EdgeId large = 0;
    for (std::size_t t = 0; t + 1 < tiles.size(); ++t) {
        std::set<VertexId> vertices;
        for (EdgeId i = tiles[t]; i < tiles[t + 1]; ++i)
            vertices.insert({row[schedule.order[i]], graph.col[schedule.order[i]]});
        const EdgeId bytes = vertices.size() * (4 * options.rank + 4) + (tiles[t + 1] - tiles[t]) * 8;
        if (bytes > options.shared_memory_bytes / options.regions_per_multiprocessor - (2 << 10)) {
            ++large;
            CHECK(vertices == std::set<VertexId>{0});
        }
    }
    CHECK(large == 1);
}

TEST_CASE("one set: hubs, loops and parallel edges, the same for any number of threads") {
    const BuildOptions options = few_blocks();
    for (const auto& [vertices, edges] :
         {std::pair<VertexId, EdgeId>{40, 300}, {3000, 20000}, {60000, 300000}}) {
        const Graph graph = skewed(vertices, edges, 7);
        for (const Builder* builder : of_one_set()) {
            INFO(builder->name << " of " << edges << " edges");
            // diag has one round per vertex.
            if (edges > 100000 && std::string(builder->name) == "diag") continue;
            if (edges > 1000 && std::string(builder->name) == "local") continue;  // the graph has no locality
            omp_set_num_threads(1);
            const Schedule schedule = builder->build(graph, options);
            omp_set_num_threads(4);
            CHECK(builder->build(graph, options).order == schedule.order);
            require_verified(verify(graph, schedule));
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
        // Merge two rounds. Two edges then share a vertex, as rows, as columns, or as one of each.
        Schedule merged = good;
        auto& phases = merged.level(Level::phase);
        REQUIRE(phases.size() > 2);
        phases.erase(phases.begin() + 1);
        merged.maximal = false;
        CHECK(verify(graph, merged).disjoint == disjoint_by_hand(graph, merged));
        // Remove an edge and duplicate another one.
        Schedule twice = good;
        twice.order[0] = twice.order[1];
        CHECK_FALSE(verify(graph, twice).cover);
    }
    // Make a round that is not maximal.
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
    BuildOptions euler = insight::default_build_options();
    euler.matching = Matching::euler;
    CHECK_THROWS_AS(build_agm_e(graph, euler), ScheduleError);
}
