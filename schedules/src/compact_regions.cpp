// The regions schedule: the vertices of a graph with locality are divided into regions of similar shape and
// size, small enough for a traversal in shared memory. The result is an order of the vertices with parts.
//
// Vertices are first grouped into clusters of some dozens. Each cluster gets coordinates: its distances, in
// clusters, from a few landmarks that are far from each other. The set of all clusters is bisected along its
// longest coordinate, such that each part has half of the vertices. The parts are bisected again until a part
// has at most the number of vertices of a region. Finally, clusters move to the region of most of their
// neighbours. O(arcs + vertices + clusters log regions).
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

/// Computes the distance of each cluster from `from`. An unreachable component is numbered as if it lay
/// behind all clusters that precede it. Returns the farthest cluster of the first component.
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

/// Recursive bisection of the set of all clusters.
class Bisection {
public:
    Bisection(const Clusters& clusters, VertexId most)
        : clusters_(clusters), most_(most), place_(coordinates(clusters.neighbours())) {
        items_.resize(clusters.size.size());
        for (VertexId c = 0; c < items_.size(); ++c) items_[c] = {0, c, clusters.size[c]};
    }

    /// Returns the region of every cluster. Regions are numbered in the order of the cuts, so that regions
    /// with nearby numbers are near each other.
    std::vector<VertexId> regions(VertexId* count) {
        const EdgeId vertices = std::accumulate(clusters_.size.begin(), clusters_.size.end(), EdgeId{0});
        // Cuts fall between clusters, so a sixteenth of the capacity is reserved for their inaccuracy.
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

    /// Sets the keys of the items to their values in the coordinate with the largest spread, then in the one
    /// with the second largest.
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

    /// Moves the items with the smallest keys and about `*wanted` vertices in total to the front of [begin,
    /// end). Returns their end, and stores their number of vertices in `wanted`. Neither side is empty.
    /// Expected O(end - begin).
    static Item* split(Item* begin, Item* end, EdgeId& wanted) {
        EdgeId before = 0;
        Item *low = begin, *high = end;  // the cut is between them
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

/// Moves clusters to the region of most of their neighbours, if that has the capacity. This moves pieces that
/// a cut separated from the rest of their region, and straightens borders.
void smooth(const Clusters& clusters, VertexId most, std::vector<VertexId>& region, VertexId regions) {
    constexpr int sweeps = 3;  // a fourth sweep would move one cluster in a thousand
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

/// Orders the vertices 0 … size - 1 by region; `parts` receives the offsets of the regions.
void order_side(VertexId size, VertexId regions, const VertexId* region, std::vector<VertexId>& order,
                std::vector<EdgeId>& parts) {
    order.resize(size);
    parts = radix_partition(
        size, regions, [&](EdgeId v) { return EdgeId{region[v]}; },
        [](EdgeId v) { return static_cast<VertexId>(v); }, order.data());
}

EdgeEnds rows_then_columns(const Graph& graph) {
    EdgeEnds ends;
    ends.vertices = checked_cast<VertexId>(EdgeId{graph.rows} + graph.cols, "rows and columns together");
    ends.row = edge_rows(graph), ends.col.resize(graph.edges());
    for (EdgeId e = 0; e < graph.edges(); ++e) ends.col[e] = graph.rows + graph.col[e];
    return ends;
}

constexpr EdgeId few_arcs = 1 << 17;  // a traversal of fewer arcs is fast on any graph
// A graph is refused if more than 1/4 of its arcs lie between regions; on roads 0.5 % do, on grids 3 %.
constexpr EdgeId most_between = 4;

[[noreturn]] void refuse(EdgeId between, EdgeId arcs, const std::string& regions) {
    throw NoLocality("regions: " + std::to_string(between) + " of " + std::to_string(arcs) +
                     " arcs lie between " + regions +
                     ", too many: the graph has no locality; take a schedule by degree (hubs)");
}

}  // namespace

Schedule build_regions(const Graph& graph, VertexId region_vertices) {
    // Measured on grids and roads: weighted labels change more often, so that small regions avoid wasted
    // work.
    const VertexId most = region_vertices ? region_vertices : graph.value.empty() ? 2048 : 1024;
    const bool square = graph.shape == GraphShape::square;
    std::optional<Neighbours> built;  // adjacency of rows and columns as one set of vertices
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
    // Clusters are not divided, even if a region should have fewer vertices.
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
