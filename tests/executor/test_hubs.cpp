// Tests of the hub-first walk. The lists of its plan hold the graph's arcs in the schedule's order, also by
// target. The quads that kernels read hold the same arcs without loops. On every device it gives the values
// of the serial references.
#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "apps/bfs.hpp"
#include "apps/device.hpp"
#include "apps/sssp.hpp"
#include "catch.hpp"
#include "hubs_cuda.hpp"
#include "lockstep/schedules/builders.hpp"
#include "square_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::frontier;

namespace {

using Arc = std::tuple<VertexId, VertexId, float>;  // an arc of the graph, with the graph's IDs

std::vector<Arc> arcs_of(const Graph& graph) {
    std::vector<Arc> arcs;
    const Array<VertexId> row = edge_rows(graph);
    for (EdgeId e = 0; e < graph.edges(); ++e) arcs.emplace_back(row[e], graph.col[e], graph.weight(e));
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

/// Returns the arcs of lists by source, or by target, and requires that each list ascends by weight, then by
/// position.
std::vector<Arc> arcs_of(const Hubs& plan, const Csr& lists, bool by_source) {
    std::vector<Arc> arcs;
    bool ascending = true;
    for (VertexId v = 0; v < plan.vertices; ++v) {
        for (EdgeId i = lists.offsets[v]; i < lists.offsets[v + EdgeId{1}]; ++i) {
            const auto rank = [&](EdgeId at) {
                return std::tuple(lists.weights.empty() ? 1.0F : lists.weights[at], lists.ends[at]);
            };
            ascending = ascending && (i == lists.offsets[v] || rank(i - 1) <= rank(i));
            const VertexId a = plan.order[v], b = plan.order[lists.ends[i]];
            arcs.emplace_back(by_source ? a : b, by_source ? b : a, std::get<0>(rank(i)));
        }
    }
    CHECK(ascending);
    std::sort(arcs.begin(), arcs.end());
    return arcs;
}

/// Returns the graph with weights (u + v) mod `weights` times `scale`, which are the same for both arcs of an
/// edge.
Graph weighted(Graph graph, VertexId weights, float scale) {
    const Array<VertexId> row = edge_rows(graph);
    graph.value.resize(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); ++e)
        graph.value[e] = scale * static_cast<float>((row[e] + graph.col[e]) % weights);
    return graph;
}

void check_quads(const Csr& lists, VertexId linked, QuadWeights weights) {
    const QuadLists quads = quad_lists(lists, linked, weights);
    REQUIRE(quads.first.size() == (EdgeId{linked} + 31) / 32 * 32 + 1);
    bool right = true;
    for (VertexId v = 0; v < linked; ++v) {
        EdgeId at = EdgeId{quads.first[v]} * 4;
        const EdgeId end = EdgeId{quads.first[v + EdgeId{1}]} * 4;
        float last = 0;
        const auto holds = [&](VertexId to, float weight) {
            const std::uint32_t word = quads.ends[at];
            bool is = word == to;
            if (weights == QuadWeights::packed)
                is = (word & 0xffffff) == to && static_cast<float>(word >> 24) == weight;
            if (weights == QuadWeights::apart) is = is && std::bit_cast<float>(quads.weights[at]) == weight;
            ++at;
            return is;
        };
        for (EdgeId i = lists.offsets[v]; i < lists.offsets[v + EdgeId{1}]; ++i) {
            if (lists.ends[i] == v) continue;
            last = lists.weights.empty() ? 1.0F : lists.weights[i];
            REQUIRE(at < end);
            right = holds(lists.ends[i], last) && right;
        }
        right = right && end - at < 4;
        while (at < end) right = holds(v, last) && right;
    }
    CHECK(right);
    CHECK(quads.first.back() * EdgeId{4} == quads.ends.size());
}

}  // namespace

TEST_CASE("hubs: a plan holds every arc in the order of its schedule, by source and by target") {
    for (const bool undirected : {false, true}) {
        for (const NamedGraph& named : square_battery(undirected)) {
            if (named.graph.rows > 100000) continue;
            INFO(named.name << (undirected ? ", undirected" : ""));
            for (const bool by_weight : {false, true}) {
                const Graph graph = by_weight ? weighted(named.graph, 7, 0.5F) : named.graph;
                const Schedule schedule = by_weight ? build_hubs_weight(graph) : build_hubs(graph);
                const Hubs plan = Hubs::make(graph, &schedule, {by_weight, true});
                CHECK(plan.symmetric != graph.directed);
                CHECK(arcs_of(plan, plan.out, true) == arcs_of(graph));
                CHECK(arcs_of(plan, plan.incoming(), false) == arcs_of(graph));
                bool linked = true;
                for (VertexId v = 0; v < plan.vertices; ++v) {
                    const bool has =
                        plan.out.offsets.view().degree(v) + plan.incoming().offsets.view().degree(v) > 0;
                    linked = linked && has == (v < plan.linked);
                }
                CHECK(linked);
            }
        }
    }
}

TEST_CASE("hubs: quads hold the lists without loops, filled up by their vertex") {
    for (const NamedGraph& named : square_battery(false)) {
        if (named.graph.rows > 100000) continue;
        INFO(named.name);
        const Schedule hubs = build_hubs(named.graph);
        const Hubs plain = Hubs::make(named.graph, &hubs, {false, true});
        check_quads(plain.out, plain.linked, QuadWeights::none);
        check_quads(plain.in, plain.linked, QuadWeights::none);
        CHECK(quad_weights(plain) == QuadWeights::packed);  // all weights are 1
        const std::tuple<VertexId, float, QuadWeights> cases[] = {
            {256, 1, QuadWeights::packed}, {7, 0.5F, QuadWeights::apart}, {300, 1, QuadWeights::apart}};
        for (const auto& [weights, scale, expected] : cases) {
            const Graph graph = weighted(named.graph, weights, scale);
            const Schedule by_weight = build_hubs_weight(graph);
            const Hubs plan = Hubs::make(graph, &by_weight, {true, true});
            if (graph.edges() > 1000 && graph.rows > 500) CHECK(quad_weights(plan) == expected);
            check_quads(plan.in, plan.linked, quad_weights(plan));
            check_quads(plan.out, plan.linked, QuadWeights::apart);
        }
    }
}

namespace {

/// Returns sources with and without arcs.
std::vector<VertexId> sources_of(const Hubs& plan) {
    std::vector<VertexId> sources;
    if (plan.linked > 0) sources = {plan.order[0], plan.order[plan.linked / 2], plan.order[plan.linked - 1]};
    if (plan.linked < plan.vertices) sources.push_back(plan.order.back());
    return sources;
}

template <class Op, class Reference>
void check_values(const FrontierPlan& plan, Reference reference) {
    const Hubs& hubs = std::get<Hubs>(plan);
    std::string reason;
    [[maybe_unused]] const bool gpu = cuda_available(&reason);
    for (const VertexId source : sources_of(hubs)) {
        const Values expected = reference(source);
        INFO("from " << source);
        for (const int threads : {1, 3})
            CHECK((on_cpu(plan, Axes{}, Op(), threads).run(source, {}).values == expected));
#if defined(LOCKSTEP_HAS_CUDA)
        for (int way = 0; gpu && way < hub_ways; ++way) {
            const EdgeId blocks = std::array<EdgeId, 3>{1, 3, 0}[(source + static_cast<VertexId>(way)) % 3];
            INFO(blocks << " blocks, way " << way);
            CHECK((hub_values<Op>(hubs, source, blocks, way) == expected));
        }
        if (gpu) CHECK((on_cuda(plan, Axes{}, Op()).run(source, {}).values == expected));
#endif
    }
    if (!gpu) skip("the kernels: " + reason);
}

}  // namespace

TEST_CASE("hubs: levels and distances are those of the serial references, on every device") {
    for (const bool undirected : {false, true}) {
        for (const NamedGraph& named : square_battery(undirected)) {
            if (named.graph.rows > 100000) continue;
            INFO(named.name << (undirected ? ", undirected" : ""));
            const auto plan_of = [](const Graph& graph, const Schedule& schedule, bool weights) {
                return make_frontier_plan(graph, find_strategy(schedule.name, "frontier"), &schedule,
                                          {weights, true});
            };
            check_values<bfs::Levels>(
                plan_of(named.graph, build_hubs(named.graph), false),
                [&](VertexId source) { return Values(bfs::compute_reference(named.graph, source)); });
            const Graph none = named.graph, bytes = weighted(named.graph, 256, 1),
                        large = weighted(named.graph, 3000, 1), real = weighted(named.graph, 300, 0.37F);
            for (const Graph* graph : {&none, &bytes, &large, &real}) {
                const auto reference = [&](VertexId source) {
                    return sssp::compute_reference(*graph, source);
                };
                const FrontierPlan plan = plan_of(*graph, build_hubs_weight(*graph), true);
                if (sssp::classify_weights(*graph).whole)
                    check_values<sssp::Distances<std::uint32_t>>(plan, reference);
                else
                    check_values<sssp::Distances<float>>(plan, reference);
            }
            check_values<bfs::Levels>(plan_of(bytes, build_hubs_weight(bytes), false), [&](VertexId source) {
                return Values(bfs::compute_reference(named.graph, source));
            });
        }
    }
}

TEST_CASE("hubs: lists that are not by weight are no way to distances") {
    const Graph graph = weighted(square_graph(3, {{0, 1}, {1, 2}}), 7, 1);
    const Schedule hubs = build_hubs(graph);
    CHECK_THROWS_WITH(make_frontier_plan(graph, find_strategy("hubs", "frontier"), &hubs, {true, true}),
                      Catch::Contains("hubs-weight"));
}
