// The regions schedule, for graphs with locality such as road networks: the vertices are divided into regions
// of similar shape and size, each small enough for a traversal in shared memory. The result is an order of
// the vertices with one part per region.
//
// First, the vertices are grouped into clusters of some dozens. Each cluster gets four coordinates: its
// distances from four clusters that are far from each other (landmarks), measured in arcs between clusters.
// Then the set of all clusters is bisected at the median of the coordinate with the largest spread, and the
// parts are bisected again until each part is small enough for a region. Finally, each cluster moves to the
// region that contains most of its neighbours. O(arcs + vertices + clusters log regions).
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "clusters.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "regions.hpp"

namespace lockstep {

namespace {

constexpr int landmarks = 4;
using Coordinates = std::array<std::vector<std::uint32_t>, landmarks>;

/// Computes the distance of each cluster from cluster `from`. If the graph is not connected, each further
/// component gets distances that begin above the largest distance so far. Returns the farthest cluster in the
/// component of `from`.
VertexId distances(const Neighbourhood& graph, VertexId from, std::vector<std::uint32_t>& distance) {
    constexpr std::uint32_t unknown = ~0U;
    const VertexId vertices = graph.vertices();
    distance.assign(vertices, unknown);
    std::vector<VertexId> queue;
    queue.reserve(vertices);
    VertexId farthest = from, next = 0;
    for (std::size_t head = 0; queue.size() < vertices;) {
        if (head == queue.size()) {
            while (head > 0 && distance[next] != unknown) ++next;
            const VertexId seed = head == 0 ? from : next;
            distance[seed] = head == 0 ? 0 : distance[queue.back()] + 1;
            queue.push_back(seed);
        }
        for (; head < queue.size(); ++head) {
            const VertexId v = queue[head];
            for (const VertexId n : graph.of(v)) {
                if (distance[n] != unknown) continue;
                distance[n] = distance[v] + 1;
                queue.push_back(n);
            }
        }
        if (distance[farthest] == 0) farthest = queue.back();
    }
    return farthest;
}

/// Returns the coordinates of all clusters. The first landmark is far from an arbitrary cluster; each further
/// one is the cluster that is farthest from the landmarks so far.
Coordinates coordinates(const Neighbourhood& graph) {
    Coordinates result;
    std::vector<std::uint32_t> nearest;  // distance to the nearest landmark
    VertexId landmark = distances(graph, graph.vertices() / 2, nearest);
    for (auto& coordinate : result) {
        distances(graph, landmark, coordinate);
        if (&coordinate == result.data()) nearest = coordinate;
        for (VertexId v = 0; v < graph.vertices(); ++v) nearest[v] = std::min(nearest[v], coordinate[v]);
        landmark = static_cast<VertexId>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    }
    return result;
}

/// Recursive bisection of the set of all clusters into regions of at most `most` vertices.
class Bisection {
public:
    Bisection(const Clusters& clusters, VertexId most)
        : clusters_(clusters), most_(most), place_(coordinates(clusters.neighbours())) {
        items_.resize(clusters.size.size());
        for (VertexId c = 0; c < items_.size(); ++c) items_[c] = {0, c, clusters.size[c]};
    }

    /// Returns the region of every cluster. Regions get their numbers in the order of the bisection, so that
    /// regions with nearby numbers are near each other in the graph.
    std::vector<VertexId> regions(VertexId* count) {
        const EdgeId vertices = std::accumulate(clusters_.size.begin(), clusters_.size.end(), EdgeId{0});
        // Cuts fall between clusters and are not exact, so a sixteenth of a region's capacity is kept as a
        // reserve.
        const EdgeId usual = most_ - most_ / 16;
        part_end_.assign(items_.size() + 1, 0);
#pragma omp parallel
#pragma omp single
        cut(items_.data(), items_.data() + items_.size(), vertices, (vertices + usual - 1) / usual, 0);
        std::vector<VertexId> region(items_.size());
        *count = 0;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            region[items_[i].cluster] = *count;
            *count += part_end_[i + 1];
        }
        return region;
    }

private:
    struct Item {
        std::uint64_t key;
        VertexId cluster;
        std::uint32_t size;
        bool operator<(const Item& other) const {
            return key != other.key ? key < other.key : cluster < other.cluster;
        }
    };

    void cut(Item* begin, Item* end, EdgeId vertices, EdgeId parts, int depth) {
        if (end - begin <= 1 || (parts <= 1 && vertices <= most_)) {
            if (begin != end) part_end_[static_cast<std::size_t>(end - items_.data())] = 1;
            return;
        }
        parts = std::max(parts, EdgeId{2});
        set_keys(begin, end);
        EdgeId left = vertices / parts * (parts / 2);
        Item* const middle = split(begin, end, left);
        constexpr int deepest_task = 6;
#pragma omp task if (depth < deepest_task)
        cut(begin, middle, left, parts / 2, depth + 1);
        cut(middle, end, vertices - left, parts - parts / 2, depth + 1);
#pragma omp taskwait
    }

    /// Sets the key of each item for the next cut: first the coordinate that has the largest spread among
    /// these items, then the coordinate with the second largest spread.
    void set_keys(Item* begin, Item* end) const {
        std::array<std::pair<std::uint32_t, int>, landmarks> spread;
        for (int l = 0; l < landmarks; ++l) {
            std::uint32_t low = ~0U, high = 0;
            for (const Item* i = begin; i != end; ++i) {
                const std::uint32_t at = place_[static_cast<std::size_t>(l)][i->cluster];
                low = std::min(low, at), high = std::max(high, at);
            }
            spread[static_cast<std::size_t>(l)] = {high - low, -l};
        }
        std::partial_sort(spread.begin(), spread.begin() + 2, spread.end(), std::greater<>());
        const auto &first = place_[static_cast<std::size_t>(-spread[0].second)],
                   &second = place_[static_cast<std::size_t>(-spread[1].second)];
        for (Item* i = begin; i != end; ++i)
            i->key = std::uint64_t{first[i->cluster]} << 32 | second[i->cluster];
    }

    /// Moves the items with the smallest keys to the front of [begin, end), such that they have about
    /// `wanted` vertices in total. Returns the end of these items, and stores their number of vertices in
    /// `wanted`. Neither part is empty. Expected O(end - begin).
    static Item* split(Item* begin, Item* end, EdgeId& wanted) {
        EdgeId before = 0;
        Item *low = begin, *high = end;  // the end of the front part lies between them
        while (high - low > 1) {
            Item* const middle = low + (high - low) / 2;
            std::nth_element(low, middle, high);
            EdgeId size = 0;
            for (const Item* i = low; i != middle; ++i) size += i->size;
            if (before + size > wanted) {
                high = middle;
            } else {
                low = middle, before += size;
            }
        }
        if (low == begin) ++low, before = begin->size;
        wanted = before;
        return low;
    }

    const Clusters& clusters_;
    EdgeId most_;
    Coordinates place_;
    std::vector<Item> items_;
    std::vector<std::uint8_t> part_end_;  // [i]: whether a region ends after the first i items
};

/// Moves each cluster to the region that contains most of its neighbours, if that region has the capacity.
/// This reunites pieces that a cut has separated from the rest of their region, and makes the borders of
/// regions shorter.
void smooth(const Clusters& clusters, VertexId most, std::vector<VertexId>& region, VertexId regions) {
    constexpr int sweeps = 3;  // a fourth sweep would move only one cluster in a thousand
    constexpr std::size_t candidates = 8;
    const Neighbourhood graph = clusters.neighbours();
    std::vector<EdgeId> size(regions, 0);
    for (VertexId c = 0; c < region.size(); ++c) size[region[c]] += clusters.size[c];
    for (int sweep = 0; sweep < sweeps; ++sweep) {
        for (VertexId c = 0; c < region.size(); ++c) {
            std::array<std::pair<VertexId, int>, candidates> votes;
            std::size_t known = 1, best = 0;
            votes[0] = {region[c], 0};
            for (const VertexId n : graph.of(c)) {
                std::size_t i = 0;
                while (i < known && votes[i].first != region[n]) ++i;
                if (i == candidates) continue;
                if (i == known) votes[known++] = {region[n], 0};
                ++votes[i].second;
            }
            for (std::size_t i = 1; i < known; ++i) {
                if (votes[i].second > votes[best].second && size[votes[i].first] + clusters.size[c] <= most &&
                    size[region[c]] > clusters.size[c])
                    best = i;
            }
            size[region[c]] -= clusters.size[c];
            region[c] = votes[best].first;
            size[region[c]] += clusters.size[c];
        }
    }
}

/// Groups the vertices 0 … size - 1 by region into `order`. `parts` receives the offsets of the regions.
void order_side(VertexId size, VertexId regions, const VertexId* region, std::vector<VertexId>& order,
                std::vector<EdgeId>& parts) {
    order.resize(size);
    parts = radix_partition(
        size, regions, [&](EdgeId v) { return EdgeId{region[v]}; },
        [](EdgeId v) { return static_cast<VertexId>(v); }, order.data());
}

/// Returns the endpoints of the edges, with the rows numbered first and the columns after them.
EdgeEnds rows_then_columns(const Graph& graph) {
    EdgeEnds ends;
    ends.vertices = checked_cast<VertexId>(EdgeId{graph.rows} + graph.cols, "rows and columns together");
    ends.row = edge_rows(graph), ends.col.resize(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); ++e) ends.col[e] = graph.rows + graph.col[e];
    return ends;
}

// Graphs with fewer arcs are never refused, since any traversal of them is fast.
constexpr EdgeId few_arcs = 1 << 17;
// A graph is refused if more than 1/4 of its arcs lie between regions. For comparison: on road networks 0.5 %
// of the arcs do, on grids 3 %.
constexpr EdgeId most_between = 4;

[[noreturn]] void refuse(EdgeId between, EdgeId arcs, const std::string& regions) {
    throw NoLocality("regions: " + std::to_string(between) + " of " + std::to_string(arcs) +
                     " arcs connect different regions of " + regions +
                     ", too many: the graph has no locality; use a schedule by degree (hubs)");
}

}  // namespace

Schedule build_regions(const Graph& graph, VertexId region_vertices) {
    // The smaller default for weighted graphs was measured on grids and road networks: weighted distances are
    // corrected more often, and smaller regions avoid some of the wasted work.
    const VertexId most = region_vertices ? region_vertices : graph.value.empty() ? 2048 : 1024;
    const bool square = graph.shape == GraphShape::square;
    std::optional<Neighbours> built;  // adjacency lists, with rows and columns as one set of vertices
    Neighbourhood neighbours{graph.row_offsets, graph.col};
    if (!square) neighbours = built.emplace(rows_then_columns(graph)).view();
    const EdgeId arcs = neighbours.neighbour.size();
    const Clusters clusters = find_clusters(neighbours, !square || !graph.directed);
    const bool may_refuse = arcs > few_arcs && neighbours.vertices() > most;
    if (may_refuse && clusters.arcs_inside < arcs / most_between)
        refuse(arcs - clusters.arcs_inside, arcs,
               "clusters of at most " + std::to_string(Clusters::most) + " vertices");

    VertexId count = 0;
    std::vector<VertexId> of_cluster = Bisection(clusters, most).regions(&count);
    smooth(clusters, most, of_cluster, count);
    Array<VertexId> region(neighbours.vertices());
#pragma omp parallel for schedule(static)
    for (VertexId v = 0; v < region.size(); ++v) region[v] = of_cluster[clusters.of_vertex[v]];
    EdgeId between = 0;
#pragma omp parallel for schedule(static) reduction(+ : between)
    for (VertexId v = 0; v < region.size(); ++v) {
        for (const VertexId n : neighbours.of(v)) between += region[n] != region[v];
    }
    if (may_refuse && between > arcs / most_between)
        refuse(between, arcs,
               std::to_string(count) + " regions of at most " + std::to_string(most) + " vertices");

    Schedule schedule;
    schedule.name = "regions";
    // Regions consist of whole clusters, so they are never limited to fewer vertices than a cluster may have.
    schedule.parameters["region_vertices"] = std::to_string(std::max(most, Clusters::most));
    schedule.parameters["arcs_between"] = std::to_string(between);
    order_side(graph.rows, count, region.data(), schedule.row_order, schedule.row_parts);
    if (square) {
        schedule.col_order = schedule.row_order, schedule.col_parts = schedule.row_parts;
    } else {
        order_side(graph.cols, count, region.data() + graph.rows, schedule.col_order, schedule.col_parts);
    }
    return schedule;
}

std::string refusal_of_regions(const Graph& graph, const BuildOptions& options) try {
    static_cast<void>(build_regions(graph, options.region_vertices));
    return {};
} catch (const NoLocality& e) {
    return e.what();
}

}  // namespace lockstep
