// Compares structures with those of the Boost Graph Library, which shares no code with Lockstep: components,
// core numbers, the weight of a spanning forest. Also checks that an independent set is independent and
// maximal.
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/core_numbers.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>

#include "apps/mst.hpp"
#include "catch.hpp"
#include "lockstep/executor/structure/components.hpp"
#include "lockstep/executor/structure/cores.hpp"
#include "lockstep/executor/structure/exact_sum.hpp"
#include "lockstep/executor/structure/forest.hpp"
#include "lockstep/executor/structure/independent.hpp"
#include "support.hpp"
#include "weighted_graphs.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::structure;

namespace {

using Edges = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, double>>;

/// Returns the distinct edges of a graph; of several edges the lightest remains.
Edges edges_of(const Graph& graph) {
    std::map<std::pair<VertexId, VertexId>, double> lightest;
    const Array<VertexId> row = edge_rows(graph);
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        if (row[e] == graph.col[e]) continue;
        const auto [found, is_new] = lightest.try_emplace(std::minmax(row[e], graph.col[e]), graph.weight(e));
        found->second = std::min<double>(found->second, graph.weight(e));
    }
    Edges edges(graph.rows);
    for (const auto& [ends, weight] : lightest) boost::add_edge(ends.first, ends.second, weight, edges);
    return edges;
}

}  // namespace

TEST_CASE("structures agree with the Boost Graph Library", "[cc][kcore][mis][mst]") {
    for (const NamedGraph& named : graphs(Weights::whole)) {
        if (named.graph.rows > 10000) continue;
        INFO(named.name);
        const Edges edges = edges_of(named.graph);
        const Undirected plan = make_undirected(named.graph, true);
        const VertexId n = named.graph.rows;

        std::vector<int> number(n);
        std::vector<VertexId> first(
            static_cast<std::size_t>(boost::connected_components(edges, number.data())), n);
        std::vector<std::uint32_t> labels(n);
        for (VertexId v = n; v-- > 0;) first[static_cast<std::size_t>(number[v])] = v;
        for (VertexId v = 0; v < n; ++v) labels[v] = first[static_cast<std::size_t>(number[v])];
        CHECK(components_on_cpu(plan, 2).run().values == labels);

        std::vector<std::uint32_t> cores(n);
        boost::core_numbers(
            edges, boost::make_iterator_property_map(cores.begin(), get(boost::vertex_index, edges)));
        CHECK(cores_on_cpu(plan, std::nullopt, 2).run().values == cores);

        std::vector<Edges::edge_descriptor> tree;
        boost::kruskal_minimum_spanning_tree(edges, std::back_inserter(tree));
        double weight = 0;
        for (const auto& edge : tree) weight += get(boost::edge_weight, edges, edge);
        const auto found = forest_on_cpu(plan, 2).run().values;
        CHECK(found.size() == 2 * tree.size());
        CHECK(exact_sum(mst::make_forest(named.graph, found).weights) == weight);

        const auto members = independent_on_cpu(plan, {}, 2).run().values;
        for (VertexId v = 0; v < n; ++v) {
            const auto [begin, end] = boost::adjacent_vertices(v, edges);
            CHECK(std::any_of(begin, end, [&](auto u) { return members[u] == 1; }) == (members[v] == 0));
        }
    }
}
