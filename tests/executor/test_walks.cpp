// Tests that every walk visits every edge exactly once, never holds an endpoint twice, and follows its plan.

#include <set>

#include "apps/device.hpp"
#include "catch.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/arc/plan.hpp"
#include "planted.hpp"
#include "probe_operators.hpp"
#include "support.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace lockstep::test {
bool gpu_or_skip() {
    std::string reason;
    if (cuda_available(&reason)) return true;
    skip(reason);
    return false;
}
}  // namespace lockstep::test

namespace {

template <class Id>
std::vector<std::uint32_t> as_counts(const std::vector<Id>& degrees) {
    return {degrees.begin(), degrees.end()};
}

std::vector<std::uint32_t> updates(const std::vector<Mark>& marks) {
    std::vector<std::uint32_t> updates;
    for (const Mark& mark : marks) updates.push_back(mark.updates);
    return updates;
}

void check_probe(const Graph& graph, const Strategy& strategy, const EdgePlan& plan, const ProbeResult& r) {
    INFO(strategy.name);
    REQUIRE(plan.edges() == graph.edges());
    REQUIRE(r.counts.updates == graph.edges());
    if (!r.visits.empty()) REQUIRE(r.visits == std::vector<std::uint32_t>(graph.edges(), 1));
    if (strategy.races()) return;  // these strategies may lose updates
    REQUIRE(updates(r.rows) == as_counts(row_degrees(graph)));
    REQUIRE(updates(r.cols) == as_counts(col_degrees(graph)));
    // Under locks there are neither rounds nor an order.
    if (strategy.deterministic()) REQUIRE(r.conflicts(plan) == 0);
}

/// Returns a plan in which concurrent work meets at an endpoint, though it has the form of its walk.
EdgePlan with_edges_in_one_row(EdgePlan plan) {
    for (EdgeId e = 0; e < plan.edges(); e += 2) plan.row[e] = 5;
    return plan;
}

/// Returns a plan of many blocks, so that many tiles run concurrently.
EdgePlan plan_of_many_blocks(const Graph& graph, const std::string& strategy) {
    BuildOptions build = small_build();
    build.item_blocks = 0;
    return plan_for(graph, find_strategy(strategy), build);
}

std::vector<std::string> offline_strategies() {
    std::vector<std::string> names;
    for (const Strategy& strategy : strategies()) {
        if (strategy.deterministic()) names.emplace_back(strategy.name);
    }
    return names;
}

}  // namespace

/// Checks the facts of all walks of a family, whose list CMakeLists.txt generates.
template <class... Plans>
void check_facts(std::type_identity<std::variant<Plans...>>, Family family) {
    std::set<std::string_view> names;
    for (const Walk& walk : {Plans::facts...}) {
        INFO(walk.name);
        CHECK(names.insert(walk.name).second);
        CHECK(walk.family == family);
    }
    for (const Strategy& strategy : strategies_of_all()) {
        const bool has_its_own =
            strategy.app == std::string_view("springs") || strategy.app == std::string_view("als");
        if (strategy.walk.family != family || has_its_own) continue;
        INFO(strategy.name);
        CHECK(names.contains(strategy.walk.name));
        if (!strategy.walk.form) continue;
        // The walk requires the form that the builder of the schedule provides.
        REQUIRE(form_of(strategy.schedule, Ends::sides));
        CHECK(form_of(strategy.schedule, Ends::sides)->has == strategy.walk.form->has);
        CHECK(form_of(strategy.schedule, Ends::sides)->may_have == strategy.walk.form->may_have);
    }
}

TEST_CASE("the list of walks names each once, and those of all strategies") {
    check_facts(std::type_identity<EdgeWalk>(), Family::edges);
    check_facts(std::type_identity<ArcWalk>(), Family::arcs);
}

TEST_CASE("a strategy names its way by type, and what a CPU runs for it is one of its application") {
    const auto program = [](const char* app, const char* name) {
        return std::string(on_cpu(find_strategy(name, app)).name);
    };
    for (const Strategy& s : strategies_of_all()) {
        INFO(s.app << ": " << s.name);
        const Strategy& there = on_cpu(s);
        CHECK(there.app == std::string_view(s.app));
        CHECK(there.variant == cpu_variant_of(s.variant));
        CHECK(program(there.app, there.name) == there.name);
        CHECK((s.schedule ? s.schedule : std::string()) == (there.schedule ? there.schedule : ""));
        const bool many = s.walk.family == Family::structure || s.walk.family == Family::meshes;
        if (many) CHECK((s.variant.index() != 0 || s.axes));
        if (s.app == std::string_view("sgd")) CHECK(there.name == s.name);
    }
    CHECK(program("cc", "soman") == "best");
    CHECK(program("cc", "hubs") == "hubs");
    CHECK(program("kcore", "pull") == "best");
    CHECK(program("triangles", "nested") == "best");
    CHECK(program("dmr", "exclusive") == "supersteps");
    CHECK(program("pagerank", "push-warp") == "push");
    CHECK(program("pagerank", "pull-nodiv-warp") == "pull-nodiv");
    CHECK(program("pagerank", "edge-aos") == "edge-soa");
    CHECK(program("pagerank", "pull-push") == "pull-push");
}

TEST_CASE("CPU walks: each edge once, no endpoint held twice, in the order of the plan") {
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const Strategy& strategy : strategies()) {
            const EdgePlan plan = plan_for(named.graph, strategy);
            for (const int threads : {1, 2, 5})
                check_probe(named.graph, strategy, plan, probe_on_cpu(plan, threads));
        }
    }
}

#if defined(LOCKSTEP_HAS_CUDA)
namespace {
void check_on_cuda(const Graph& graph, const Strategy& strategy, const EdgePlan& plan, int lanes) {
    const std::optional<ProbeResult> r = probe_on_cuda(plan, lanes);
    if (!r && lanes == 32) return;  // vectors have 512 bytes, and some plans do not fit in shared memory
    REQUIRE(r);
    check_probe(graph, strategy, plan, *r);
}
}  // namespace

TEST_CASE("CUDA walks: each edge once, no endpoint held twice, in the order of the plan") {
    if (!gpu_or_skip()) return;
    for (const NamedGraph& named : graph_battery()) {
        INFO(named.name);
        for (const Strategy& strategy : strategies()) {
            const EdgePlan plan = plan_for(named.graph, strategy);
            for (const int lanes : {1, 4, 32}) {
                INFO("lanes " << lanes);
                check_on_cuda(named.graph, strategy, plan, lanes);
            }
        }
    }
}

TEST_CASE("CUDA walks on a skewed graph of many small and large rounds, hubs on either side") {
    if (!gpu_or_skip()) return;
    // Column 0 has an edge to every row, row 0 to every column, and the rest is random. So phases of a thread
    // block, of a cluster and of the device follow each other.
    const VertexId rows = 30000, cols = 20000;
    std::vector<Triple> triples;
    for (VertexId u = 0; u < rows; ++u) triples.push_back({u, 0, 1});
    for (VertexId v = 1; v < cols; ++v) triples.push_back({0, v, 1});
    std::uint64_t random = 1;
    for (int i = 0; i < 400000; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        triples.push_back(
            {static_cast<VertexId>((random >> 33) % rows), static_cast<VertexId>((random >> 13) % 997), 1});
    }
    const Graph graph = build_graph(triples, rows, cols, {GraphShape::bipartite, true, true});
    for (const Strategy& strategy : strategies()) {
        // The plan is refused, since the graph has no locality.
        if (strategy.walk == LocalPlan::facts) continue;
        const EdgePlan plan = plan_for(graph, strategy);
        for (const int lanes : {1, 4, 32}) {
            INFO("lanes " << lanes);
            check_on_cuda(graph, strategy, plan, lanes);
        }
    }
}

TEST_CASE("CUDA: a conflict planted in the plan of any offline walk is found, as lost or untimely updates") {
    if (!gpu_or_skip()) return;
    for (const std::string& name : offline_strategies()) {
        INFO(name);
        const Graph graph = name == "local" ? small_road(60) : random_graph(400, 300, 4000, 17);
        const EdgePlan plan = all_at_once(plan_of_many_blocks(graph, name));
        const std::optional<ProbeResult> r = probe_on_cuda(plan, 4);
        REQUIRE(r);
        CHECK(r->conflicts(plan) > 100);
    }
}
#endif

TEST_CASE("CPU: a conflict planted in the plan of any offline walk is found, by one thread too") {
    for (const std::string& name : offline_strategies()) {
        const Graph graph = name == "local" ? small_road(60) : random_graph(400, 300, 4000, 17);
        const EdgePlan plan = plan_of_many_blocks(graph, name);
        for (const int threads : {1, 3}) {
            INFO(name << ", " << threads << " threads");
            CHECK(probe_on_cpu(plan, threads).conflicts(plan) == 0);
            CHECK(probe_on_cpu(with_edges_in_one_row(plan), threads).claims > 100);
        }
    }
}
