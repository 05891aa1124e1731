#include "lockstep/schedules/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>

#include "grouping.hpp"

namespace lockstep {

namespace {

/// A triple on its way to the CSR order; `index` is its place in the input.
template <class Index>
struct Record {
    VertexId row, col;
    float value;
    Index index;
};

/// Sorts records by (row, column) inside one cache-sized bucket of rows: least significant digit
/// first, stable, so that equal pairs keep the order of the input.
template <class R>
class BucketSorter {
public:
    explicit BucketSorter(VertexId cols) : cols_(cols) {}

    void sort(R* records, EdgeId size, VertexId first_row, VertexId rows) {
        if (size < 48) {
            std::stable_sort(records, records + size, [](const R& a, const R& b) {
                return a.row != b.row ? a.row < b.row : a.col < b.col;
            });
            return;
        }
        if (scratch_size_ < size) scratch_ = std::make_unique_for_overwrite<R[]>(scratch_size_ = size);
        source_ = records, target_ = scratch_.get();
        for (unsigned shift = 0; shift < 32 && (cols_ - 1) >> shift; shift += digit_bits) {
            pass(size, EdgeId{1} << digit_bits,
                 [=](const R& r) { return r.col >> shift & ((1U << digit_bits) - 1); });
        }
        pass(size, rows, [=](const R& r) { return r.row - first_row; });
        if (source_ != records) std::copy(source_, source_ + size, records);
    }

private:
    static constexpr unsigned digit_bits = 11;

    template <class Key>
    void pass(EdgeId size, EdgeId keys, Key key) {
        next_.assign(keys + 1, 0);
        for (EdgeId i = 0; i < size; ++i) ++next_[key(source_[i]) + 1];
        std::partial_sum(next_.begin(), next_.end(), next_.begin());
        for (EdgeId i = 0; i < size; ++i) target_[next_[key(source_[i])]++] = source_[i];
        std::swap(source_, target_);
    }

    VertexId cols_;
    std::unique_ptr<R[]> scratch_;
    EdgeId scratch_size_ = 0;
    R *source_ = nullptr, *target_ = nullptr;
    std::vector<EdgeId> next_;
};

bool same_pair(const auto& a, const auto& b) { return a.row == b.row && a.col == b.col; }

/// Weight of a run of equal pairs in input order.
template <class R>
float merged_value(const R* first, const R* last, RepeatPolicy policy) {
    switch (policy) {
        case RepeatPolicy::last:
            return last[-1].value;
        case RepeatPolicy::sum:
        case RepeatPolicy::mean: {
            double sum = 0;
            for (const R* r = first; r != last; ++r) sum += r->value;
            return static_cast<float>(policy == RepeatPolicy::sum ? sum
                                                                  : sum / static_cast<double>(last - first));
        }
        default:
            return first->value;
    }
}

/// Fills input_order from the input places of the edges (`place[e]` < input_size, distinct), or leaves
/// it empty when the edges are in input order.
template <class Index>
void set_input_order(Graph& graph, const Index* place, EdgeId input_size) {
    const EdgeId edges = graph.edges();
    if (std::is_sorted(place, place + edges)) return;
    std::vector<EdgeId>& order = graph.input_order;
    constexpr EdgeId none = ~EdgeId{0};
    order.assign(input_size, none);
#pragma omp parallel for schedule(static)
    for (EdgeId e = 0; e < edges; ++e) order[place[e]] = e;
    if (edges != input_size) std::erase(order, none);  // merged repeats leave gaps
}

template <class Index>
void fill(Graph& graph, std::vector<Triple>& triples, bool weighted, RepeatPolicy policy, EdgeId* repeats) {
    using R = Record<Index>;
    const EdgeId size = triples.size();
    // Buckets of whole rows with about 2^15 edges: they fit the second-level cache twice.
    const EdgeId wanted = std::clamp<EdgeId>(size >> 15, 1, 4096);
    const unsigned shift = static_cast<unsigned>(
        std::bit_width((EdgeId{graph.rows} + wanted - 1) / wanted - (graph.rows ? 1 : 0)));
    const EdgeId buckets = graph.rows ? ((EdgeId{graph.rows} - 1) >> shift) + 1 : 0;
    const auto records = std::make_unique_for_overwrite<R[]>(size);
    const std::vector<EdgeId> offsets = radix_partition(
        size, buckets, [&](EdgeId i) { return triples[i].row >> shift; },
        [&](EdgeId i) {
            return R{triples[i].row, triples[i].col, triples[i].value, static_cast<Index>(i)};
        },
        records.get());
    std::vector<Triple>().swap(triples);

    const bool merge = policy != RepeatPolicy::keep;
    std::vector<EdgeId> kept(buckets + 1, 0), extra(buckets, 0);
#pragma omp parallel
    {
        BucketSorter<R> sorter(graph.cols);
#pragma omp for schedule(dynamic)
        for (EdgeId b = 0; b < buckets; ++b) {
            const auto first_row = static_cast<VertexId>(b << shift);
            const VertexId rows = std::min(graph.rows - first_row, VertexId{1} << shift);
            R* const bucket = records.get() + offsets[b];
            const EdgeId count = offsets[b + 1] - offsets[b];
            sorter.sort(bucket, count, first_row, rows);
            for (EdgeId i = 1; i < count; ++i) extra[b] += same_pair(bucket[i], bucket[i - 1]);
            kept[b + 1] = count - (merge ? extra[b] : 0);
        }
    }
    const EdgeId all_extra = std::accumulate(extra.begin(), extra.end(), EdgeId{0});
    if (repeats) *repeats = all_extra;
    if (policy == RepeatPolicy::refuse && all_extra > 0) {
        const R* again = records.get();
        while (!same_pair(again[0], again[1])) ++again;
        throw Error(Failure::bad_input, "the pair (" + std::to_string(again->row) + ", " +
                                            std::to_string(again->col) +
                                            ") occurs more than once, but repeated pairs are refused");
    }
    std::partial_sum(kept.begin(), kept.end(), kept.begin());

    const EdgeId edges = kept.back();
    graph.col.resize(edges);
    if (weighted) graph.value.resize(edges);
    const auto place = std::make_unique_for_overwrite<Index[]>(edges);
#pragma omp parallel for schedule(dynamic)
    for (EdgeId b = 0; b < buckets; ++b) {
        EdgeId e = kept[b];
        const R* const end = records.get() + offsets[b + 1];
        for (const R* run = records.get() + offsets[b]; run != end;) {
            const R* next = run + 1;
            while (merge && next != end && same_pair(*next, *run)) ++next;
            graph.col[e] = run->col;
            if (weighted) graph.value[e] = merge ? merged_value(run, next, policy) : run->value;
            place[e] = run->index;
            ++e;
            ++graph.row_offsets[std::size_t{run->row} + 1];
            run = next;
        }
    }
    std::partial_sum(graph.row_offsets.begin(), graph.row_offsets.end(), graph.row_offsets.begin());
    set_input_order(graph, place.get(), size);
}

}  // namespace

Graph build_graph(std::vector<Triple> triples, VertexId rows, VertexId cols, GraphShape shape, bool directed,
                  bool weighted, RepeatPolicy policy, EdgeId* repeats) {
    for (const Triple& t : triples) {
        if (t.row >= rows || t.col >= cols) {
            throw Error(Failure::bad_input, "edge (" + std::to_string(t.row) + ", " + std::to_string(t.col) +
                                                ") lies outside the " + std::to_string(rows) + " x " +
                                                std::to_string(cols) + " matrix");
        }
    }
    Graph graph;
    graph.rows = rows;
    graph.cols = cols;
    graph.shape = shape;
    graph.directed = directed;
    graph.row_offsets.assign(static_cast<std::size_t>(rows) + 1, 0);
    if (triples.size() < (EdgeId{1} << 32)) {
        fill<std::uint32_t>(graph, triples, weighted, policy, repeats);
    } else {
        fill<EdgeId>(graph, triples, weighted, policy, repeats);
    }
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

std::vector<VertexId> edge_rows(const Graph& graph) {
    std::vector<VertexId> row(graph.edges());
    for (VertexId u = 0; u < graph.rows; ++u) {
        std::fill(row.begin() + static_cast<std::ptrdiff_t>(graph.row_offsets[u]),
                  row.begin() + static_cast<std::ptrdiff_t>(graph.row_offsets[u + 1]), u);
    }
    return row;
}

std::vector<EdgeId> row_degrees(const Graph& graph) {
    std::vector<EdgeId> degree(graph.rows);
    for (VertexId u = 0; u < graph.rows; ++u) degree[u] = graph.row_offsets[u + 1] - graph.row_offsets[u];
    return degree;
}

std::vector<EdgeId> col_degrees(const Graph& graph) {
    std::vector<EdgeId> degree(graph.cols);
    for (const VertexId v : graph.col) ++degree[v];
    return degree;
}

MaxDegree max_degree(const Graph& graph) {
    const auto largest = [](const std::vector<EdgeId>& d) {
        return d.empty() ? 0 : *std::max_element(d.begin(), d.end());
    };
    return {largest(row_degrees(graph)), largest(col_degrees(graph))};
}

std::vector<EdgeId> given_order(const Graph& graph) {
    return graph.input_order.empty() ? identity_order(graph.edges()) : graph.input_order;
}

}  // namespace lockstep
