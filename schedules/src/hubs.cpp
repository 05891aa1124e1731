// The hubs and hubs-weight schedules, for traversals of skewed graphs. The vertices are ordered by decreasing
// degree, and the arcs are grouped by their source in this order. Within the arcs of a source, the arc that
// most probably determines the value of the source comes first, so that a scan of the arcs can stop early.
//
// In a square graph, rows and columns have the same order, by the sum of in- and out-degree. In a bipartite
// graph, they are ordered separately. Vertices of equal degree keep the order of their IDs. In hubs, the arcs
// of a source are sorted by the position of their target, i.e. targets of large degree come first; in
// breadth-first search, the first arc that is tried is mostly sufficient. In hubs-weight, for shortest paths,
// the arcs are sorted by weight, then by the position of the target; a scan ends as soon as the remaining
// arcs are too heavy to improve anything. Repeated arcs keep their order.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <utility>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// Maps a weight to an integer such that the integers have the same order as the weights.
std::uint32_t ordered(float weight) {
    // Maps -0 to 0, which is an equal weight.
    const auto bits = std::bit_cast<std::uint32_t>(weight == 0 ? 0.0F : weight);
    return bits >> 31 ? ~bits : bits | 1U << 31;
}

/// Returns whether all weights are integers from 0 to 255.
bool weights_are_bytes(const Graph& graph) {
    bool bytes = true;
#pragma omp parallel for schedule(static) reduction(&& : bytes)
    for (std::size_t e = 0; e < graph.value.size(); ++e) {
        const float w = graph.value[e];
        bytes = bytes && w >= 0 && w < 256 && w == static_cast<float>(static_cast<std::uint32_t>(w));
    }
    return bytes;
}

/// A stable sort of the arcs of one vertex at a time, with reused buffers: an insertion sort for at most 32
/// arcs, otherwise a radix sort.
template <class Key>
class ListSort {
public:
    /// Writes the arc IDs first, …, first + size - 1 to `out`, in ascending order of key(arc ID). O(size).
    template <class KeyOf>
    void operator()(EdgeId first, EdgeId size, KeyOf key, EdgeId* out) {
        constexpr EdgeId few = 32, many = 1024;
        records_.resize(size);
        const auto n = checked_cast<std::uint32_t>(size, "the number of arcs of one vertex");
        for (std::uint32_t i = 0; i < n; ++i) records_[i] = {key(first + i), i};
        if (size <= few)
            insert();
        else if (size <= many)
            partition<8>();
        else
            partition<11>();
        for (std::uint32_t i = 0; i < n; ++i) out[i] = first + records_[i].index;
    }

private:
    struct Record {
        Key key;
        std::uint32_t index;
    };

    void insert() {
        for (std::size_t i = 1; i < records_.size(); ++i) {
            const Record moved = records_[i];
            std::size_t to = i;
            for (; to > 0 && moved.key < records_[to - 1].key; --to) records_[to] = records_[to - 1];
            records_[to] = moved;
        }
    }

    /// Runs the passes of a radix sort, from the lowest digit up. Skips digits that are equal in all keys.
    template <int digit>
    void partition() {
        constexpr int bits = std::numeric_limits<Key>::digits;
        constexpr Key mask = (Key{1} << digit) - 1;
        Key differing = 0;
        for (const Record& r : records_) differing |= r.key ^ records_[0].key;
        spare_.resize(records_.size());
        for (int shift = std::countr_zero(differing); shift < bits; shift += digit) {
            if (!(differing >> shift & mask)) continue;
            std::array<std::uint32_t, mask + 1> next{};
            for (const Record& r : records_) ++next[r.key >> shift & mask];
            std::uint32_t position = 0;
            for (std::uint32_t& of_key : next) position += std::exchange(of_key, position);
            for (const Record& r : records_) spare_[next[r.key >> shift & mask]++] = r;
            records_.swap(spare_);
        }
    }

    Array<Record> records_, spare_;
};

/// Returns the position of each vertex in `order`.
std::vector<VertexId> places(const std::vector<VertexId>& order) {
    std::vector<VertexId> place(order.size());
#pragma omp parallel for schedule(static)
    for (VertexId p = 0; p < order.size(); ++p) place[order[p]] = p;
    return place;
}

/// Builds the schedule. key_of(edge, position of the edge's target) returns the Key by which the arcs of a
/// source are sorted.
template <class Key, class KeyOf>
Schedule build(const char* name, const Graph& graph, KeyOf key_of) {
    Schedule schedule;
    schedule.name = name;
    std::vector<EdgeId> out = row_degrees(graph);
    if (graph.shape == GraphShape::square) {
        // In an undirected graph, in- and out-degrees are equal, so adding them does not change the order.
        if (graph.directed) {
            const std::vector<EdgeId> in = col_degrees(graph);
            for (VertexId v = 0; v < graph.rows; ++v) out[v] += in[v];
        }
        schedule.row_order = schedule.col_order = by_decreasing_degree(out);
    } else {
        schedule.row_order = by_decreasing_degree(out);
        schedule.col_order = by_decreasing_degree(col_degrees(graph));
    }
    const std::vector<VertexId> target = places(schedule.col_order),
                                source =
                                    graph.shape == GraphShape::square ? target : places(schedule.row_order);
    std::vector<EdgeId> lists(std::size_t{graph.rows} + 1, 0);
#pragma omp parallel for schedule(static)
    for (VertexId u = 0; u < graph.rows; ++u)
        lists[source[u] + std::size_t{1}] = graph.row_offsets[u + std::size_t{1}] - graph.row_offsets[u];
    std::partial_sum(lists.begin(), lists.end(), lists.begin());
    schedule.order.resize(graph.edges());
    ParallelErrors errors;
#pragma omp parallel
    {
        ListSort<Key> sort;
#pragma omp for schedule(dynamic, 64)
        for (VertexId u = 0; u < graph.rows; ++u) {  // this order reads `graph.col` sequentially
            const EdgeId first = graph.row_offsets[u], to = lists[source[u]];
            errors.run([&] {
                sort(
                    first, graph.row_offsets[u + std::size_t{1}] - first,
                    [&](EdgeId e) -> Key { return key_of(e, target[graph.col[e]]); },
                    schedule.order.data() + to);
            });
        }
    }
    errors.rethrow();
    return schedule;
}

}  // namespace

Schedule build_hubs(const Graph& graph) {
    return build<VertexId>("hubs", graph, [](EdgeId, VertexId target) { return target; });
}

Schedule build_hubs_weight(const Graph& graph) {
    // The weight and the position of the target fit in 32 bits together. This halves the time of the sort.
    if (graph.cols <= VertexId{1} << 24 && weights_are_bytes(graph)) {
        return build<std::uint32_t>("hubs-weight", graph, [&](EdgeId e, VertexId target) {
            return static_cast<std::uint32_t>(graph.weight(e)) << 24 | target;
        });
    }
    return build<std::uint64_t>("hubs-weight", graph, [&](EdgeId e, VertexId target) {
        return std::uint64_t{ordered(graph.weight(e))} << 32 | target;
    });
}

}  // namespace lockstep
