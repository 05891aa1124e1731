// Schedules of traversals of skewed graphs: the vertices numbered by decreasing degree, and the arcs listed
// by their source in that numbering, those first that most probably settle it.
//
// On square graphs a vertex has one number on both sides, by the sum of both degrees; equal degrees keep the
// given order, so that vertices without arcs come last. Sources and targets of other graphs are numbered
// apart. A list holds its targets ascending, best-connected first (hubs: in breadth-first search the first
// probe of a vertex mostly succeeds), or ascending by (weight, target) (hubs-weight: for shortest paths,
// where a list is left as soon as its arcs are too heavy to improve anything). Repeated arcs keep their
// order.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/parallel_errors.hpp"
#include "shuffle.hpp"

namespace lockstep {

namespace {

/// Weights as whole numbers in the same order.
std::uint32_t ordered(float weight) {
    const auto bits = std::bit_cast<std::uint32_t>(weight == 0 ? 0.0F : weight);  // -0 is 0
    return bits >> 31 ? ~bits : bits | 1U << 31;
}

/// Sorts one list after another, stably.
template <class Key>
class ListSort {
public:
    /// Writes first, …, first + size - 1 to `out`, ascending by key(edge). O(size).
    template <class KeyOf>
    void operator()(EdgeId first, EdgeId size, KeyOf key, EdgeId* out) {
        constexpr EdgeId few = 32, many = 4096;
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

    /// Radix passes from the low digits up, without those that are equal everywhere.
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

/// `key_of(edge, its target's number)`, a Key, orders the lists.
template <class Key, class KeyOf>
Schedule build(const char* name, const Graph& graph, KeyOf key_of) {
    Schedule schedule;
    schedule.name = name;
    std::vector<EdgeId> out = row_degrees(graph);
    if (graph.shape == GraphShape::square) {
        if (graph.directed) {  // otherwise a vertex has as many arcs in as out
            const std::vector<EdgeId> in = col_degrees(graph);
            for (VertexId v = 0; v < graph.rows; ++v) out[v] += in[v];
        }
        schedule.row_order = schedule.col_order = by_decreasing_degree(out);
    } else {
        schedule.row_order = by_decreasing_degree(out);
        schedule.col_order = by_decreasing_degree(col_degrees(graph));
    }
    std::vector<VertexId> number(graph.cols);
    for (VertexId p = 0; p < graph.cols; ++p) number[schedule.col_order[p]] = p;
    std::vector<EdgeId> lists(std::size_t{graph.rows} + 1, 0);
    for (VertexId p = 0; p < graph.rows; ++p) {
        const VertexId u = schedule.row_order[p];
        lists[p + 1] = lists[p] + graph.row_offsets[u + 1] - graph.row_offsets[u];
    }
    schedule.order.resize(graph.edges());
    ParallelErrors errors;
#pragma omp parallel
    {
        ListSort<Key> sort;
#pragma omp for schedule(dynamic, 64)
        for (VertexId p = 0; p < graph.rows; ++p) {
            errors.run([&] {
                sort(
                    graph.row_offsets[schedule.row_order[p]], lists[p + 1] - lists[p],
                    [&](EdgeId e) -> Key { return key_of(e, number[graph.col[e]]); },
                    schedule.order.data() + lists[p]);
            });
        }
    }
    errors.rethrow();
    return schedule;
}

}  // namespace

Schedule build_hubs(const Graph& graph, const BuildOptions&) {
    return build<VertexId>("hubs", graph, [](EdgeId, VertexId target) { return target; });
}

Schedule build_hubs_weight(const Graph& graph, const BuildOptions&) {
    return build<std::uint64_t>("hubs-weight", graph, [&](EdgeId e, VertexId target) {
        return std::uint64_t{ordered(graph.weight(e))} << 32 | target;
    });
}

}  // namespace lockstep
