#include "lockstep/schedules/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <type_traits>

#include "grouping.hpp"

namespace lockstep {

namespace {

struct NoIndex {
    explicit NoIndex(EdgeId) {}
    NoIndex() = default;
};

/// A triple on its way to the CSR order: `pair` is (row in its bucket, column) in one number, the column
/// in the low bits; `index` the place in the input, where that is asked for.
template <class Pair, class Index>
struct Record {
    Pair pair;
    float value;
    [[no_unique_address]] Index index;
};

/// Buckets of 2^shift whole rows. A partition slows down to half when it feeds more than about 600
/// streams at once; below 2^15 records a bucket there is nothing to win.
struct Buckets {
    Buckets(VertexId rows, VertexId cols, EdgeId edges) : cols_bits(static_cast<int>(std::bit_width(cols - 1))) {
        const EdgeId most = std::clamp<EdgeId>(edges >> 15, 1, 512);
        while (((EdgeId{rows} - 1) >> shift) + 1 > most) ++shift;
        count = ((EdgeId{rows} - 1) >> shift) + 1;
    }
    int cols_bits;
    int shift = 0;
    EdgeId count = 0;
};

/// Counting sort of one bucket by (row, column), least significant digit first: stable, so that equal
/// pairs keep the order of the input. The last pass, by row, hands the records to `place(position, record)`.
template <class R>
class BucketSorter {
public:
    BucketSorter(const Buckets& buckets) : buckets_(buckets) {}

    /// `row_ends[i]` becomes the number of records of the rows up to the i-th of the bucket.
    template <class Place>
    void sort(R* records, EdgeId size, std::span<EdgeId> row_ends, Place place) {
        if (scratch_.size() < size) scratch_.resize(size);
        R *source = records, *target = scratch_.data();
        const int passes = (buckets_.cols_bits + digit_bits - 1) / digit_bits;
        for (int p = 0, shift = 0; p < passes; ++p) {
            const int bits = (buckets_.cols_bits - shift) / (passes - p);
            const auto digit = [=](const R& r) { return r.pair >> shift & ((1U << bits) - 1); };
            count(source, size, EdgeId{1} << bits, digit);
            for (EdgeId i = 0; i < size; ++i) target[next_[digit(source[i])]++] = source[i];
            std::swap(source, target);
            shift += bits;
        }
        const auto row = [this](const R& r) { return r.pair >> buckets_.cols_bits; };
        count(source, size, row_ends.size(), row);
        for (EdgeId i = 0; i < size; ++i) place(next_[row(source[i])]++, source[i]);
        std::copy_n(next_.begin(), row_ends.size(), row_ends.begin());
    }

private:
    static constexpr int digit_bits = 11;

    template <class Key>
    void count(const R* source, EdgeId size, EdgeId keys, Key key) {
        next_.assign(keys + 1, 0);
        for (EdgeId i = 0; i < size; ++i) ++next_[key(source[i]) + 1];
        std::partial_sum(next_.begin(), next_.end(), next_.begin());
    }

    const Buckets& buckets_;
    Array<R> scratch_;
    std::vector<EdgeId> next_;
};

/// Moves the triples into the CSR arrays of `graph`; `place[e]` becomes the input place of edge e
/// (unless Index is NoIndex).
template <class Pair, class Index>
void sort_triples(Graph& graph, std::vector<Triple>& triples, bool weighted, const Buckets& buckets,
                  Array<Index>& place) {
    using R = Record<Pair, Index>;
    constexpr bool indexed = !std::is_same_v<Index, NoIndex>;
    const EdgeId size = triples.size();
    Array<R> records(size);
    const std::vector<EdgeId> offsets = radix_partition(
        size, buckets.count, [&](EdgeId i) { return triples[i].row >> buckets.shift; },
        [&](EdgeId i) {
            const Pair row = triples[i].row & ((Pair{1} << buckets.shift) - 1);
            return R{row << buckets.cols_bits | triples[i].col, triples[i].value, static_cast<Index>(i)};
        },
        records.data());
    std::vector<Triple>().swap(triples);

    graph.col.resize(size);
    if (weighted) graph.value.resize(size);
    if (indexed) place.resize(size);
#pragma omp parallel
    {
        BucketSorter<R> sorter(buckets);
#pragma omp for schedule(dynamic)
        for (EdgeId b = 0; b < buckets.count; ++b) {
            const EdgeId first_row = b << buckets.shift, first = offsets[b];
            const EdgeId rows = std::min(graph.rows - first_row, EdgeId{1} << buckets.shift);
            const std::span<EdgeId> row_ends(graph.row_offsets.data() + first_row + 1, rows);
            const Pair col_mask = static_cast<Pair>((EdgeId{1} << buckets.cols_bits) - 1);
            sorter.sort(records.data() + first, offsets[b + 1] - first, row_ends, [&](EdgeId i, const R& r) {
                graph.col[first + i] = static_cast<VertexId>(r.pair & col_mask);
                if (weighted) graph.value[first + i] = r.value;
                if constexpr (indexed) place[first + i] = r.index;
            });
            for (EdgeId& end : row_ends) end += first;
        }
    }
}

/// Weight of a run of repeats in input order.
float merged_value(const float* first, const float* last, RepeatPolicy policy) {
    if (policy == RepeatPolicy::first) return *first;
    if (policy == RepeatPolicy::last) return last[-1];
    const double sum = std::accumulate(first, last, 0.0);
    return static_cast<float>(policy == RepeatPolicy::sum ? sum : sum / static_cast<double>(last - first));
}

/// Occurrences beyond the first of every row's pairs, summed up: extra[u + 1] - extra[u] are those of row u.
std::vector<EdgeId> count_repeats(const Graph& graph) {
    std::vector<EdgeId> extra(graph.row_offsets.size(), 0);
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u) {
        for (EdgeId e = graph.row_offsets[u] + 1; e < graph.row_offsets[u + 1]; ++e)
            extra[u + 1] += graph.col[e] == graph.col[e - 1];
    }
    std::partial_sum(extra.begin(), extra.end(), extra.begin());
    return extra;
}

[[noreturn]] void refuse_repeats(const Graph& graph, const std::vector<EdgeId>& extra) {
    const auto u = std::upper_bound(extra.begin(), extra.end(), EdgeId{0}) - extra.begin() - 1;
    EdgeId e = graph.row_offsets[u];
    while (graph.col[e] != graph.col[e + 1]) ++e;
    throw Error(Failure::bad_input, "the pair (" + std::to_string(u) + ", " + std::to_string(graph.col[e]) +
                                        ") occurs more than once, but repeated pairs are refused");
}

/// Makes one edge of every run of repeats. The edge takes the input place of the first.
template <class Index>
void merge_repeats(Graph& graph, const std::vector<EdgeId>& extra, RepeatPolicy policy, Array<Index>& place) {
    const EdgeId edges = graph.edges() - extra.back();
    Array<VertexId> col(edges);
    Array<float> value(graph.value.empty() ? 0 : edges);
    Array<Index> first_place(place.empty() ? 0 : edges);
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u) {
        EdgeId target = graph.row_offsets[u] - extra[u];
        const EdgeId end = graph.row_offsets[u + 1];
        for (EdgeId run = graph.row_offsets[u], next; run < end; run = next, ++target) {
            for (next = run + 1; next < end && graph.col[next] == graph.col[run];) ++next;
            col[target] = graph.col[run];
            if (!value.empty())
                value[target] = merged_value(graph.value.data() + run, graph.value.data() + next, policy);
            if (!first_place.empty()) first_place[target] = place[run];
        }
    }
    for (std::size_t u = 0; u < extra.size(); ++u) graph.row_offsets[u] -= extra[u];
    graph.col.swap(col);
    graph.value.swap(value);
    place.swap(first_place);
}

/// Fills input_order from the input places of the edges (`place[e]` < input_size, distinct), or leaves
/// it empty when the edges are in input order. Places go through buckets of neighbouring ones: writing
/// to gigabytes at random costs several times as much.
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
    if (edges != input_size) std::erase(order, none);  // merged repeats leave gaps
}

template <class Pair, class Index>
void fill(Graph& graph, std::vector<Triple>& triples, const GraphOptions& options, const Buckets& buckets,
          EdgeId* repeats) {
    const EdgeId size = triples.size();
    Array<Index> place;
    sort_triples<Pair, Index>(graph, triples, options.weighted, buckets, place);
    const std::vector<EdgeId> extra = count_repeats(graph);
    if (repeats) *repeats = extra.back();
    if (extra.back() > 0) {
        if (options.repeats == RepeatPolicy::refuse) refuse_repeats(graph, extra);
        if (options.repeats != RepeatPolicy::keep) merge_repeats(graph, extra, options.repeats, place);
    }
    if constexpr (!std::is_same_v<Index, NoIndex>) set_input_order(graph, place, size);
}

void check_range(const std::vector<Triple>& triples, VertexId rows, VertexId cols) {
    VertexId last_row = 0, last_col = 0;
#pragma omp parallel for reduction(max : last_row, last_col)
    for (EdgeId i = 0; i < triples.size(); ++i) {
        last_row = std::max(last_row, triples[i].row);
        last_col = std::max(last_col, triples[i].col);
    }
    if (triples.empty() || (last_row < rows && last_col < cols)) return;
    const auto outside = std::find_if(triples.begin(), triples.end(),
                                      [&](const Triple& t) { return t.row >= rows || t.col >= cols; });
    throw Error(Failure::bad_input, "edge (" + std::to_string(outside->row) + ", " +
                                        std::to_string(outside->col) + ") lies outside the " +
                                        std::to_string(rows) + " x " + std::to_string(cols) + " matrix");
}

}  // namespace

Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, const GraphOptions& options,
                  EdgeId* repeats) {
    check_range(triples, rows, cols);
    Graph graph;
    graph.rows = rows;
    graph.cols = cols;
    graph.shape = options.shape;
    graph.directed = options.directed;
    graph.row_offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
    if (repeats) *repeats = 0;
    if (triples.empty()) return graph;

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

void validate(const Graph& graph) {
    const auto refuse = [](const std::string& what) {
        throw Error(Failure::bad_input, "invalid graph: " + what);
    };
    if (graph.rows > max_vertices || graph.cols > max_vertices) refuse("too many vertices");
    if (graph.shape == GraphShape::square && graph.rows != graph.cols)
        refuse("square, but rows and columns differ");
    if (graph.row_offsets.size() != static_cast<std::size_t>(graph.rows) + 1)
        refuse("row offsets do not fit the rows");
    if (graph.row_offsets.front() != 0 || graph.row_offsets.back() != graph.edges())
        refuse("row offsets do not cover the edges");
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId first = graph.row_offsets[u], last = graph.row_offsets[u + 1];
        if (last < first || last > graph.edges()) refuse("row offsets are not monotone at row " + std::to_string(u));
        for (EdgeId e = first; e < last; ++e) {
            if (graph.col[e] >= graph.cols) refuse("column out of range at edge " + std::to_string(e));
            if (e > first && graph.col[e] < graph.col[e - 1])
                refuse("columns not ascending in row " + std::to_string(u));
        }
    }
    if (!graph.value.empty() && graph.value.size() != graph.edges()) refuse("one value an edge expected");
    for (const float v : graph.value) {
        if (!std::isfinite(v)) refuse("a weight is not finite");
    }
    if (!graph.input_order.empty()) {
        if (graph.input_order.size() != graph.edges()) refuse("the input order is not a permutation");
        std::vector<bool> seen(graph.edges());
        for (const EdgeId e : graph.input_order) {
            if (e >= graph.edges() || seen[e]) refuse("the input order is not a permutation");
            seen[e] = true;
        }
    }
}

Array<VertexId> edge_rows(const Graph& graph) {
    Array<VertexId> row(graph.edges());
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u)
        std::fill(row.data() + graph.row_offsets[u], row.data() + graph.row_offsets[u + 1], u);
    return row;
}

std::vector<EdgeId> row_degrees(const Graph& graph) {
    std::vector<EdgeId> degree(graph.rows);
    std::adjacent_difference(graph.row_offsets.begin() + 1, graph.row_offsets.end(), degree.begin());
    return degree;
}

std::vector<EdgeId> col_degrees(const Graph& graph) {
    return key_counts(graph.edges(), graph.cols, [&](EdgeId e) { return graph.col[e]; });
}

MaxDegree max_degree(const Graph& graph) {
    const auto largest = [](const std::vector<EdgeId>& d) {
        return d.empty() ? 0 : *std::max_element(d.begin(), d.end());
    };
    return {largest(row_degrees(graph)), largest(col_degrees(graph))};
}

Array<EdgeId> given_order(const Graph& graph) {
    return graph.input_order.empty() ? identity_order(graph.edges()) : graph.input_order;
}

}  // namespace lockstep
