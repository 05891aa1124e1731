#include "apps/sgd/edge_lists.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/pages.hpp"

namespace lockstep::sgd {

namespace {

using TwoDoubles = double __attribute__((vector_size(16)));

/// Computes the sums of EdgeLists::add_up() for a range of vertices. A list is the edges of one vertex; two
/// edges at a time are loaded with SIMD instructions.
class ListWalk {
public:
    ListWalk(const EdgeId* offsets, const VertexId* other, const float* weight, double mean,
             const double* of_other, EdgeLists::Sums* sums)
        : offsets_(offsets), other_(other), weight_(weight), mean_(mean), of_other_(of_other), sums_(sums) {}

    /// Processes the lists of several vertices concurrently, so that the processor can overlap the dependent
    /// additions of one list with those of the other lists.
    template <std::size_t count>
    void run(VertexId first, VertexId last) {
        next_ = first, last_ = last;
        std::array<List, count> lists;
        bool all = true;
        for (List& list : lists) all = take(list) && all;
        while (all) {
            add_pairs(lists);
            for (List& list : lists) all = (list.pairs() > 0 || take(list)) && all;
        }
        for (List& list : lists) {
            while (take(list)) {
                std::array<List, 1> alone{list};
                add_pairs(alone);
                list = alone[0];
            }
        }
    }

private:
    struct List {
        EdgeId pairs() const { return (end - at) / 2; }
        VertexId vertex = no_vertex;
        EdgeId at = 0, end = 0;
        TwoDoubles sums{};
    };
    static constexpr VertexId no_vertex = ~VertexId{0};
    /// Prefetch distance in edges. The hardware prefetcher does not help, since there are too many concurrent
    /// lists and each is too short.
    static constexpr EdgeId edges_ahead = 1024;

    /// Adds pairs of edges of all current lists; the number of pairs is that of the list with the fewest
    /// remaining pairs.
    template <std::size_t count>
    void add_pairs(std::array<List, count>& lists) const {
        EdgeId pairs = lists[0].pairs();
        for (const List& list : lists) pairs = std::min(pairs, list.pairs());
        for (EdgeId i = 0; i < pairs; ++i) {
            for (List& list : lists) {
                const VertexId* const v = other_ + list.at;
                const float* const w = weight_ + list.at;
                const TwoDoubles x = TwoDoubles{w[0], w[1]} - mean_ -
                                     TwoDoubles{of_other_[v[0]], of_other_[v[1]]},
                                 squares = x * x;
                list.sums += TwoDoubles{x[0], squares[0]};
                list.sums += TwoDoubles{x[1], squares[1]};
                __builtin_prefetch(v + edges_ahead), __builtin_prefetch(w + edges_ahead);
                list.at += 2;
            }
        }
    }
    /// Completes a list (the edges of one vertex) that has fewer than two edges left, and replaces it by the
    /// list of the next vertex with at least two edges. Returns false if there is no such vertex.
    bool take(List& list) {
        while (list.pairs() == 0) {
            if (list.at < list.end) {
                const double x = double{weight_[list.at]} - mean_ - of_other_[other_[list.at]];
                list.sums += TwoDoubles{x, x * x};
            }
            if (list.vertex != no_vertex) sums_[list.vertex] = {list.sums[0], list.sums[1]};
            list = {};
            if (next_ == last_) return false;
            list = {next_, offsets_[next_], offsets_[next_ + 1], TwoDoubles{}};
            ++next_;
        }
        return true;
    }

    const EdgeId* offsets_;
    const VertexId* other_;
    const float* weight_;
    double mean_;
    const double* of_other_;
    EdgeLists::Sums* sums_;
    VertexId next_ = 0, last_ = 0;
};

VertexId largest(const std::vector<VertexId>& parts) {
    VertexId most = 0;
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) most = std::max(most, parts[p + 1] - parts[p]);
    return most;
}

/// Divides the parts (ranges of vertices, given by their boundaries) so that none has more than `most`
/// vertices.
std::vector<VertexId> cut(const std::vector<VertexId>& parts, EdgeId most) {
    std::vector<VertexId> cut;
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
        for (EdgeId v = parts[p]; v < parts[p + 1]; v += most) cut.push_back(static_cast<VertexId>(v));
    }
    cut.push_back(parts.back());
    return cut;
}

using FourFloats = float __attribute__((vector_size(16), aligned(4), may_alias));

float product(const float* a, const float* b, std::size_t size) {
    FourFloats sums{};
    for (std::size_t i = 0; i < size; i += 4)
        sums += *reinterpret_cast<const FourFloats*>(a + i) * *reinterpret_cast<const FourFloats*>(b + i);
    return (sums[0] + sums[2]) + (sums[1] + sums[3]);
}

}  // namespace

void EdgeLists::allocate(EdgeId edges) {
    own_other_.resize(edges), own_weight_.resize(edges);
    populate(own_other_.data(), edges * sizeof(VertexId)),
        populate(own_weight_.data(), edges * sizeof(float));
    offsets_ = own_offsets_, other_ = own_other_.data(), weight_ = own_weight_.data();
}

EdgeLists EdgeLists::rows(const SomeEdges& some) {
    const Graph& graph = some.graph;
    EdgeLists lists;
    if (some.held_out.empty() && !graph.value.empty()) {
        lists.offsets_ = graph.row_offsets, lists.other_ = graph.col.data(),
        lists.weight_ = graph.value.data();
        return lists;
    }
    const auto each_of = [&](VertexId u, auto f) {
        for (const EdgeId e : graph.edges_of(u)) {
            if (some.is_training_edge(e)) f(e);
        }
    };
    lists.own_offsets_.resize(std::size_t{graph.rows} + 1);
    EdgeId* const offsets = lists.own_offsets_.data();
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u) each_of(u, [&](EdgeId) { ++offsets[u + 1]; });
    std::partial_sum(offsets, offsets + graph.rows + 1, offsets);
    lists.allocate(offsets[graph.rows]);
#pragma omp parallel for schedule(dynamic, 256)
    for (VertexId u = 0; u < graph.rows; ++u) {
        EdgeId to = offsets[u];
        each_of(u, [&](EdgeId e) {
            lists.own_other_[to] = graph.col[e], lists.own_weight_[to++] = graph.weight(e);
        });
    }
    return lists;
}

std::vector<VertexId> EdgeLists::parts(EdgeId count) const {
    std::vector<VertexId> first(count + 1, 0);
    for (EdgeId p = 1; p < count; ++p)
        first[p] = static_cast<VertexId>(
            std::lower_bound(offsets_.begin(), offsets_.end(), edges() * p / count) - offsets_.begin());
    first[count] = vertices();
    return first;
}

EdgeLists EdgeLists::transpose_edges(VertexId vertices) const {
    EdgeLists lists;
    const EdgeId size = edges();
    lists.own_offsets_ = key_counts(size, EdgeId{vertices} + 1, [&](EdgeId e) { return other_[e]; });
    std::exclusive_scan(lists.own_offsets_.begin(), lists.own_offsets_.end(), lists.own_offsets_.begin(),
                        EdgeId{0});
    lists.allocate(size);

    // The conversion has two passes over parts (ranges of vertices) of the old and of the new lists. First,
    // the edges of each old part are distributed to the new parts; then sort_parts() sorts each new part by
    // vertex. So a thread never writes to more memory locations at a time than its caches can hold. Between
    // the passes, the 4 bytes of an edge's other endpoint contain two indices: those of both endpoints within
    // their parts. The index in the new part has at most 20 bits, so at least 12 bits are left for the index
    // in the old part, and there are few parts.
    const std::vector<VertexId> to =
        cut(lists.parts(std::clamp<EdgeId>(size >> 14, 1, 256)), EdgeId{1} << 20);
    const EdgeId count = to.size() - 1;
    const int to_bits = std::bit_width(std::max<VertexId>(largest(to), 1) - 1);
    const std::vector<VertexId> from = cut(parts(count), EdgeId{1} << (32 - to_bits));
    const EdgeId writers = from.size() - 1;
    std::vector<std::uint16_t> part(vertices);
    for (EdgeId q = 0; q < count; ++q)
        std::fill(part.begin() + to[q], part.begin() + to[q + 1], static_cast<std::uint16_t>(q));
    // ends[p x count + q]: number, later end position, of the edges from old part p to new part q
    std::vector<EdgeId> ends(writers * count);
#pragma omp parallel for schedule(dynamic)
    for (EdgeId p = 0; p < writers; ++p) {
        EdgeId* const mine = ends.data() + p * count;
        for (EdgeId e = offsets_[from[p]]; e < offsets_[from[p + 1]]; ++e) ++mine[part[other_[e]]];
    }
    EdgeId position = 0;
    for (EdgeId q = 0; q < count; ++q) {
        for (EdgeId p = 0; p < writers; ++p) position += std::exchange(ends[p * count + q], position);
    }
#pragma omp parallel for schedule(dynamic)
    for (EdgeId p = 0; p < writers; ++p) {
        EdgeId* const next = ends.data() + p * count;
        for (VertexId v = from[p]; v < from[p + 1]; ++v) {
            for (EdgeId e = offsets_[v]; e < offsets_[v + 1]; ++e) {
                const std::uint16_t q = part[other_[e]];
                const EdgeId at = next[q]++;
                lists.own_other_[at] = (v - from[p]) << to_bits | (other_[e] - to[q]);
                lists.own_weight_[at] = weight_[e];
            }
        }
    }
    lists.sort_parts(to, from, ends, to_bits);
    return lists;
}

/// Second pass of transpose_edges(): sorts the edges of each new part by vertex. Before, they are in the
/// order of the old lists.
void EdgeLists::sort_parts(const std::vector<VertexId>& to, const std::vector<VertexId>& from,
                           const std::vector<EdgeId>& ends, int to_bits) {
    const EdgeId count = to.size() - 1, writers = from.size() - 1;
    EdgeId most = 0;
    for (EdgeId q = 0; q < count; ++q) most = std::max(most, offsets_[to[q + 1]] - offsets_[to[q]]);
    Array<VertexId> others(most * static_cast<EdgeId>(omp_get_max_threads()));
    Array<float> weights(others.size());
    std::vector<EdgeId> next(offsets_.begin(), offsets_.end());
#pragma omp parallel for schedule(dynamic)
    for (EdgeId q = 0; q < count; ++q) {
        const EdgeId begin = offsets_[to[q]], end = offsets_[to[q + 1]];
        VertexId* const other = others.data() + most * static_cast<EdgeId>(omp_get_thread_num());
        float* const weight = weights.data() + most * static_cast<EdgeId>(omp_get_thread_num());
        EdgeId i = begin;
        for (EdgeId p = 0; p < writers; ++p) {
            for (; i < ends[p * count + q]; ++i) {
                const VertexId v = own_other_[i] & ((VertexId{1} << to_bits) - 1);
                const EdgeId at = next[to[q] + v]++ - begin;
                other[at] = from[p] + (own_other_[i] >> to_bits), weight[at] = own_weight_[i];
            }
        }
        std::copy_n(other, end - begin, own_other_.begin() + static_cast<std::ptrdiff_t>(begin));
        std::copy_n(weight, end - begin, own_weight_.begin() + static_cast<std::ptrdiff_t>(begin));
    }
}

void EdgeLists::subtract_predictions(std::span<const float> own, std::span<const float> other,
                                     std::size_t stride) {
    constexpr EdgeId ahead = 8;
    if (left_.size() < edges()) left_.resize(edges()), populate(left_.data(), 4 * edges());
#pragma omp parallel for schedule(dynamic, 64)
    for (VertexId v = 0; v < vertices(); ++v) {
        for (EdgeId e = offsets_[v]; e < offsets_[v + 1]; ++e) {
            if (e + ahead < edges()) __builtin_prefetch(other.data() + other_[e + ahead] * stride);
            left_[e] =
                weight_[e] - product(own.data() + v * stride, other.data() + other_[e] * stride, stride);
        }
    }
}

void EdgeLists::add_up(double mean, std::span<const double> other, std::span<Sums> sums) const {
    const std::vector<VertexId> part = parts(std::clamp<EdgeId>(edges() >> 16, 1, 1024));
    const std::size_t count = part.size() - 1;
    const bool many_edges = edges() >= 16 * EdgeId{vertices()};
    const ListWalk walk(offsets_.data(), other_, left_.empty() ? weight_ : left_.data(), mean, other.data(),
                        sums.data());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t p = 0; p < count; ++p) {
        ListWalk mine = walk;
        if (many_edges)
            mine.run<2>(part[p], part[p + 1]);
        else
            mine.run<1>(part[p], part[p + 1]);
    }
}

}  // namespace lockstep::sgd
