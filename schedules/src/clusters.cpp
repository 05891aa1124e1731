#include "clusters.hpp"

#include <algorithm>
#include <numeric>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

constexpr VertexId nobody = ~VertexId{0};

/// Returns the size of the ranges of vertices whose clusters are found independently, one range per thread at
/// a time. If vertices with nearby IDs are mostly neighbours, a range has about an eighth of the vertices,
/// but at least 2^15. Otherwise ranges would cut too many edges, and a single range contains all vertices.
VertexId range_of(const Neighbourhood& graph) {
    constexpr VertexId shares = 8, least = 1 << 15, samples = 4096;
    const VertexId vertices = graph.vertices(), range = std::max(least, vertices / shares + 1);
    EdgeId arcs = 0, outside = 0;
    for (VertexId i = 0; i < samples; ++i) {
        const auto v = static_cast<VertexId>(EdgeId{vertices} * i / samples);
        for (const VertexId n : graph.of(v)) ++arcs, outside += n / range != v / range;
    }
    return outside > arcs / 100 ? std::max(vertices, VertexId{1}) : range;
}

/// Finds the clusters of the vertices begin … end - 1, and numbers them from 0. Writes these vertices to
/// `vertices`, grouped by cluster.
class RangeOfClusters {
public:
    RangeOfClusters(const Neighbourhood& graph, Array<VertexId>& of_vertex, VertexId* vertices,
                    VertexId begin, VertexId end)
        : graph_(graph), of_(of_vertex), begin_(begin), end_(end) {
        std::fill(of_.begin() + begin, of_.begin() + end, nobody);
        for (VertexId v = begin; v < end; ++v) {
            if (of_[v] == nobody) grow(v);
        }
        std::vector<VertexId> next(size.size());
        std::exclusive_scan(size.begin(), size.end(), next.begin(), VertexId{0});
        for (VertexId v = begin; v < end; ++v) vertices[next[of_[v]]++] = v;
    }

    std::vector<std::uint32_t> size;

private:
    void grow(VertexId seed) {
        const auto me = static_cast<VertexId>(size.size());
        members_.assign(1, seed);
        of_[seed] = me;
        for (std::size_t head = 0; head < members_.size() && members_.size() < Clusters::most / 2; ++head) {
            for (const VertexId n : graph_.of(members_[head])) {
                if (n < begin_ || n >= end_ || of_[n] != nobody) continue;
                of_[n] = me;
                members_.push_back(n);
                if (members_.size() == Clusters::most / 2) break;
            }
        }
        const auto count = static_cast<std::uint32_t>(members_.size());
        const VertexId other = count < Clusters::most / 8 ? host(me, count) : nobody;
        if (other == nobody) {
            size.push_back(count);
            return;
        }
        for (const VertexId v : members_) of_[v] = other;
        size[other] += count;
    }

    /// Returns the smallest neighbouring cluster that can absorb `count` more vertices, or `nobody` if there
    /// is none.
    VertexId host(VertexId me, std::uint32_t count) const {
        VertexId best = nobody;
        for (const VertexId v : members_) {
            for (const VertexId n : graph_.of(v)) {
                if (n < begin_ || n >= end_ || of_[n] == me || of_[n] == nobody) continue;
                const VertexId other = of_[n];
                if (size[other] + count <= Clusters::most && (best == nobody || size[other] < size[best]))
                    best = other;
            }
        }
        return best;
    }

    const Neighbourhood& graph_;
    Array<VertexId>& of_;
    VertexId begin_, end_;
    std::vector<VertexId> members_;
};

/// Adjacency lists in CSR format. Each thread builds the lists of one range of vertices; later they are
/// concatenated.
struct Lists {
    std::vector<EdgeId> first{0};
    Array<VertexId> entry;
};

/// Returns, for each cluster, the clusters to which it has arcs and the clusters that have arcs to it.
Lists both_directions(const Lists& out, VertexId clusters) {
    Lists both;
    both.first.assign(EdgeId{clusters} + 1, 0);
    for (VertexId c = 0; c < clusters; ++c)
        both.first[c + EdgeId{1}] += out.first[c + EdgeId{1}] - out.first[c];
    for (const VertexId n : out.entry) ++both.first[n + EdgeId{1}];
    std::partial_sum(both.first.begin(), both.first.end(), both.first.begin());
    both.entry.resize(both.first.back());
    std::vector<EdgeId> next(both.first.begin(), both.first.end() - 1);
    for (VertexId c = 0; c < clusters; ++c) {
        for (EdgeId i = out.first[c]; i < out.first[c + EdgeId{1}]; ++i) {
            both.entry[next[c]++] = out.entry[i];
            both.entry[next[out.entry[i]]++] = c;
        }
    }
    return both;
}

}  // namespace

Clusters find_clusters(const Neighbourhood& graph, bool both_ways) {
    const VertexId vertices = graph.vertices(), range = vertices ? range_of(graph) : 1,
                   ranges = vertices / range + (vertices % range != 0);
    Clusters clusters;
    clusters.of_vertex.resize(vertices);
    Array<VertexId> by_cluster(vertices);
    std::vector<std::vector<std::uint32_t>> sizes(ranges);
    ParallelErrors errors;
    const auto begin_of = [&](VertexId r) {
        return static_cast<VertexId>(std::min<EdgeId>(vertices, EdgeId{r} * range));
    };
#pragma omp parallel for schedule(dynamic)
    for (VertexId r = 0; r < ranges; ++r) {
        errors.run([&] {
            sizes[r] = RangeOfClusters(graph, clusters.of_vertex, by_cluster.data() + begin_of(r),
                                       begin_of(r), begin_of(r + 1))
                           .size;
        });
    }
    errors.rethrow();
    std::vector<VertexId> base(ranges + EdgeId{1}, 0);
    for (VertexId r = 0; r < ranges; ++r) {
        clusters.size.insert(clusters.size.end(), sizes[r].begin(), sizes[r].end());
        base[r + 1] = static_cast<VertexId>(clusters.size.size());
    }
#pragma omp parallel for schedule(static)
    for (VertexId r = 0; r < ranges; ++r) {
        for (VertexId v = begin_of(r); v < begin_of(r + 1); ++v) clusters.of_vertex[v] += base[r];
    }

    std::vector<Lists> lists(ranges);
    EdgeId inside = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : inside)
    for (VertexId r = 0; r < ranges; ++r) {
        errors.run([&] {
            Lists& list = lists[r];
            const VertexId* v = by_cluster.data() + begin_of(r);
            for (VertexId c = base[r]; c < base[r + 1]; ++c) {
                const auto begin = static_cast<std::ptrdiff_t>(list.entry.size());
                for (const VertexId* const end = v + clusters.size[c]; v != end; ++v) {
                    for (const VertexId n : graph.of(*v)) {
                        const VertexId other = clusters.of_vertex[n];
                        if (other == c) {
                            ++inside;
                            continue;
                        }
                        // Only the last 16 neighbours are searched for a repeat: most repeats are near, and a
                        // complete search would take quadratic time at hubs.
                        const auto last = list.entry.end(),
                                   from = std::max(
                                       list.entry.begin() + begin,
                                       last - std::min<std::ptrdiff_t>(16, last - list.entry.begin()));
                        if (std::find(from, last, other) == last) list.entry.push_back(other);
                    }
                }
                list.first.push_back(list.entry.size());
            }
        });
    }
    errors.rethrow();
    clusters.arcs_inside = inside;
    Lists all;
    for (const Lists& list : lists) {
        const EdgeId before = all.entry.size();
        all.entry.insert(all.entry.end(), list.entry.begin(), list.entry.end());
        for (std::size_t i = 1; i < list.first.size(); ++i) all.first.push_back(before + list.first[i]);
    }
    if (!both_ways) all = both_directions(all, base[ranges]);
    clusters.first = std::move(all.first);
    clusters.neighbour = std::move(all.entry);
    return clusters;
}

}  // namespace lockstep
