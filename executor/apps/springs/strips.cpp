#include "apps/springs/strips.hpp"

#include <algorithm>
#include <numeric>

#include "apps/springs/spring.hpp"

namespace lockstep::springs {

namespace {

std::vector<std::vector<VertexId>> neighbours(const Graph& graph) {
    std::vector<std::vector<VertexId>> of(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u)
        for (const EdgeId e : graph.edges_of(u)) of[u].push_back(graph.col[e]), of[graph.col[e]].push_back(u);
    return of;
}

/// Appends to `order` the vertices that are reachable from `from`, in breadth-first order.
void append_from(VertexId from, const std::vector<std::vector<VertexId>>& of, std::vector<bool>& seen,
                 std::vector<VertexId>& order) {
    std::size_t next = order.size();
    order.push_back(from), seen[from] = true;
    for (; next < order.size(); ++next) {
        for (const VertexId v : of[order[next]])
            if (!seen[v]) order.push_back(v), seen[v] = true;
    }
}
std::vector<VertexId> breadth_first(const Graph& graph) {
    const auto of = neighbours(graph);
    std::vector<bool> seen(graph.rows), again(graph.rows);
    std::vector<VertexId> there, order;
    for (VertexId v = 0; v < graph.rows; ++v) {
        if (seen[v]) continue;
        append_from(v, of, seen, there);
        // restarts from the vertex that was reached last, which is at the rim of the component
        append_from(there.back(), of, again, order);
    }
    return order;
}

std::vector<VertexId> places_in(const std::vector<VertexId>& order) {
    std::vector<VertexId> place(order.size());
    for (VertexId i = 0; i < order.size(); ++i) place[order[i]] = i;
    return place;
}
VertexId reach_of(const Graph& graph, const std::vector<VertexId>& place) {
    VertexId reach = 1;
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            const auto [low, high] = std::minmax(place[u], place[graph.col[e]]);
            reach = std::max(reach, high - low);
        }
    }
    return reach;
}

/// Returns the first round in which neither endpoint of an edge has an edge yet, and marks the round as used
/// at both endpoints. `a` and `b` have one bit per round, for each endpoint.
std::uint32_t first_free(std::vector<bool>& a, std::vector<bool>& b) {
    std::uint32_t round = 0;
    while ((round < a.size() && a[round]) || (round < b.size() && b[round])) ++round;
    for (std::vector<bool>* taken : {&a, &b}) {
        if (taken->size() <= round) taken->resize(round + std::size_t{1});
        (*taken)[round] = true;
    }
    return round;
}

}  // namespace

Strips make_strips(const Graph& graph, unsigned most) {
    Strips strips;
    strips.order.resize(graph.rows);
    std::iota(strips.order.begin(), strips.order.end(), VertexId{0});
    std::vector<VertexId> place = strips.order, by_breadth = breadth_first(graph);
    strips.reach = reach_of(graph, place);
    const std::vector<VertexId> other = places_in(by_breadth);
    if (const VertexId reach = reach_of(graph, other); reach < strips.reach)
        strips.reach = reach, strips.order = std::move(by_breadth), place = other;
    const VertexId fit = std::clamp<VertexId>(graph.rows / (2 * strips.reach), 1, most);
    strips.length = std::max<VertexId>(1, (graph.rows + fit - 1) / fit);
    strips.count = std::max<VertexId>(1, (graph.rows + strips.length - 1) / strips.length);

    // Assigns each edge to a tile and to a round within the tile. The tiles are first the strips, then the
    // borders between strips.
    const unsigned tiles = 2 * strips.count - 1;
    std::vector<std::vector<EdgeId>> rounds_of(tiles);  // number of edges in each round of each tile
    std::vector<std::uint32_t> round(graph.edges()), tile(graph.edges());
    std::vector<std::vector<bool>> taken(graph.rows), taken_there(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            const auto [low, high] =
                std::minmax({place[u] / strips.length, place[graph.col[e]] / strips.length});
            const bool inside = low == high;
            auto& of = inside ? taken : taken_there;
            tile[e] = inside ? low : strips.count + low;
            round[e] = first_free(of[u], of[graph.col[e]]);
            auto& sizes = rounds_of[tile[e]];
            if (sizes.size() <= round[e]) sizes.resize(round[e] + std::size_t{1});
            ++sizes[round[e]];
        }
    }
    Schedule& s = strips.schedule;
    s.name = "strips", s.disjoint = Disjoint::both;
    std::vector<EdgeId>&steps = s.level(Level::step), &of_tiles = s.level(Level::tile);
    steps = of_tiles = {0};
    // position of the next edge of each tile and round
    std::vector<std::vector<EdgeId>> next = rounds_of;
    for (unsigned t = 0; t < tiles; ++t) {
        for (std::size_t r = 0; r < rounds_of[t].size(); ++r)
            next[t][r] = steps.back(), steps.push_back(steps.back() + rounds_of[t][r]);
        of_tiles.push_back(steps.size() - 1);
    }
    s.level(Level::phase) = {0, strips.count, tiles};
    if (strips.count == 1) s.level(Level::phase) = {0, 1};
    s.order.resize(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); ++e) s.order[next[tile[e]][round[e]]++] = e;
    return strips;
}

std::pair<EdgeId, EdgeId> fullest_of(const Strips& strips) {
    const std::vector<EdgeId> edges = edge_offsets(strips.schedule, Level::tile);
    EdgeId inside = 0, between = 0;
    for (std::size_t t = 0; t + 1 < edges.size(); ++t) {
        EdgeId& most = t < strips.count ? inside : between;
        most = std::max(most, edges[t + 1] - edges[t]);
    }
    return {inside, between};
}

EdgeId strip_bytes(const Strips& strips, EdgeId record_bytes) {
    const auto [inside, between] = fullest_of(strips);
    const EdgeId halo = strips.count > 1 ? strips.reach : 0;
    return (strips.length + halo) * sizeof(Particle) + (inside + between) * record_bytes;
}

bool strips_fit(const Strips& strips, unsigned multipliers) {
    constexpr EdgeId shared_memory = EdgeId{224} << 10, places = 1 << 16, rigid = 8, multiplied = 12;
    return strips.length + EdgeId{strips.reach} < places &&
           strip_bytes(strips, multipliers ? multipliers * multiplied : rigid) <= shared_memory;
}

}  // namespace lockstep::springs
