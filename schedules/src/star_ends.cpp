#include "star_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

// Candidates for S, the maximum number of edges of an ordinary star.
constexpr std::array<EdgeId, 5> star_sizes{4, 8, 16, 32, 64};
// Candidates for H, that of a long star; 0 means H = S.
constexpr std::array<EdgeId, 6> hub_sizes{0, 64, 128, 256, 512, 1024};
constexpr EdgeId usual_hub = 256;  // value of H that is assumed while the edges between hubs are distributed

/// Returns the predicted time in seconds of a sweep. The time of an ordinary phase is that of its barrier and
/// of one star of S edges; all edges together add a term for throughput. The long stars of a phase run
/// concurrently with the ordinary ones, and slow them down because they occupy some of the warps.
double sweep_time(const StarSizes& sizes, EdgeId edges, const DeviceCosts& c) {
    const auto phases = static_cast<double>(sizes.min_phases);
    const bool has_hubs = sizes.hub_edges > sizes.star_edges;
    const double others = phases * c.phase_star_edge * static_cast<double>(sizes.star_edges) +
                          (has_hubs ? 1.1 : 1) * c.phase_edge * static_cast<double>(edges),
                 hubs = phases * (c.long_stars + c.long_star_edge * static_cast<double>(sizes.hub_edges));
    return phases * c.phase + (has_hubs ? std::cbrt(std::pow(others, 3) + std::pow(hubs, 3)) : others);
}

}  // namespace

StarEnds::StarEnds(const Graph& graph, const DeviceCosts& costs)
    : graph_(graph),
      costs_(costs),
      one_set_(graph.ends == Ends::vertices),
      row_(edge_rows(graph)),
      around_col_(graph.edges()) {
    if (costs == DeviceCosts{})
        throw ScheduleError("stars: the costs of a device are missing", Failure::usage);
    if (one_set_) {
        degree_ = vertex_degrees(graph);
    } else {
        degree_ = row_degrees(graph);
        const std::vector<EdgeId> of_cols = col_degrees(graph);
        degree_.insert(degree_.end(), of_cols.begin(), of_cols.end());
    }
#pragma omp parallel for schedule(static)
    for (EdgeId e = 0; e < graph.edges(); ++e) around_col_[e] = degree_[col_of(e)] >= degree_[row_of(e)];
    count_leaves();
}

void StarEnds::count_leaves() {
    leaves_.assign(degree_.size(), 0);
    const VertexId rows = graph_.rows, cols = graph_.cols;
#pragma omp parallel for schedule(dynamic, 1024)
    for (VertexId u = 0; u < rows; ++u) {
        for (const EdgeId e : graph_.edges_of(u)) leaves_[u] += around_col(e);
    }
    const std::vector<EdgeId> of_cols = key_counts(graph_.edges(), EdgeId{cols} + 1, [&](EdgeId e) {
        return around_col(e) ? EdgeId{cols} : EdgeId{graph_.col[e]};
    });
    for (VertexId v = 0; v < cols; ++v) leaves_[first_col() + v] += of_cols[v];
}

/// Returns the number of phases that vertex v requires if its stars have at most `most` edges: one for each
/// edge of which it is a leaf, and one for each star of which it is the centre.
EdgeId StarEnds::PhaseDemand::phases(std::size_t v, EdgeId most) const {
    return leaves[v] + (own(v) + most - 1) / most;
}

/// Returns whether a schedule of `phases` phases is possible for the vertices in `centres`, judged by their
/// numbers of edges. A vertex is in at most one star per phase. In a phase in which it is a centre, its star
/// has at most S edges, or H if it is one of the first `hub_stars` stars.
bool StarEnds::PhaseDemand::suffices(EdgeId phases, const StarSizes& sizes,
                                     std::span<const std::size_t> centres) const {
    const EdgeId more = sizes.hub_edges - sizes.star_edges;
    EdgeId hubs = 0;  // number of long stars that all centres require together
    for (const std::size_t v : centres) {
        if (phases < leaves[v]) return false;
        const EdgeId capacity = phases - leaves[v],
                     left = own(v) - std::min(own(v), capacity * sizes.star_edges);
        if (left == 0) continue;
        if (more == 0 || left > capacity * more) return false;
        hubs += (left + more - 1) / more;
    }
    return hubs <= phases * hub_stars;
}

EdgeId StarEnds::PhaseDemand::min_phases(const StarSizes& sizes, EdgeId least,
                                         std::span<const std::size_t> vertices) const {
    EdgeId low = least - 1, high = least;
    while (!suffices(high, sizes, vertices)) low = high, high *= 2;
    while (high - low > 1) {
        const EdgeId middle = low + (high - low) / 2;
        (suffices(middle, sizes, vertices) ? high : low) = middle;
    }
    return high;
}

/// Returns the sizes S and H with the shortest predicted time, assuming that there are `min_phases` phases.
/// The argument `requested` is the requested S, or 0. `seconds` receives the time.
StarSizes StarEnds::PhaseDemand::best_sizes(EdgeId requested, double& seconds) const {
    std::vector<EdgeId> sizes_of_stars(star_sizes.begin(), star_sizes.end());
    if (requested) sizes_of_stars = {requested};
    const EdgeId least = std::max<EdgeId>(1, leaves.empty() ? 0 : *std::ranges::max_element(leaves));
    // Vertices that may require more phases than `least`, and therefore determine the number.
    std::vector<std::size_t> vertices;
    for (std::size_t v = 0; v < leaves.size(); ++v) {
        if (phases(v, sizes_of_stars.front()) > least) vertices.push_back(v);
    }
    StarSizes best{};
    seconds = std::numeric_limits<double>::infinity();
    for (const EdgeId star : sizes_of_stars) {
        for (const EdgeId hub : hub_sizes) {
            if (hub && (hub <= star || requested)) continue;
            StarSizes sizes{star, std::max(hub, star), 0};
            sizes.min_phases = min_phases(sizes, least, vertices);
            const double time = sweep_time(sizes, ends.graph_.edges(), ends.costs_);
            if (time < seconds) seconds = time, best = sizes;
        }
    }
    return best;
}

/// Returns the edges between two hubs whose leaf requires more than `fewest` phases. A hub is a vertex with
/// more than `fewest` edges.
std::vector<EdgeId> StarEnds::contested(EdgeId fewest) const {
    std::vector<EdgeId> edges;
    if (fewest == 0) return edges;
    const auto is_hub = [&](std::size_t v) { return degree_[v] > fewest; };
    const PhaseDemand given{*this, leaves_};
    for (VertexId u = 0; u < graph_.rows; ++u) {
        if (!is_hub(u)) continue;
        for (const EdgeId e : graph_.edges_of(u)) {
            if (is_hub(col_of(e)) && given.phases(leaf_of(e), usual_hub) > fewest) edges.push_back(e);
        }
    }
    return edges;
}

/// Exchanges centre and leaf of every contested edge whose leaf requires more than `limit` phases while its
/// centre requires fewer. Returns the resulting distribution with its best sizes and predicted time.
StarEnds::EdgeDistribution StarEnds::distribute_edges(EdgeId limit, std::span<const EdgeId> contested,
                                                      EdgeId requested) const {
    EdgeDistribution shared{leaves_, std::vector<bool>(contested.size())};
    const PhaseDemand now{*this, shared.leaves};
    for (std::size_t i = 0; i < contested.size(); ++i) {
        const std::size_t centre = centre_of(contested[i]), leaf = leaf_of(contested[i]);
        if (now.phases(leaf, usual_hub) <= limit || now.phases(centre, usual_hub) >= limit) continue;
        --shared.leaves[leaf], ++shared.leaves[centre];
        shared.turned[i] = true;
    }
    shared.sizes = now.best_sizes(requested, shared.seconds);
    return shared;
}

StarSizes StarEnds::choose(EdgeId requested) {
    // If edges are turned, the builder exceeds the minimum number of phases by more. Therefore such a
    // distribution must be faster by this factor.
    constexpr double further_off = 1.15;
    const PhaseDemand given{*this, leaves_};
    EdgeId most = 0;
    for (std::size_t v = 0; v < degree_.size(); ++v) most = std::max(most, given.phases(v, usual_hub));
    const EdgeId fewest = most / 8;
    const std::vector<EdgeId> contested = this->contested(fewest);
    std::vector<EdgeId> limits;
    for (EdgeId limit = most * 3 / 4; limit > fewest && !contested.empty(); limit = limit * 3 / 4)
        limits.push_back(limit);
    double shortest = 0;
    StarSizes best{};
    std::vector<EdgeDistribution> shared(limits.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i <= limits.size(); ++i) {
        if (i == 0)
            best = given.best_sizes(requested, shortest);
        else
            shared[i - 1] = distribute_edges(limits[i - 1], contested, requested);
    }
    shortest /= further_off;
    const EdgeDistribution* chosen = nullptr;
    for (const EdgeDistribution& one : shared) {
        if (one.seconds < shortest) shortest = one.seconds, chosen = &one;
    }
    if (!chosen) return best;
    leaves_ = chosen->leaves;
    for (std::size_t i = 0; i < contested.size(); ++i) {
        if (chosen->turned[i]) around_col_[contested[i]] ^= 1;
    }
    return chosen->sizes;
}

StarSizes star_sizes_of(const Graph& graph, const DeviceCosts& costs, EdgeId star_edges) {
    return StarEnds(graph, costs).choose(star_edges);
}

}  // namespace lockstep
