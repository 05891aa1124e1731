// The diag, blkdiag and tiled schedules for one set of vertices, as tournaments. The vertices are divided
// into N blocks (of one vertex each for diag). In round r = 0 … N - 1, block b is paired with block (r - b)
// mod N, which is b itself if 2 b = r (mod N). Each pair of blocks occurs in exactly one round, and the pairs
// of a round share no vertex, so their edges can run concurrently.
#include <algorithm>
#include <cmath>

#include "lockstep/schedules/parallel_errors.hpp"
#include "one_set.hpp"
#include "tile_matchings.hpp"

namespace lockstep::one_set {

namespace {

/// The edges of the graph, grouped by round and, within a round, by pair of blocks. The edges of a pair are
/// in ascending order.
struct GroupedEdges {
    EdgeId blocks;         ///< N, the number of blocks
    Array<VertexId> row;   ///< edge -> row
    Array<VertexId> pair;  ///< edge -> smaller block of its pair, which identifies the pair within its round
    Array<EdgeId> order;
    std::vector<EdgeId> rounds;  ///< round -> position in `order`; N + 1 entries

    GroupedEdges(const Graph& graph, VertexId side)
        : blocks(std::max<EdgeId>(1, (EdgeId{graph.rows} + side - 1) / side)), row(edge_rows(graph)) {
        Array<VertexId> round(graph.edges());
        pair.resize(graph.edges());
#pragma omp parallel for schedule(static)
        for (EdgeId e = 0; e < graph.edges(); ++e) {
            const VertexId a = row[e] / side, b = graph.col[e] / side;
            const EdgeId sum = EdgeId{a} + b;
            round[e] = static_cast<VertexId>(sum < blocks ? sum : sum - blocks), pair[e] = std::min(a, b);
        }
        constexpr EdgeId few = 1 << 18;  // up to this number of keys, one grouping by (round, pair) suffices
        if (blocks * blocks <= few) {
            const std::vector<EdgeId> pairs = group_edges(
                order, graph.edges(), blocks * blocks, [&](EdgeId e) { return round[e] * blocks + pair[e]; });
            for (EdgeId r = 0; r <= blocks; ++r) rounds.push_back(pairs[r * blocks]);
            return;
        }
        rounds = group_edges(order, graph.edges(), blocks, [&](EdgeId e) { return round[e]; });
#pragma omp parallel for schedule(dynamic, 64)
        for (EdgeId r = 0; r < blocks; ++r) {
            std::sort(order.begin() + at(rounds[r]), order.begin() + at(rounds[r + 1]),
                      [&](EdgeId a, EdgeId b) { return pair[a] != pair[b] ? pair[a] < pair[b] : a < b; });
        }
    }
    /// Calls visit(begin, end) for each pair of blocks in round r that has edges; these are at positions
    /// begin … end - 1 of `order`.
    template <class Visit>
    void for_each_pair(EdgeId r, Visit visit) const {
        for (EdgeId begin = rounds[r], end; begin < rounds[r + 1]; begin = end) {
            for (end = begin + 1; end < rounds[r + 1] && pair[order[end]] == pair[order[begin]];) ++end;
            visit(begin, end);
        }
    }
    static std::ptrdiff_t at(EdgeId i) { return static_cast<std::ptrdiff_t>(i); }
};

/// Returns an empty schedule with phases that are disjoint on both sides.
Schedule named(const char* name) {
    Schedule schedule;
    schedule.name = name;
    schedule.disjoint = Disjoint::both;
    schedule.level(Level::phase).assign(1, 0);
    return schedule;
}

}  // namespace

Schedule build_diag(const Graph& graph) {
    Schedule schedule = named("diag");
    GroupedEdges meetings(graph, 1);
    std::vector<EdgeId>& phases = schedule.level(Level::phase);
    // (layer, edge); the n-th of several parallel edges goes to layer n, which is a phase of its own.
    std::vector<std::pair<EdgeId, EdgeId>> layered;
    for (EdgeId r = 0; r < meetings.blocks; ++r) {
        layered.clear();
        EdgeId layers = 0;
        meetings.for_each_pair(r, [&](EdgeId begin, EdgeId end) {
            for (EdgeId i = begin; i < end; ++i) layered.emplace_back(i - begin, meetings.order[i]);
            layers = std::max(layers, end - begin);
        });
        if (layers > 1) {
            std::stable_sort(layered.begin(), layered.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            for (std::size_t i = 0; i < layered.size(); ++i) {
                meetings.order[meetings.rounds[r] + i] = layered[i].second;
                if (i > 0 && layered[i].first != layered[i - 1].first)
                    phases.push_back(meetings.rounds[r] + i);
            }
        }
        if (layers > 0) phases.push_back(meetings.rounds[r + 1]);
    }
    schedule.order = std::move(meetings.order);
    return schedule;
}

Schedule build_blkdiag(const Graph& graph, VertexId block) {
    // The default is at most 512 blocks, and few enough that a pair of blocks has at least 32 edges if the
    // edges are evenly distributed.
    const double parts = std::clamp(std::sqrt(static_cast<double>(graph.edges()) / 16), 1.0, 512.0);
    if (block == 0) block = static_cast<VertexId>(std::max(1.0, std::ceil(graph.rows / parts)));
    Schedule schedule = named("blkdiag");
    schedule.parameters["block_vertices"] = std::to_string(block);
    GroupedEdges meetings(graph, block);
    std::vector<EdgeId>&tasks = schedule.level(Level::task), &phases = schedule.level(Level::phase);
    tasks.assign(1, 0);
    for (EdgeId r = 0; r < meetings.blocks; ++r) {
        meetings.for_each_pair(r, [&](EdgeId, EdgeId end) { tasks.push_back(end); });
        if (meetings.rounds[r] < meetings.rounds[r + 1]) phases.push_back(tasks.size() - 1);
    }
    schedule.order = std::move(meetings.order);
    // The edges of a task are sorted by column, so that the state of a column stays in registers for several
    // edges.
    ParallelErrors errors;
#pragma omp parallel
    {
        std::vector<std::pair<VertexId, EdgeId>> sorted;
#pragma omp for schedule(dynamic, 64)
        for (EdgeId t = 0; t < tasks.size() - 1; ++t) {
            errors.run([&] {
                const std::span edges = std::span(schedule.order).subspan(tasks[t], tasks[t + 1] - tasks[t]);
                sorted.clear();
                for (const EdgeId e : edges) sorted.emplace_back(graph.col[e], e);
                std::sort(sorted.begin(), sorted.end());
                std::transform(sorted.begin(), sorted.end(), edges.begin(),
                               [](const auto& s) { return s.second; });
            });
        }
    }
    errors.rethrow();
    return schedule;
}

Schedule build_tiled(const Graph& graph, const SharedMemoryOptions& options) {
    const RegionSize size = region_size(options);
    // The vectors of two blocks may use half of the shared memory of a tile, and there are at least two
    // blocks per multiprocessor.
    const EdgeId fits = std::max<EdgeId>(1, size.capacity / 4 / size.vertex_bytes),
                 shares = std::max<EdgeId>(1, graph.rows / (2 * EdgeId{options.multiprocessors}));
    auto side = static_cast<VertexId>(std::min(fits, shares));
    // In dense graphs, the blocks become smaller until the edges of every tile fit in shared memory, too.
    for (;; side = side * 3 / 4) {
        GroupedEdges meetings(graph, side);
        EdgeId largest = 0;
        for (EdgeId r = 0; r < meetings.blocks; ++r)
            meetings.for_each_pair(
                r, [&](EdgeId begin, EdgeId end) { largest = std::max(largest, end - begin); });
        if (side > 1 && largest * size.edge_bytes > size.capacity / 2) continue;

        Schedule schedule = named("tiled");
        schedule.parameters["block_vertices"] = std::to_string(side);
        schedule.parameters["rank"] = std::to_string(options.rank);
        schedule.parameters["storage"] = options.half_precision ? "fp16" : "fp32";
        std::vector<EdgeId>&phases = schedule.level(Level::phase), &tile_steps = schedule.level(Level::tile),
        &steps = schedule.level(Level::step);
        tile_steps.assign(1, 0), steps.assign(1, 0);
        const EdgeEnds ends{graph.rows, meetings.row, graph.col};
        std::vector<std::uint32_t> taken(graph.rows);
        std::vector<std::pair<EdgeId, EdgeId>> tiles;
        std::vector<std::vector<EdgeId>> sizes;
        for (EdgeId r = 0; r < meetings.blocks; ++r) {
            tiles.clear();
            meetings.for_each_pair(r, [&](EdgeId begin, EdgeId end) { tiles.emplace_back(begin, end); });
            if (tiles.empty()) continue;
            sizes.assign(tiles.size(), {});
            ParallelErrors errors;
#pragma omp parallel
            {
                TileMatchings matchings(ends, taken);
#pragma omp for schedule(dynamic, 4)
                for (std::size_t t = 0; t < tiles.size(); ++t) {
                    errors.run([&] {
                        matchings.sort(std::span(meetings.order)
                                           .subspan(tiles[t].first, tiles[t].second - tiles[t].first),
                                       sizes[t]);
                    });
                }
            }
            errors.rethrow();
            for (const auto& tile : sizes) {
                for (const EdgeId edges : tile) steps.push_back(steps.back() + edges);
                tile_steps.push_back(steps.size() - 1);
            }
            phases.push_back(tile_steps.size() - 1);
        }
        schedule.order = std::move(meetings.order);
        return schedule;
    }
}

}  // namespace lockstep::one_set
