// Tests of minimum spanning forests: every variant gives the forest of a serial reference, and the
// verification finds faults.
#include <random>

#include "apps/mst.hpp"
#include "executor_support.hpp"
#include "lockstep/executor/structure/exact_sum.hpp"
#include "lockstep/executor/structure/forest.hpp"
#include "structure_support.hpp"
#include "weighted_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::structure;

namespace {

/// Returns graphs without weights, with few and many different weights, and with negative weights.
std::vector<NamedGraph> weighted_graphs_of_all_kinds() {
    std::vector<NamedGraph> all;
    for (const Weights weights : {Weights::none, Weights::whole, Weights::zeros, Weights::real}) {
        for (NamedGraph& named : structure_graphs()) {
            if (named.graph.rows > 100000 && weights != Weights::whole) continue;
            named.name += ", weights " + std::to_string(static_cast<int>(weights));
            weigh(named.graph, weights);
            if (weights == Weights::real) {
                for (float& weight : named.graph.value) weight = weight < 50 ? -weight : weight;
            }
            all.push_back(std::move(named));
        }
    }
    return all;
}

void forests(Device device) {
    for (const NamedGraph& named : weighted_graphs_of_all_kinds()) {
        INFO(named.name);
        const Values expected = mst::compute_reference(named.graph);
        const Undirected plan = make_undirected(named.graph, true);
        always_gives(
            expected, 3, device, {ForestMethod::all, ForestMethod::filtered},
            [&](int threads) { return forest_on_cpu(plan, threads); },
            [&](ForestMethod picking) { return forest_on_cuda(plan, picking); });
        axes_give(expected, device,
                  [&](const RoundAxes& axes) { return forest_on_cuda(plan, ForestMethod::all, axes); });
    }
}

}  // namespace

TEST_CASE("spanning forests on the CPU are those of the reference", "[mst]") { forests(Device::cpu); }

TEST_CASE("spanning forests on a GPU are those of the reference", "[mst]") {
    if (gpu_or_skip()) forests(Device::cuda);
}

TEST_CASE("the checker of spanning forests finds every planted fault", "[mst]") {
    constexpr int planted_faults = 12;  // number of faults in each of many graphs
    std::mt19937 random(11);
    for (const NamedGraph& named : weighted_graphs_of_all_kinds()) {
        const Graph& graph = named.graph;
        if (graph.rows < 20 || graph.rows > 10000 || graph.edges() == 0) continue;
        INFO(named.name);
        const mst::Forest forest = mst::make_forest(graph, mst::compute_reference(graph));
        CHECK(mst::find_problem(graph, forest) == "");
        int found = 0;
        for (int i = 0; i < planted_faults; ++i) {
            mst::Forest planted = forest;
            VertexId v = random() % graph.rows;
            while (i % 4 && forest.parents[v] == mst::root) v = random() % graph.rows;
            VertexId& parent = planted.parents[v];
            if (i % 4 == 0)
                parent = parent == mst::root ? (v + 1) % graph.rows : mst::root;
            else if (i % 4 == 1)
                planted.weights[v] += 1;
            else if (i % 4 == 2)
                parent = (parent + 1 + random() % (graph.rows - 1)) % graph.rows;
            else
                parent = v;
            found += !mst::find_problem(graph, planted).empty();
        }
        CHECK(found == planted_faults);
    }
}

TEST_CASE("a forest of another edge of the same weight, or of a heavier one, is not the forest", "[mst]") {
    Graph graph = square_graph(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}}, true);
    for (EdgeId e = 0; e < graph.edges(); ++e) graph.value.push_back(2);
    CHECK((mst::compute_reference(graph) == Values{0, 1, 0, 3, 1, 2}));
    CHECK(mst::find_problem(graph, mst::make_forest(graph, {0, 1, 0, 3, 1, 2})).empty());
    CHECK_THAT(mst::find_problem(graph, mst::make_forest(graph, {0, 1, 1, 2, 2, 3})),
               Catch::Contains("is lighter than"));
    CHECK_THAT(mst::find_problem(graph, mst::make_forest(graph, {0, 1, 2, 3})),
               Catch::Contains("is lighter than"));
    CHECK_THROWS_WITH(mst::make_forest(graph, {0, 1, 0, 3, 1, 2, 2, 3}), Catch::Contains("cycle"));
}

TEST_CASE("an exact sum is so, whatever cancels out, and is rounded once", "[mst]") {
    CHECK(exact_sum(std::vector<float>()) == 0);
    CHECK(exact_sum(std::vector<float>{1e30F, 1, -1e30F}) == 1);
    CHECK(exact_sum(std::vector<float>(1000, 0.1F)) == 1000 * static_cast<double>(0.1F));
    CHECK(exact_sum(std::vector<float>{16777216.0F, 1, 1, 1e-45F, -1e-45F, -0.0F}) == 16777218);
    // 2^53 + 1 is halfway between two doubles; with a bit more, the upper one is nearer.
    CHECK(exact_sum(std::vector<float>{9007199254740992.0F, 1}) == 9007199254740992.0);
    CHECK(exact_sum(std::vector<float>{9007199254740992.0F, 1, 1e-45F}) == 9007199254740994.0);
    CHECK(exact_sum(std::vector<float>{-9007199254740992.0F, -1, -1e-45F}) == -9007199254740994.0);
}
