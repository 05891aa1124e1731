#include "peers.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edge_coloring.hpp>
#include <iostream>

#include "cli.hpp"
#include "lockstep/schedules/builders.hpp"
#include "timing.hpp"

namespace lockstep::bench {

namespace {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                         boost::property<boost::edge_color_t, std::size_t>>;

/// Converts the graph: rows and columns become two sets of vertices, and edges are added in the order of
/// their IDs.
BoostGraph to_boost(const Graph& graph) {
    BoostGraph result(std::size_t{graph.rows} + graph.cols);
    const Array<VertexId> row = edge_rows(graph);
    for (EdgeId e = 0; e < graph.edges(); ++e)
        add_edge(row[e], std::size_t{graph.rows} + graph.col[e], result);
    return result;
}

/// Returns the number of colours. Throws Error (verification) if two edges of one colour share a vertex.
VertexId checked_count(const Graph& graph, const Array<VertexId>& colour) {
    VertexId count = 0;
    std::vector<std::uint64_t> seen;
    for (EdgeId e = 0; e < graph.edges(); ++e) count = std::max(count, colour[e] + 1);
    const Array<VertexId> row = edge_rows(graph);
    for (EdgeId e = 0; e < graph.edges(); ++e) {
        seen.push_back(EdgeId{row[e]} * count + colour[e]);
        seen.push_back((EdgeId{graph.rows} + graph.col[e]) * count + colour[e]);
    }
    std::sort(seen.begin(), seen.end());
    if (std::adjacent_find(seen.begin(), seen.end()) != seen.end())
        throw Error(Failure::verification, "a colouring gives two edges of a vertex the same colour");
    return count;
}

}  // namespace

Graph head(const Graph& graph, EdgeId edges, RepeatPolicy repeats) {
    const Array<VertexId> row = edge_rows(graph);
    const Array<EdgeId> order = given_order(graph);
    std::vector<Triple> triples;
    for (EdgeId i = 0; i < std::min(edges, graph.edges()); ++i)
        triples.push_back({row[order[i]], graph.col[order[i]], 1});
    return build_graph(
        std::move(triples), graph.rows, graph.cols,
        {.shape = graph.shape, .directed = graph.directed, .weighted = false, .repeats = repeats});
}

nlohmann::ordered_json run_peers(const Graph& whole, double limit, int runs) {
    nlohmann::ordered_json sizes = nlohmann::ordered_json::array();
    double boost_seconds = 0;
    for (EdgeId edges = std::min<EdgeId>(whole.edges(), 10000);; edges = std::min(whole.edges(), 2 * edges)) {
        cli::check_signal();
        // Boost's algorithm requires simple graphs.
        const Graph part = head(whole, edges, RepeatPolicy::first);
        BoostGraph peer = to_boost(part);
        boost_seconds = median_seconds(1, [&] { edge_coloring(peer, get(boost::edge_color, peer)); });
        Array<VertexId> colour;
        for (auto [e, end] = boost::edges(peer); e != end; ++e)
            colour.push_back(static_cast<VertexId>(get(boost::edge_color, peer, *e)));
        nlohmann::ordered_json line{
            {"edges", part.edges()},
            {"largest_degree", max_degree(part).both()},
            {"boost", {{"seconds", boost_seconds}, {"colours", checked_count(part, colour)}}}};
        const auto own = [&](const char* name, Matchings (*find)(const Graph&)) {
            Matchings found;
            const double seconds = median_seconds(runs, [&] { found = find(part); });
            line[name] = {{"seconds", seconds},
                          {"colours", checked_count(part, found.of_edge)},
                          {"ratio", boost_seconds / seconds}};
        };
        own("first-fit", maximal_matchings);
        own("euler", euler_matchings);
        own("exact", exact_matchings);
        std::cerr << line.dump() << '\n';
        sizes.push_back(std::move(line));
        if (edges == whole.edges() || boost_seconds > limit) break;
    }
    return {{"sizes", sizes}};
}

}  // namespace lockstep::bench
