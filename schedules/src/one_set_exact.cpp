// Vizing's theorem as an algorithm. A matching is called a colour here. Each vertex has a list of its
// coloured edges, sorted by colour (slots).
//
// To colour edge (u, v), the algorithm builds a *fan* of u: a sequence of neighbours of u that begins with v,
// in which the colour of each edge (u, neighbour) is free at the preceding neighbour. When the fan cannot
// grow, let c be a colour that is free at u, and d a colour that is free at the last neighbour. The colours c
// and d are exchanged along the path from u whose edges have the colours d, c, d, … Afterwards d is free at
// u, and also at some neighbour up to which the sequence is still a fan. Up to this neighbour, each edge of
// the fan gets the colour of its successor, and the last edge gets d.
//
// If there are parallel edges, this may fail. Then the algorithm builds a *branching fan*, which may also
// contain edges of u whose colour is free at any earlier neighbour, not only at the preceding one (Stiebitz,
// Scheide, Toft, Favrholdt: Graph Edge Coloring, 2012, section 2.1). As soon as some colour d is free at two
// of its neighbours, the same exchange makes d free at u, and leaves it free at one of the two neighbours. If
// there is no such colour, one colour is added to the palette. By the fan equation, this happens only while
// the palette has fewer than D + m and fewer than 3 D / 2 colours, where D is the maximum degree and m the
// maximum number of parallel edges.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "one_set.hpp"

namespace lockstep::one_set {

namespace {

/// Completes an edge colouring with `palette` colours: colours the edges that have none, one after another,
/// by means of fans.
class Fans {
public:
    Fans(const Graph& graph, Array<VertexId>& colour, VertexId palette)
        : graph_(graph), row_(edge_rows(graph)), colour_(colour), palette_(palette) {
        const std::vector<EdgeId> degree = vertex_degrees(graph);
        begin_.assign(degree.size() + 1, 0);
        std::partial_sum(degree.begin(), degree.end(), begin_.begin() + 1);
        end_.assign(begin_.begin(), begin_.end() - 1);
        slots_.resize(begin_.back());
        for (EdgeId e = 0; e < graph.edges(); ++e) {
            if (colour_[e] < palette_) add(e);
        }
    }
    /// Colours all edges that have no colour of the palette yet. Adds colours to the palette if parallel
    /// edges require it.
    void run() {
        std::vector<EdgeId> left;
        for (EdgeId e = 0; e < graph_.edges(); ++e) {
            if (colour_[e] >= palette_) left.push_back(e);
        }
        for (const EdgeId e : left) insert(e);
    }

private:
    struct Slot {
        VertexId colour;
        EdgeId edge;
    };
    Slot* first(VertexId v) { return slots_.data() + begin_[v]; }
    Slot* last(VertexId v) { return slots_.data() + end_[v]; }
    Slot* lower(VertexId v, VertexId c) {
        return std::lower_bound(first(v), last(v), c, [](const Slot& s, VertexId x) { return s.colour < x; });
    }
    /// Returns the edge of colour c at v, or `none` if the colour is free there.
    EdgeId at(VertexId v, VertexId c) {
        const Slot* const s = lower(v, c);
        return s != last(v) && s->colour == c ? s->edge : none;
    }
    bool has(VertexId v, VertexId c) { return at(v, c) != none; }
    /// Returns the smallest colour that is free at v, by binary search. The colours at v are distinct and
    /// sorted, so slot i has colour i for all colours below the result.
    VertexId free_at(VertexId v) {
        EdgeId low = 0, high = end_[v] - begin_[v];
        while (low < high) {
            const EdgeId i = (low + high) / 2;
            first(v)[i].colour == i ? low = i + 1 : high = i;
        }
        return static_cast<VertexId>(low);
    }
    VertexId other(EdgeId e, VertexId v) const { return row_[e] == v ? graph_.col[e] : row_[e]; }
    void put(VertexId v, EdgeId e) {
        Slot* const place = lower(v, colour_[e]);
        std::copy_backward(place, last(v), last(v) + 1);
        *place = {colour_[e], e};
        ++end_[v];
    }
    void drop(VertexId v, EdgeId e) {
        Slot* const place = lower(v, colour_[e]);
        std::copy(place + 1, last(v), place);
        --end_[v];
    }
    void add(EdgeId e) {
        put(row_[e], e);
        if (row_[e] != graph_.col[e]) put(graph_.col[e], e);
    }
    void remove(EdgeId e) {
        drop(row_[e], e);
        if (row_[e] != graph_.col[e]) drop(graph_.col[e], e);
    }
    void give(EdgeId e, VertexId c) {
        colour_[e] = c;
        add(e);
    }

    void insert(EdgeId e) {
        while (!insert_by_fan(e) && !insert_by_branching_fan(e)) ++palette_;
    }
    /// Colours the edge by a fan and returns true. Returns false if no fan suffices, which happens only with
    /// parallel edges.
    bool insert_by_fan(EdgeId e) {
        const VertexId u = row_[e], v = graph_.col[e];
        if (u == v) return give(e, free_at(u)), true;
        if (const VertexId c = free_at(v); !has(u, c)) return give(e, c), true;
        std::vector<EdgeId> fan = grow_fan(u, e);
        const VertexId c = free_at(u), d = free_at(other(fan.back(), u));
        if (has(u, d)) exchange(u, d, c);
        // The exchange may have changed the colour of an edge in the fan. Up to the neighbour before this
        // edge, the sequence is still a fan, and d is free at that neighbour.
        for (std::size_t n = 0; n < fan.size(); ++n) {
            if (n > 0 && has(other(fan[n - 1], u), colour_[fan[n]])) break;
            if (!has(other(fan[n], u), d)) {
                fan.resize(n + 1);
                return rotate(fan, d), true;
            }
        }
        return false;
    }
    /// Colours an edge that is no self-loop by a branching fan and returns true. Returns false if the palette
    /// has too few colours.
    bool insert_by_branching_fan(EdgeId e) {
        const VertexId u = row_[e], c = free_at(u);
        std::vector<EdgeId> fan{e};
        // parent[i]: position in the fan of the neighbour at which the colour of edge fan[i] is free.
        std::vector<std::size_t> parent{0};
        const auto branch_to = [&](std::size_t i) {
            std::vector<EdgeId> edges{fan[i]};
            for (; i > 0; i = parent[i]) edges.push_back(fan[parent[i]]);
            std::reverse(edges.begin(), edges.end());
            return edges;
        };
        std::set<VertexId> neighbours;
        // colour -> first position in the fan whose neighbour has this colour free.
        std::map<VertexId, std::size_t> first_free;
        for (std::size_t i = 0; i < fan.size(); ++i) {
            const VertexId z = other(fan[i], u);
            if (!neighbours.insert(z).second) continue;
            const Slot* taken = first(z);
            for (VertexId d = 0; d < palette_; ++d) {
                if (taken != last(z) && taken->colour == d) {
                    ++taken;
                    continue;
                }
                const EdgeId next = at(u, d);
                const bool loop = next != none && other(next, u) == u;
                const auto [before, is_new] = first_free.try_emplace(d, i);
                if (next != none && !loop && is_new) {
                    fan.push_back(next), parent.push_back(i);
                    continue;
                }
                if (next != none) exchange(u, d, c);
                const std::size_t end = is_new || has(other(fan[before->second], u), d) ? i : before->second;
                return rotate(branch_to(end), d), true;
            }
        }
        return false;
    }
    /// Returns the edges of a fan of u that begins with edge e and cannot grow.
    std::vector<EdgeId> grow_fan(VertexId u, EdgeId e) {
        std::vector<EdgeId> fan{e}, rest;
        for (const Slot* s = first(u); s != last(u); ++s) {
            if (other(s->edge, u) != u) rest.push_back(s->edge);
        }
        for (bool grown = true; grown;) {
            grown = false;
            const VertexId end = other(fan.back(), u);
            for (EdgeId& next : rest) {
                if (has(end, colour_[next])) continue;
                fan.push_back(next);
                next = rest.back();
                rest.pop_back();
                grown = true;
                break;
            }
        }
        return fan;
    }
    /// Exchanges the colours `from` and `to` along the path that starts at u with an edge of colour `from`;
    /// `to` is free at u.
    void exchange(VertexId u, VertexId from, VertexId to) {
        std::vector<EdgeId> path;
        for (EdgeId e = at(u, from); e != none; e = at(u, path.size() % 2 ? to : from)) {
            path.push_back(e);
            // The path ends at a self-loop, since u has no other edge of the two colours except the previous
            // one.
            if (other(e, u) == u) break;
            u = other(e, u);
        }
        for (const EdgeId e : path) remove(e);
        for (const EdgeId e : path) give(e, colour_[e] == from ? to : from);
    }
    /// Gives each edge of the fan the colour of the next edge, and the last edge the colour d.
    void rotate(const std::vector<EdgeId>& fan, VertexId d) {
        std::vector<VertexId> colours;
        for (std::size_t i = 1; i < fan.size(); ++i) colours.push_back(colour_[fan[i]]), remove(fan[i]);
        colours.push_back(d);
        for (std::size_t i = 0; i < fan.size(); ++i) give(fan[i], colours[i]);
    }

    static constexpr EdgeId none = ~EdgeId{0};
    const Graph& graph_;
    const Array<VertexId> row_;
    Array<VertexId>& colour_;
    VertexId palette_;
    std::vector<EdgeId> begin_, end_;
    std::vector<Slot> slots_;
};

/// Returns the n - 1 matchings of a complete graph whose number n of vertices is even; isolated vertices do
/// not count. They are the rounds of a round-robin tournament: vertices i and j meet in round (i + j) mod (n
/// - 1), and the last vertex meets vertex i in the round 2 i mod (n - 1), in which i would meet itself.
/// Returns no value if the graph has another form. O(edges + vertices) time, n^2 bits.
std::optional<Matchings> tournament_of_complete(const Graph& graph, const std::vector<EdgeId>& degree) {
    EdgeId n = 0;
    std::vector<EdgeId> index(degree.size());
    for (std::size_t v = 0; v < degree.size(); ++v) index[v] = degree[v] > 0 ? n++ : 0;
    if (n % 2 == 1 || n == 0 || graph.edges() != n * (n - 1) / 2) return {};
    Matchings found{Array<VertexId>(graph.edges()), static_cast<VertexId>(n - 1)};
    std::vector<bool> is_edge(n * n, false);
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (const EdgeId e : graph.edges_of(u)) {
            const auto [i, j] = std::minmax(index[u], index[graph.col[e]]);
            if (i == j || is_edge[i * n + j]) return {};
            is_edge[i * n + j] = true;
            found.of_edge[e] = static_cast<VertexId>((j == n - 1 ? 2 * i : i + j) % (n - 1));
        }
    }
    return found;
}

}  // namespace

Matchings exact(const Graph& graph) {
    const std::vector<EdgeId> degree = vertex_degrees(graph);
    if (std::optional<Matchings> rounds = tournament_of_complete(graph, degree)) return std::move(*rounds);
    Matchings found = first_fit(graph);
    if (found.count == 0) return found;
    const auto palette = static_cast<VertexId>(*std::max_element(degree.begin(), degree.end()) + 1);
    if (found.count <= palette) return found;
    Fans(graph, found.of_edge, palette).run();
    found.count = *std::max_element(found.of_edge.begin(), found.of_edge.end()) + 1;
    return found;
}

}  // namespace lockstep::one_set
