// Matchings of stars. A star is a vertex, its centre, with up to S of its neighbours; one worker runs its
// edges, the centre's vector in registers. The stars of a phase share no vertex. So a vertex of D edges needs
// D / S phases where a matching of edges (agm-e) needs D. The first `hub_stars` of a phase have up to H
// neighbours: their edges are run together (executor/edge/stars.hpp), so that one more of them costs little.
//
// An edge belongs to its end of more edges: hubs are centres, whichever side they are on; where hubs meet
// many hubs, edges between them are shared out. With the centres so chosen no schedule of such stars has
// fewer phases than `least_phases`; the builder comes to it or near: phase after phase it goes through the
// centres, those that want the most phases yet first, and each takes what neighbours are free.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

constexpr std::array<EdgeId, 5> star_sizes{4, 8, 16, 32, 64};           // S
constexpr std::array<EdgeId, 6> hub_sizes{0, 64, 128, 256, 512, 1024};  // H; 0: S
constexpr EdgeId usual_hub = 256;                                       // H by which edges are shared out

/// Seconds of a sweep of the least number of phases: a barrier each; a star each and all edges; and beside
/// those, by warps which they lack, the long stars.
double sweep_time(const StarSizes& sizes, EdgeId edges, const DeviceCosts& c) {
    const auto phases = static_cast<double>(sizes.least_phases);
    const bool has_hubs = sizes.hub_edges > sizes.star_edges;
    const double others = phases * c.phase_star_edge * static_cast<double>(sizes.star_edges) +
                          (has_hubs ? 1.1 : 1) * c.phase_edge * static_cast<double>(edges),
                 hubs = phases * (c.long_stars + c.long_star_edge * static_cast<double>(sizes.hub_edges));
    return phases * c.phase + (has_hubs ? std::cbrt(std::pow(others, 3) + std::pow(hubs, 3)) : others);
}

/// Rows and columns as one set of vertices, rows first, unless they are one already; and which end of an edge
/// is its centre: the one of more edges, but for those that share_out() turns.
struct StarEnds {
    const Graph& graph;
    const DeviceCosts& costs;
    bool one_set;
    std::vector<EdgeId> degree;  ///< vertex -> edges
    Array<VertexId> row;         ///< of each edge
    struct Leaves {
        std::vector<bool> turned;  ///< edge -> the end of fewer edges is its centre
        std::vector<EdgeId> of;    ///< vertex -> edges of which it is not the centre
    } leaves;

    StarEnds(const Graph& g, const DeviceCosts& c)
        : graph(g), costs(c), one_set(g.ends == Ends::vertices), row(edge_rows(g)) {
        if (one_set) {
            degree = vertex_degrees(g);
        } else {
            degree = row_degrees(g);
            const std::vector<EdgeId> of_cols = col_degrees(g);
            degree.insert(degree.end(), of_cols.begin(), of_cols.end());
        }
        leaves.turned.resize(graph.edges());
        leaves.of = key_counts(graph.edges(), degree.size(), [&](EdgeId e) { return leaf_of(e); });
    }
    std::size_t row_of(EdgeId e) const { return row[e]; }
    std::size_t col_of(EdgeId e) const { return first_col() + graph.col[e]; }
    std::size_t first_col() const { return one_set ? 0 : graph.rows; }
    bool around_col(EdgeId e) const { return (degree[col_of(e)] >= degree[row_of(e)]) != leaves.turned[e]; }
    std::size_t centre_of(EdgeId e) const { return around_col(e) ? col_of(e) : row_of(e); }
    std::size_t leaf_of(EdgeId e) const { return around_col(e) ? row_of(e) : col_of(e); }
    EdgeId own(std::size_t v) const { return degree[v] - leaves.of[v]; }
    /// Phases that a vertex wants with `most` edges a star.
    EdgeId wanted(std::size_t v, EdgeId most) const { return leaves.of[v] + (own(v) + most - 1) / most; }

    /// Turns edges whose leaf wants more than `limit` phases and whose centre wants fewer.
    void share_out(EdgeId limit, std::span<const EdgeId> edges) {
        for (const EdgeId e : edges) {
            const std::size_t centre = centre_of(e), leaf = leaf_of(e);
            if (wanted(leaf, usual_hub) <= limit || wanted(centre, usual_hub) >= limit) continue;
            --leaves.of[leaf], ++leaves.of[centre];
            leaves.turned[e] = !leaves.turned[e];
        }
    }
    /// A vertex is in one star a phase; of its edges as centre S there, or H where it is among `hub_stars`.
    bool suffices(EdgeId phases, const StarSizes& sizes, std::span<const std::size_t> centres) const {
        const EdgeId more = sizes.hub_edges - sizes.star_edges;
        EdgeId hubs = 0;  // times that a centre must be among them
        for (const std::size_t v : centres) {
            if (phases < leaves.of[v]) return false;
            const EdgeId room = phases - leaves.of[v],
                         left = own(v) - std::min(own(v), room * sizes.star_edges);
            if (left == 0) continue;
            if (more == 0 || left > room * more) return false;
            hubs += (left + more - 1) / more;
        }
        return hubs <= phases * hub_stars;
    }
    EdgeId least_phases(const StarSizes& sizes, EdgeId least, std::span<const std::size_t> vertices) const {
        EdgeId low = least - 1, high = least;
        while (!suffices(high, sizes, vertices)) low = high, high *= 2;
        while (high - low > 1) {
            const EdgeId middle = low + (high - low) / 2;
            (suffices(middle, sizes, vertices) ? high : low) = middle;
        }
        return high;
    }
    /// S and H with which the phases, at their least number and with full stars, take the least time.
    StarSizes best_sizes(EdgeId asked) const {
        std::vector<EdgeId> sizes_of_stars(star_sizes.begin(), star_sizes.end());
        if (asked) sizes_of_stars = {asked};
        EdgeId least = 1;
        for (const EdgeId l : leaves.of) least = std::max(least, l);
        std::vector<std::size_t> vertices;  // that may want more
        for (std::size_t v = 0; v < degree.size(); ++v) {
            if (wanted(v, sizes_of_stars.front()) > least) vertices.push_back(v);
        }
        StarSizes best{};
        double shortest = std::numeric_limits<double>::infinity();
        for (const EdgeId star : sizes_of_stars) {
            for (const EdgeId hub : hub_sizes) {
                if (hub && (hub <= star || asked)) continue;
                StarSizes sizes{star, std::max(hub, star), 0};
                sizes.least_phases = least_phases(sizes, least, vertices);
                const double time = sweep_time(sizes, graph.edges(), costs);
                if (time < shortest) shortest = time, best = sizes;
            }
        }
        return best;
    }
    /// Shares the edges between hubs out where that saves time. O(edges) for each of seven limits at most.
    StarSizes choose(EdgeId asked) {
        constexpr double further_off = 1.15;  // the builder comes less near to the least number then
        StarSizes best = best_sizes(asked);
        double shortest = sweep_time(best, graph.edges(), costs) / further_off;
        EdgeId most = 0;
        for (std::size_t v = 0; v < degree.size(); ++v) most = std::max(most, wanted(v, usual_hub));
        const EdgeId fewest = most / 8;
        std::vector<bool> is_hub(degree.size());  // only such want more phases than the fewest
        for (std::size_t v = 0; v < degree.size(); ++v) is_hub[v] = degree[v] > fewest;
        std::vector<EdgeId> contested;
        for (EdgeId e = 0; e < graph.edges() && fewest > 0; ++e) {
            if (is_hub[row_of(e)] && is_hub[col_of(e)] && wanted(leaf_of(e), usual_hub) > fewest)
                contested.push_back(e);
        }
        const Leaves given = leaves;
        Leaves chosen = given;
        for (EdgeId limit = most * 3 / 4; limit > fewest; limit = limit * 3 / 4) {
            leaves = given;
            share_out(limit, contested);
            const StarSizes sizes = best_sizes(asked);
            const double time = sweep_time(sizes, graph.edges(), costs);
            if (time < shortest) shortest = time, best = sizes, chosen = leaves;
        }
        leaves = std::move(chosen);
        return best;
    }
};

/// The edges of every centre, in random order, each with its leaf: what a star looks at lies together. The centre
/// of a star is the row of all its edges or the column of all: a vertex of one set is a centre twice.
struct Centres {
    struct Edge {
        EdgeId id;
        VertexId leaf;  ///< in its own side
    };
    std::vector<EdgeId> begin, end;  ///< row, or `rows` + column -> edges that are left
    Array<Edge> edges;

    Centres(const StarEnds& ends, std::uint64_t seed) {
        Array<EdgeId> order;
        const EdgeId rows = ends.graph.rows;
        begin = group_edges(order, ends.graph.edges(), rows + ends.graph.cols, [&](EdgeId e) {
            return ends.around_col(e) ? rows + ends.graph.col[e] : EdgeId{ends.row[e]};
        });
        shuffle_groups(order, begin, seed);
        end.assign(begin.begin() + 1, begin.end());
        edges.resize(order.size());
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < order.size(); ++i) {
            const EdgeId e = order[i];
            edges[i] = {e, ends.around_col(e) ? ends.row[e] : ends.graph.col[e]};
        }
    }
    EdgeId left(EdgeId centre) const { return end[centre] - begin[centre]; }
};

/// A phase in the making.
struct Phase {
    struct Star {
        std::size_t begin, size;
    };
    std::vector<EdgeId> edges;
    std::vector<Star> stars;
    std::vector<std::size_t> vertices;  ///< of all its stars

    /// Appends it to the schedule, large stars first: those of a warp are alike then.
    void append_to(Schedule& schedule, EdgeId& written) {
        std::stable_sort(stars.begin(), stars.end(),
                         [](const Star& a, const Star& b) { return a.size > b.size; });
        for (const Star& star : stars) {
            for (std::size_t i = 0; i < star.size; ++i) schedule.order[written++] = edges[star.begin + i];
            schedule.level(Level::task).push_back(written);
        }
        schedule.level(Level::phase).push_back(schedule.count(Level::task));
        edges.clear(), stars.clear(), vertices.clear();
    }
};

}  // namespace

StarSizes star_sizes_of(const Graph& graph, EdgeId star_edges, const DeviceCosts& costs) {
    return StarEnds(graph, costs).choose(star_edges);
}

Schedule build_stars(const Graph& graph, EdgeId star_edges, std::uint64_t seed, const DeviceCosts& costs) {
    StarEnds ends(graph, costs);
    const StarSizes sizes = ends.choose(star_edges);
    Centres centres(ends, seed);

    Schedule schedule;
    schedule.name = "stars";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["star_edges"] = std::to_string(sizes.star_edges);
    schedule.parameters["hub_edges"] = std::to_string(sizes.hub_edges);
    schedule.parameters["seed"] = std::to_string(seed);
    schedule.order.resize(graph.edges());
    schedule.level(Level::task).assign(1, 0);
    schedule.level(Level::phase).assign(1, 0);

    Array<EdgeId> active;
    for (std::size_t v = 0; v < centres.end.size(); ++v) {
        if (centres.begin[v] < centres.end[v]) active.push_back(v);
    }
    const std::size_t rows = graph.rows;
    const auto vertex_of = [&](EdgeId centre) {
        return ends.one_set && centre >= rows ? centre - rows : centre;
    };
    const auto stars_of = [&](EdgeId edges) { return (edges + sizes.star_edges - 1) / sizes.star_edges; };
    // Phases that a vertex still wants: one for each edge as a leaf, and those of its own stars.
    const auto wanted = [&](EdgeId centre) {
        const EdgeId other = centre < rows ? centre + rows : centre - rows;  // of one set: the same vertex
        return ends.leaves.of[vertex_of(centre)] + stars_of(centres.left(centre)) +
               (ends.one_set ? stars_of(centres.left(other)) : 0);
    };
    std::vector<bool> taken(ends.degree.size());  // in this phase
    Phase phase;
    // Fills a star with neighbours that are free; looks at four times as many as it can take.
    const auto fill = [&](EdgeId centre) {
        const EdgeId most = phase.stars.size() < hub_stars ? sizes.hub_edges : sizes.star_edges;
        EdgeId& end = centres.end[centre];
        const EdgeId stop = end - std::min(end - centres.begin[centre], 4 * most);
        const std::size_t first = phase.edges.size(), other_side = centre < rows ? ends.first_col() : 0,
                          middle = vertex_of(centre);
        for (EdgeId i = end; i > stop && phase.edges.size() - first < most;) {
            const auto [edge, leaf] = centres.edges[--i];
            const std::size_t v = other_side + leaf;
            const bool loop = v == middle;  // of one set; a star of its own
            if (taken[v] || (loop && phase.edges.size() > first)) continue;
            taken[v] = true, --ends.leaves.of[v];
            centres.edges[i] = centres.edges[--end];
            phase.edges.push_back(edge);
            phase.vertices.push_back(v);
            if (loop) break;
        }
        const std::size_t size = phase.edges.size() - first;
        if (!size) return;
        taken[middle] = true;
        phase.stars.push_back({first, size});
        phase.vertices.push_back(middle);
    };
    EdgeId number = 0;
    for (EdgeId written = 0; written < graph.edges();) {
        ++number;
        if (std::has_single_bit(number) || number % 32 == 0) {
            EdgeId most = 0;
            for (const EdgeId v : active) most = std::max(most, wanted(v));
            group_stable(active, most + 1, [&](EdgeId v) { return most - wanted(v); });
        } else {
            const std::size_t size = std::min<std::size_t>(active.size(), 8 * hub_stars);
            std::stable_sort(active.begin(), active.begin() + static_cast<std::ptrdiff_t>(size),
                             [&](EdgeId a, EdgeId b) { return wanted(a) > wanted(b); });
        }
        for (const EdgeId centre : active) {
            if (!taken[vertex_of(centre)]) fill(centre);
        }
        std::erase_if(active, [&](EdgeId centre) { return centres.left(centre) == 0; });
        for (const std::size_t v : phase.vertices) taken[v] = false;
        phase.append_to(schedule, written);
    }
    return schedule;
}

}  // namespace lockstep
