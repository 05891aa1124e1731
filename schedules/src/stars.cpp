// Matchings of stars. A star is a vertex, its centre, with up to S of its neighbours; one worker runs its
// edges, the centre's vector in registers. The stars of a phase share no vertex. So a vertex of D edges needs
// D / S phases where a matching of edges (agm-e) needs D.
//
// An edge belongs to its end of more edges: hubs are centres, whichever side they are on. No schedule of such
// stars has fewer phases than `least_phases`; the builder comes to it or near: phase after phase it goes
// through the centres, those with the most edges left first, and each takes what neighbours are free.
#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "lockstep/schedules/builders.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// What a phase takes besides its stars: so many edges of a star (H200).
constexpr EdgeId barrier_in_edges = 8;
constexpr std::array<EdgeId, 7> star_sizes{1, 2, 4, 8, 16, 32, 64};

/// Rows and columns as one set of vertices, rows first, and which end of an edge is its centre.
struct Ends {
    const Graph& graph;
    std::vector<EdgeId> degree, as_leaf;  ///< of a vertex: edges, and those of which it is not the centre
    Array<VertexId> row;                  ///< of each edge

    explicit Ends(const Graph& g) : graph(g), degree(row_degrees(g)), row(edge_rows(g)) {
        const std::vector<EdgeId> of_cols = col_degrees(g);
        degree.insert(degree.end(), of_cols.begin(), of_cols.end());
        as_leaf = degree;
        for (EdgeId e = 0; e < graph.edges(); ++e) --as_leaf[centre_of(e)];
    }
    std::size_t row_of(EdgeId e) const { return row[e]; }
    std::size_t col_of(EdgeId e) const { return std::size_t{graph.rows} + graph.col[e]; }
    std::size_t centre_of(EdgeId e) const {
        const std::size_t u = row_of(e), v = col_of(e);
        return degree[v] >= degree[u] ? v : u;
    }
    /// A vertex is in one star a phase.
    EdgeId least_phases(EdgeId star_edges) const {
        EdgeId most = 0;
        for (std::size_t v = 0; v < degree.size(); ++v)
            most = std::max(most, as_leaf[v] + (degree[v] - as_leaf[v] + star_edges - 1) / star_edges);
        return most;
    }
    /// With which the phases, at their least number and with full stars, take the least time.
    EdgeId best_star_edges() const {
        const auto time = [&](EdgeId s) { return least_phases(s) * (barrier_in_edges + s); };
        return *std::min_element(star_sizes.begin(), star_sizes.end(),
                                 [&](EdgeId a, EdgeId b) { return time(a) < time(b); });
    }
};

/// The edges of every centre, in random order.
struct Centres {
    std::vector<EdgeId> begin, end;  ///< vertex -> edges that are left
    Array<EdgeId> edges;

    Centres(const Ends& ends, std::uint64_t seed) : begin(ends.degree.size() + 1, 0) {
        for (std::size_t v = 0; v < ends.degree.size(); ++v)
            begin[v + 1] = begin[v] + ends.degree[v] - ends.as_leaf[v];
        end.assign(begin.begin(), begin.end() - 1);
        Array<EdgeId> order(ends.graph.edges());
        std::iota(order.begin(), order.end(), EdgeId{0});
        shuffle(order, seed);
        edges.resize(order.size());
        for (const EdgeId e : order) edges[end[ends.centre_of(e)]++] = e;
    }
};

/// A phase in the making.
struct Phase {
    struct Star {
        std::size_t begin, size;
    };
    std::vector<EdgeId> edges;
    std::vector<Star> stars;

    /// Appends it to the schedule, large stars first: those of a warp are alike then.
    void append_to(Schedule& schedule, EdgeId& written) {
        std::stable_sort(stars.begin(), stars.end(),
                         [](const Star& a, const Star& b) { return a.size > b.size; });
        for (const Star& star : stars) {
            for (std::size_t i = 0; i < star.size; ++i) schedule.order[written++] = edges[star.begin + i];
            schedule.level(Level::task).push_back(written);
        }
        schedule.level(Level::phase).push_back(schedule.count(Level::task));
        edges.clear(), stars.clear();
    }
};

}  // namespace

StarSizes star_sizes_of(const Graph& graph, const BuildOptions& options) {
    const Ends ends(graph);
    const EdgeId most = options.star_edges ? options.star_edges : ends.best_star_edges();
    return {most, ends.least_phases(most)};
}

Schedule build_stars(const Graph& graph, const BuildOptions& options) {
    Ends ends(graph);
    const EdgeId most = options.star_edges ? options.star_edges : ends.best_star_edges();
    Centres centres(ends, options.seed);

    Schedule schedule;
    schedule.name = "stars";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["star_edges"] = std::to_string(most);
    schedule.parameters["seed"] = std::to_string(options.seed);
    schedule.order.resize(graph.edges());
    schedule.level(Level::task).assign(1, 0);
    schedule.level(Level::phase).assign(1, 0);

    std::vector<std::size_t> active;
    for (std::size_t v = 0; v < centres.end.size(); ++v) {
        if (centres.begin[v] < centres.end[v]) active.push_back(v);
    }
    std::vector<VertexId> taken(ends.degree.size(), 0);  // phases so far in which a vertex was last taken
    Phase phase;
    VertexId number = 0;
    // Fills a star with neighbours that are free; looks at twice as many as it can take.
    const auto fill = [&](std::size_t centre) {
        EdgeId& left = centres.end[centre];
        const EdgeId stop = left - std::min(left - centres.begin[centre], 2 * most);
        const std::size_t first = phase.edges.size();
        for (EdgeId i = left; i > stop && phase.edges.size() - first < most;) {
            const EdgeId e = centres.edges[--i];
            const std::size_t leaf = centre < graph.rows ? ends.col_of(e) : ends.row_of(e);
            if (taken[leaf] == number) continue;
            taken[leaf] = number, --ends.degree[leaf];
            centres.edges[i] = centres.edges[--left];
            phase.edges.push_back(e);
        }
        const std::size_t size = phase.edges.size() - first;
        if (!size) return;
        taken[centre] = number, ends.degree[centre] -= size;
        phase.stars.push_back({first, size});
    };
    for (EdgeId written = 0; written < graph.edges();) {
        number = checked_cast<VertexId>(EdgeId{number} + 1, "number of phases");
        if (std::has_single_bit(number) || number % 32 == 0) {
            std::stable_sort(active.begin(), active.end(),
                             [&](std::size_t a, std::size_t b) { return ends.degree[a] > ends.degree[b]; });
        }
        for (const std::size_t centre : active) {
            if (taken[centre] != number) fill(centre);
        }
        std::erase_if(active, [&](std::size_t v) { return centres.begin[v] == centres.end[v]; });
        phase.append_to(schedule, written);
    }
    return schedule;
}

}  // namespace lockstep
