// Construction of the CSR graph from triples in input order. A radix partition distributes the triples to at
// most 512 buckets of consecutive rows; then each thread sorts whole buckets with counting sorts. Finally
// repeated pairs are merged or refused, and the input order is stored.
#include <algorithm>
#include <bit>
#include <numeric>
#include <span>
#include <type_traits>

#include "lockstep/schedules/graph.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

/// An empty type for Record::index if the input order is not needed.
struct NoIndex {
    explicit NoIndex(EdgeId) {}
    NoIndex() = default;
};

/// A triple during sorting. `pair` combines the row within its bucket (high bits) and the column (low bits).
/// `index` is the position in the input.
#pragma pack(push, 4)  // avoids padding of records with a 64-bit pair
template <class Pair, class Index>
struct Record {
    Pair pair;
    float value;
    [[no_unique_address]] Index index;
};
#pragma pack(pop)

/// The division of the rows into buckets of 2^shift rows. There are at most 512 buckets, since writing to
/// more than about 600 output streams halves the speed of a partition, and at most one per 2^15 edges, since
/// smaller buckets are not faster.
struct Buckets {
    Buckets(VertexId rows, VertexId cols, EdgeId edges)
        : cols_bits(static_cast<int>(std::bit_width(cols - 1))) {
        const EdgeId most = std::clamp<EdgeId>(edges >> 15, 1, 512);
        while (((EdgeId{rows} - 1) >> shift) + 1 > most) ++shift;
        count = ((EdgeId{rows} - 1) >> shift) + 1;
    }
    int cols_bits;
    int shift = 0;
    EdgeId count = 0;
};

/// Sorts one bucket by (row, column). It runs three passes of a stable counting sort: by the low digit of the
/// column, by its high digit, and by the row. Equal pairs therefore keep the input order. One pass over the
/// records counts all three digits.
template <class R>
class BucketSorter {
public:
    explicit BucketSorter(const Buckets& buckets)
        : cols_bits_(buckets.cols_bits), low_bits_(buckets.cols_bits / 2) {}

    /// Returns the sorted records, which are valid until the next call. row_ends[i] receives the number of
    /// records in the first i + 1 rows of the bucket.
    std::span<const R> sort(const R* records, EdgeId size, std::span<EdgeId> row_ends) {
        const int cols_bits = cols_bits_, low_bits = low_bits_;
        const EdgeId low_keys = EdgeId{1} << low_bits, high_keys = EdgeId{1} << (cols_bits - low_bits);
        const auto low_of = [=](const R& r) { return r.pair & (low_keys - 1); };
        const auto high_of = [=](const R& r) { return r.pair >> low_bits & (high_keys - 1); };
        const auto row_of = [=](const R& r) { return r.pair >> cols_bits; };
        EdgeId* const low = cleared(low_, low_keys);
        EdgeId* const high = cleared(high_, high_keys);
        EdgeId* const row = cleared(row_, row_ends.size());
        for (EdgeId i = 0; i < size; ++i) {
            ++low[low_of(records[i])];
            ++high[high_of(records[i])];
            ++row[row_of(records[i])];
        }
        for (auto* counts : {&low_, &high_, &row_})
            std::exclusive_scan(counts->begin(), counts->end(), counts->begin(), EdgeId{0});

        // The scratch buffers are reused for every bucket, so they stay in the cache.
        if (scratch_.size() < 2 * size) scratch_.resize(2 * size);
        R* const one = scratch_.data();
        R* const other = one + size;
        for (EdgeId i = 0; i < size; ++i) one[low[low_of(records[i])]++] = records[i];
        for (EdgeId i = 0; i < size; ++i) other[high[high_of(one[i])]++] = one[i];
        for (EdgeId i = 0; i < size; ++i) one[row[row_of(other[i])]++] = other[i];
        std::copy(row_.begin(), row_.end(), row_ends.begin());
        return {one, size};
    }

private:
    static EdgeId* cleared(std::vector<EdgeId>& counts, EdgeId keys) {
        counts.assign(keys, 0);
        return counts.data();
    }

    int cols_bits_, low_bits_;
    std::vector<EdgeId> low_, high_, row_;
    Array<R> scratch_;
};

/// Throws Error with the first triple that lies outside the matrix.
[[noreturn]] void refuse_outside(const std::vector<Triple>& triples, VertexId rows, VertexId cols) {
    const auto outside = std::find_if(triples.begin(), triples.end(),
                                      [&](const Triple& t) { return t.row >= rows || t.col >= cols; });
    throw Error(Failure::bad_input, "edge (" + std::to_string(outside->row) + ", " +
                                        std::to_string(outside->col) + ") is outside the " +
                                        std::to_string(rows) + " x " + std::to_string(cols) + " matrix");
}

/// Sorts the triples into the CSR arrays of `graph`. place[e] receives the input position of edge e, unless
/// Index is NoIndex. Frees the triples. Returns rows + 1 prefix sums of the numbers of repeated edges
/// (occurrences of a pair after its first one): row u has repeats[u + 1] - repeats[u] of them.
template <class Pair, class Index>
std::vector<EdgeId> sort_triples(Graph& graph, std::vector<Triple>& triples, bool weighted,
                                 const Buckets& buckets, Array<Index>& place) {
    using R = Record<Pair, Index>;
    constexpr bool indexed = !std::is_same_v<Index, NoIndex>;
    const EdgeId size = triples.size();
    // The additional key buckets.count counts the triples outside the matrix.
    std::vector<std::vector<EdgeId>> counts = share_counts(
        size, buckets.count + 1, radix_threads(size, buckets.count), [&, outside = buckets.count](EdgeId i) {
            const bool inside = triples[i].row < graph.rows && triples[i].col < graph.cols;
            return inside ? triples[i].row >> buckets.shift : outside;
        });
    for (const std::vector<EdgeId>& of_share : counts) {
        if (of_share.back() > 0) refuse_outside(triples, graph.rows, graph.cols);
    }
    Array<R> records(size);
    const std::vector<EdgeId> offsets = radix_scatter(
        size, counts, [&](EdgeId i) { return triples[i].row >> buckets.shift; },
        [&](EdgeId i) {
            const Pair row = triples[i].row & ((Pair{1} << buckets.shift) - 1);
            return R{row << buckets.cols_bits | triples[i].col, triples[i].value, static_cast<Index>(i)};
        },
        records.data());
    std::vector<Triple>().swap(triples);

    graph.col.resize(size);
    if (weighted) graph.value.resize(size);
    if (indexed) place.resize(size);
    std::vector<EdgeId> repeats(graph.row_offsets.size(), 0);
    ParallelErrors errors;
#pragma omp parallel
    {
        BucketSorter<R> sorter(buckets);
#pragma omp for schedule(dynamic)
        for (EdgeId b = 0; b < buckets.count; ++b) {
            const EdgeId first_row = b << buckets.shift, first = offsets[b];
            const EdgeId rows = std::min(graph.rows - first_row, EdgeId{1} << buckets.shift);
            const std::span<EdgeId> row_ends(graph.row_offsets.data() + first_row + 1, rows);
            const Pair col_mask = static_cast<Pair>((EdgeId{1} << buckets.cols_bits) - 1);
            VertexId* const col = graph.col.data() + first;
            float* const value = weighted ? graph.value.data() + first : nullptr;
            Index* const index = place.data() + first;
            std::span<const R> sorted;
            errors.run(
                [&] { sorted = sorter.sort(records.data() + first, offsets[b + 1] - first, row_ends); });
            if (errors.failed()) continue;
            for (EdgeId i = 0; i < sorted.size(); ++i) {
                col[i] = static_cast<VertexId>(sorted[i].pair & col_mask);
                if (value) value[i] = sorted[i].value;
                if constexpr (indexed) index[i] = sorted[i].index;
            }
            for (EdgeId e = first, row = 0; row < rows; ++row) {
                row_ends[row] += first;
                EdgeId& found = repeats[first_row + row + 1];
                // No column has this ID, since there are fewer than 2^32 - 1 columns.
                VertexId before = ~VertexId{0};
                for (; e < row_ends[row]; before = graph.col[e++]) found += graph.col[e] == before;
            }
        }
    }
    errors.rethrow();
    std::partial_sum(repeats.begin(), repeats.end(), repeats.begin());
    return repeats;
}

/// Returns the weight of the edge that replaces several equal pairs, whose weights are [first, last) in input
/// order.
float merged_value(const float* first, const float* last, RepeatPolicy policy) {
    if (policy == RepeatPolicy::first) return *first;
    if (policy == RepeatPolicy::last) return last[-1];
    const double sum = std::accumulate(first, last, 0.0);
    return static_cast<float>(policy == RepeatPolicy::sum ? sum : sum / static_cast<double>(last - first));
}

/// Throws Error with the first pair that is repeated.
[[noreturn]] void refuse_repeats(const Graph& graph, const std::vector<EdgeId>& repeats) {
    const auto u = std::upper_bound(repeats.begin(), repeats.end(), EdgeId{0}) - repeats.begin() - 1;
    EdgeId e = graph.row_offsets[u];
    while (graph.col[e] != graph.col[e + 1]) ++e;
    throw Error(Failure::bad_input, "the pair (" + std::to_string(u) + ", " + std::to_string(graph.col[e]) +
                                        ") occurs more than once, but repeated pairs are refused");
}

/// Replaces equal pairs by one edge, whose input position is that of their first occurrence.
template <class Index>
void merge_repeats(Graph& graph, const std::vector<EdgeId>& repeats, RepeatPolicy policy,
                   Array<Index>& place) {
    const EdgeId edges = graph.edges() - repeats.back();
    Array<VertexId> col(edges);
    Array<float> value(graph.value.empty() ? 0 : edges);
    Array<Index> first_place(place.empty() ? 0 : edges);
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u) {
        EdgeId target = graph.row_offsets[u] - repeats[u];
        const EdgeId end = graph.row_offsets[u + 1];
        for (EdgeId run = graph.row_offsets[u], next; run < end; run = next, ++target) {
            for (next = run + 1; next < end && graph.col[next] == graph.col[run];) ++next;
            col[target] = graph.col[run];
            if (!value.empty())
                value[target] = merged_value(graph.value.data() + run, graph.value.data() + next, policy);
            if (!first_place.empty()) first_place[target] = place[run];
        }
    }
    for (std::size_t u = 0; u < repeats.size(); ++u) graph.row_offsets[u] -= repeats[u];
    graph.col.swap(col);
    graph.value.swap(value);
    place.swap(first_place);
}

/// Fills graph.input_order from the input positions of the edges: place[e] < input_size, all distinct. Leaves
/// it empty if the edges are in input order. The writes are first grouped by position into buckets, because
/// random writes to an array of gigabytes take several times as long.
template <class Index>
void set_input_order(Graph& graph, Array<Index>& place, EdgeId input_size) {
    const EdgeId edges = graph.edges();
    if (std::is_sorted(place.begin(), place.end())) return;
    struct Move {
        Index place, edge;
    };
    const int shift = std::max(12, static_cast<int>(std::bit_width(input_size - 1)) - 9);
    Array<Move> moves(edges);
    const std::vector<EdgeId> offsets = radix_partition(
        edges, ((input_size - 1) >> shift) + 1, [&](EdgeId e) { return place[e] >> shift; },
        [&](EdgeId e) {
            return Move{place[e], static_cast<Index>(e)};
        },
        moves.data());
    Array<Index>().swap(place);

    Array<EdgeId>& order = graph.input_order;
    constexpr EdgeId none = ~EdgeId{0};
    order.resize(input_size);
#pragma omp parallel for schedule(dynamic)
    for (EdgeId b = 0; b < offsets.size() - 1; ++b) {
        const EdgeId first = b << shift, size = std::min(input_size - first, EdgeId{1} << shift);
        if (offsets[b + 1] - offsets[b] < size) std::fill_n(order.data() + first, size, none);
        for (EdgeId i = offsets[b]; i < offsets[b + 1]; ++i) order[moves[i].place] = moves[i].edge;
    }
    // Merging repeated pairs leaves gaps in the input order.
    if (edges != input_size) std::erase(order, none);
}

/// Builds the arrays of the graph. `*found` receives the number of repeated edges.
template <class Pair, class Index>
void fill(Graph& graph, std::vector<Triple>& triples, const GraphOptions& options, const Buckets& buckets,
          EdgeId* found) {
    const EdgeId size = triples.size();
    Array<Index> place;
    const std::vector<EdgeId> repeats =
        sort_triples<Pair, Index>(graph, triples, options.weighted, buckets, place);
    if (found) *found = repeats.back();
    if (repeats.back() > 0) {
        if (options.repeats == RepeatPolicy::refuse) refuse_repeats(graph, repeats);
        if (options.repeats != RepeatPolicy::keep) merge_repeats(graph, repeats, options.repeats, place);
    }
    if constexpr (!std::is_same_v<Index, NoIndex>) set_input_order(graph, place, size);
}

}  // namespace

Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, const GraphOptions& options,
                  EdgeId* repeats) {
    Graph graph;
    graph.rows = rows;
    graph.cols = cols;
    graph.shape = options.shape;
    graph.ends = options.ends;
    graph.directed = options.directed;
    graph.row_offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
    if (repeats) *repeats = 0;
    if (triples.empty()) return graph;
    if (rows == 0 || cols == 0) refuse_outside(triples, rows, cols);

    const Buckets buckets(rows, cols, triples.size());
    const bool small_pairs = buckets.shift + buckets.cols_bits < 32;
    const bool small_index = triples.size() < (EdgeId{1} << 32);
    const auto fill_with = [&]<class Pair>(Pair) {
        if (!options.input_order) return fill<Pair, NoIndex>(graph, triples, options, buckets, repeats);
        if (small_index) return fill<Pair, std::uint32_t>(graph, triples, options, buckets, repeats);
        fill<Pair, EdgeId>(graph, triples, options, buckets, repeats);
    };
    small_pairs ? fill_with(std::uint32_t{}) : fill_with(EdgeId{});
    return graph;
}

}  // namespace lockstep
