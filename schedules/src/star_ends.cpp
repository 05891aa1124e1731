#include "star_ends.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

constexpr std::array<EdgeId, 5> star_sizes{4, 8, 16, 32, 64};           // candidates for S
constexpr std::array<EdgeId, 6> hub_sizes{0, 64, 128, 256, 512, 1024};  // candidates for H; 0: H = S
constexpr EdgeId usual_hub = 256;  // H assumed when edges are distributed

/// Returns the predicted time in seconds of a sweep with the minimum number of phases: a barrier and an
/// ordinary star per phase, plus all edges. Long stars run concurrently with these, on warps that the others
/// then lack.
double sweep_time(const StarSizes& sizes, EdgeId edges, const DeviceCosts& c) {
    const auto phases = static_cast<double>(sizes.least_phases);
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

/// Returns the number of phases that a vertex requires with `most` edges per star.
EdgeId StarEnds::Wants::phases(std::size_t v, EdgeId most) const {
    return leaves[v] + (own(v) + most - 1) / most;
}

/// Returns whether the number of phases suffices. A vertex is in one star per phase. In each phase in which
/// it is a centre, S of its edges run, or H if it is among the `hub_stars` first.
bool StarEnds::Wants::suffices(EdgeId phases, const StarSizes& sizes,
                               std::span<const std::size_t> centres) const {
    const EdgeId more = sizes.hub_edges - sizes.star_edges;
    EdgeId hubs = 0;  // number of times that a centre must be among the first
    for (const std::size_t v : centres) {
        if (phases < leaves[v]) return false;
        const EdgeId room = phases - leaves[v], left = own(v) - std::min(own(v), room * sizes.star_edges);
        if (left == 0) continue;
        if (more == 0 || left > room * more) return false;
        hubs += (left + more - 1) / more;
    }
    return hubs <= phases * hub_stars;
}

EdgeId StarEnds::Wants::least_phases(const StarSizes& sizes, EdgeId least,
                                     std::span<const std::size_t> vertices) const {
    EdgeId low = least - 1, high = least;
    while (!suffices(high, sizes, vertices)) low = high, high *= 2;
    while (high - low > 1) {
        const EdgeId middle = low + (high - low) / 2;
        (suffices(middle, sizes, vertices) ? high : low) = middle;
    }
    return high;
}

/// Returns the S and H with the shortest time, assuming the minimum number of phases and full stars.
StarSizes StarEnds::Wants::best_sizes(EdgeId asked, double& seconds) const {
    std::vector<EdgeId> sizes_of_stars(star_sizes.begin(), star_sizes.end());
    if (asked) sizes_of_stars = {asked};
    const EdgeId least = std::max<EdgeId>(1, leaves.empty() ? 0 : *std::ranges::max_element(leaves));
    std::vector<std::size_t> vertices;  // vertices that may require more phases than `least`
    for (std::size_t v = 0; v < leaves.size(); ++v) {
        if (phases(v, sizes_of_stars.front()) > least) vertices.push_back(v);
    }
    StarSizes best{};
    seconds = std::numeric_limits<double>::infinity();
    for (const EdgeId star : sizes_of_stars) {
        for (const EdgeId hub : hub_sizes) {
            if (hub && (hub <= star || asked)) continue;
            StarSizes sizes{star, std::max(hub, star), 0};
            sizes.least_phases = least_phases(sizes, least, vertices);
            const double time = sweep_time(sizes, ends.graph_.edges(), ends.costs_);
            if (time < seconds) seconds = time, best = sizes;
        }
    }
    return best;
}

/// Returns the edges between hubs whose leaf requires more phases than `fewest`; only hubs do.
std::vector<EdgeId> StarEnds::contested(EdgeId fewest) const {
    std::vector<EdgeId> edges;
    if (fewest == 0) return edges;
    const auto is_hub = [&](std::size_t v) { return degree_[v] > fewest; };
    const Wants given{*this, leaves_};
    for (VertexId u = 0; u < graph_.rows; ++u) {
        if (!is_hub(u)) continue;
        for (const EdgeId e : graph_.edges_of(u)) {
            if (is_hub(col_of(e)) && given.phases(leaf_of(e), usual_hub) > fewest) edges.push_back(e);
        }
    }
    return edges;
}

/// Turns the edges whose leaf requires more than `limit` phases and whose centre requires fewer.
StarEnds::Shared StarEnds::shared_out(EdgeId limit, std::span<const EdgeId> contested, EdgeId asked) const {
    Shared shared{leaves_, std::vector<bool>(contested.size())};
    const Wants now{*this, shared.leaves};
    for (std::size_t i = 0; i < contested.size(); ++i) {
        const std::size_t centre = centre_of(contested[i]), leaf = leaf_of(contested[i]);
        if (now.phases(leaf, usual_hub) <= limit || now.phases(centre, usual_hub) >= limit) continue;
        --shared.leaves[leaf], ++shared.leaves[centre];
        shared.turned[i] = true;
    }
    shared.sizes = now.best_sizes(asked, shared.seconds);
    return shared;
}

StarSizes StarEnds::choose(EdgeId asked) {
    // The builder exceeds the minimum number of phases by more if edges are turned.
    constexpr double further_off = 1.15;
    const Wants given{*this, leaves_};
    EdgeId most = 0;
    for (std::size_t v = 0; v < degree_.size(); ++v) most = std::max(most, given.phases(v, usual_hub));
    const EdgeId fewest = most / 8;
    const std::vector<EdgeId> contested = this->contested(fewest);
    std::vector<EdgeId> limits;
    for (EdgeId limit = most * 3 / 4; limit > fewest && !contested.empty(); limit = limit * 3 / 4)
        limits.push_back(limit);
    double shortest = 0;
    StarSizes best{};
    std::vector<Shared> shared(limits.size());
#pragma omp parallel for schedule(dynamic, 1)
    for (std::size_t i = 0; i <= limits.size(); ++i) {
        if (i == 0)
            best = given.best_sizes(asked, shortest);
        else
            shared[i - 1] = shared_out(limits[i - 1], contested, asked);
    }
    shortest /= further_off;
    const Shared* chosen = nullptr;
    for (const Shared& one : shared) {
        if (one.seconds < shortest) shortest = one.seconds, chosen = &one;
    }
    if (!chosen) return best;
    leaves_ = chosen->leaves;
    for (std::size_t i = 0; i < contested.size(); ++i) {
        if (chosen->turned[i]) around_col_[contested[i]] ^= 1;
    }
    return chosen->sizes;
}

StarSizes star_sizes_of(const Graph& graph, EdgeId star_edges, const DeviceCosts& costs) {
    return StarEnds(graph, costs).choose(star_edges);
}

}  // namespace lockstep
