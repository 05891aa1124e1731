// Square graphs for neighbour iteration; the name of each is the case that it tests.
#pragma once

#include "apps/device.hpp"
#include "catch.hpp"
#include "support.hpp"

namespace lockstep::test {

inline Graph square_graph(VertexId vertices, const std::vector<std::pair<VertexId, VertexId>>& arcs,
                          bool undirected = false) {
    std::vector<Triple> triples;
    for (const auto& [u, v] : arcs) {
        triples.push_back({u, v, 1});
        if (undirected && u != v) triples.push_back({v, u, 1});
    }
    return build_graph(std::move(triples), vertices, vertices, {GraphShape::square, !undirected, false});
}

inline std::vector<NamedGraph> square_battery(bool undirected) {
    std::vector<std::pair<VertexId, VertexId>> out_star, in_star, path, two, hubs, loops, wide;
    for (VertexId i = 1; i < 9000; ++i) out_star.emplace_back(0, i), in_star.emplace_back(i, 0);
    for (VertexId i = 0; i + 1 < 400; ++i) path.emplace_back(i, i + 1);
    for (VertexId i = 0; i < 20; ++i)
        two.emplace_back(i, (i + 1) % 20), two.emplace_back(30 + i, 30 + (i + 7) % 20);
    for (VertexId i = 0; i < 40; ++i) loops.emplace_back(i, i), loops.emplace_back(i, i / 2);
    // The degrees are around the limits of every bin and of a block's capacity; the largest hub takes a warp
    // many steps.
    VertexId next = 20;
    const VertexId degrees[] = {1,    7,    8,    9,    63,   64,   65,   256,  257,
                                1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097, 5000};
    for (VertexId h = 0; h < std::size(degrees); ++h) {
        for (VertexId i = 0; i < degrees[h]; ++i)
            hubs.emplace_back(20 + (next + i) % 6000, h), hubs.emplace_back(h, 20 + (next + i * 7) % 6000);
        next += 131;
    }
    const Graph random = random_graph(3000, 3000, 40000, 5);
    const Array<VertexId> row = edge_rows(random);
    for (EdgeId e = 0; e < random.edges(); ++e) wide.emplace_back(row[e], random.col[e]);
    const auto graph = [&](VertexId n, const auto& arcs) { return square_graph(n, arcs, undirected); };
    std::string reason;
    // A GPU has 270,000 threads, fewer than the vertices.
    const VertexId side = cuda_available(&reason) ? 700 : 70;
    std::vector<std::pair<VertexId, VertexId>> grid;
    for (VertexId i = 0; i < side * side; ++i) {
        if (i % side + 1 < side) grid.emplace_back(i, i + 1);
        if (i % 11 && i + side < side * side) grid.emplace_back(i + side, i);
    }
    std::vector<NamedGraph> battery{
        {"empty: no vertex at all", square_graph(0, {})},
        {"one vertex, no arc", square_graph(1, {})},
        {"one self-loop", square_graph(1, {{0, 0}})},
        {"isolated: vertices, but no arc", square_graph(77, {})},
        {"multi-arc: one arc three times",
         graph(3, std::vector<std::pair<VertexId, VertexId>>{{0, 1}, {0, 1}, {0, 1}, {0, 2}, {1, 0}})},
        {"self-loops among other arcs", graph(40, loops)},
        {"star outwards: one source for all, dangling leaves", graph(9000, out_star)},
        {"star inwards: one target for all, dangling hub", graph(9000, in_star)},
        {"path: a dangling end", graph(400, path)},
        {"disconnected: two rings and vertices between", graph(60, two)},
        {"hubs: degrees around every limit", graph(6020, hubs)},
        {"skewed, with repeated arcs", graph(3000, wide)},
    };
    if (!undirected) battery.push_back({"a grid, larger than one of threads", graph(side * side, grid)});
    return battery;
}

/// Returns the battery with directed arcs, and again with undirected ones.
inline std::vector<NamedGraph> battery_of_both() {
    std::vector<NamedGraph> all = square_battery(false);
    for (NamedGraph& undirected : square_battery(true)) {
        undirected.name += ", undirected";
        all.push_back(std::move(undirected));
    }
    return all;
}

}  // namespace lockstep::test
