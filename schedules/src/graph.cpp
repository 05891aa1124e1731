#include "lockstep/schedules/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/pages.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

template <class Id>
bool is_permutation(std::span<const Id> ids) {
    const EdgeId size = ids.size();
    if (size == 0) return true;
    // Ranges of ids so small that one bit for each of them stays in the first-level cache.
    int shift = 0;
    while ((size - 1) >> shift >= 512) ++shift;
    const EdgeId ranges = ((size - 1) >> shift) + 1, range = EdgeId{1} << shift;
    std::vector<std::vector<EdgeId>> counts =  // the last key counts ids that are too large
        share_counts(size, ranges + 1, radix_threads(size, ranges),
                     [&](EdgeId i) { return ids[i] < size ? ids[i] >> shift : ranges; });
    for (EdgeId r = 0; r < ranges; ++r) {
        EdgeId found = 0;
        for (const auto& of_share : counts) found += of_share[r];
        if (found != std::min(range, size - r * range)) return false;
    }
    Array<std::uint32_t> low(size);
    const std::vector<EdgeId> offsets = radix_scatter(
        size, counts, [&](EdgeId i) { return ids[i] >> shift; },
        [&](EdgeId i) { return static_cast<std::uint32_t>(ids[i] & (range - 1)); }, low.data());
    bool distinct = true;
    ParallelErrors errors;
#pragma omp parallel for schedule(dynamic) reduction(&& : distinct)
    for (EdgeId r = 0; r < ranges; ++r) {
        errors.run([&] {
            std::vector<bool> seen(range);
            for (EdgeId i = offsets[r]; i < offsets[r + 1]; ++i) {
                distinct = distinct && !seen[low[i]];
                seen[low[i]] = true;
            }
        });
    }
    errors.rethrow();
    release(low);
    return distinct;  // each range has as many ids as it should, and none is there twice
}
template bool is_permutation(std::span<const EdgeId>);
template bool is_permutation(std::span<const VertexId>);

void validate(const Graph& graph) {
    const auto expect = [](bool good, const char* what) {
        if (!good) throw Error(Failure::bad_input, std::string("invalid graph: ") + what);
    };
    const EdgeId edges = graph.edges();
    expect(graph.rows <= max_vertices && graph.cols <= max_vertices, "too many vertices");
    expect(graph.shape != GraphShape::square || graph.rows == graph.cols,
           "square, but rows and columns differ");
    expect(graph.row_offsets.size() == static_cast<std::size_t>(graph.rows) + 1,
           "row offsets do not fit the rows");
    expect(graph.row_offsets.front() == 0 && graph.row_offsets.back() == edges,
           "row offsets do not cover the edges");
    expect(std::is_sorted(graph.row_offsets.begin(), graph.row_offsets.end()),
           "row offsets are not monotone");
    expect(graph.value.empty() || graph.value.size() == edges, "one value an edge expected");

    bool in_range = true, ascending = true, finite = true;
#pragma omp parallel for schedule(dynamic, 256) reduction(&& : in_range, ascending)
    for (VertexId u = 0; u < graph.rows; ++u) {
        const VertexId* const first = graph.col.data() + graph.row_offsets[u];
        const VertexId* const last = graph.col.data() + graph.row_offsets[u + 1];
        ascending = ascending && std::is_sorted(first, last);
        in_range = in_range && (first == last || *std::max_element(first, last) < graph.cols);
    }
    expect(in_range, "column out of range");
    expect(ascending, "columns not ascending in a row");
#pragma omp parallel for reduction(&& : finite)
    for (EdgeId e = 0; e < graph.value.size(); ++e) finite = finite && std::isfinite(graph.value[e]);
    expect(finite, "a weight is not finite");
    const std::span<const EdgeId> order(graph.input_order);
    expect(order.empty() || (order.size() == edges && is_permutation(order)),
           "the input order is not a permutation");
}

Array<VertexId> edge_rows(const Graph& graph) {
    Array<VertexId> row(graph.edges());
#pragma omp parallel for schedule(dynamic, 256)
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

DegreeStatistics statistics(std::span<const EdgeId> degrees) {
    DegreeStatistics s;
    for (const EdgeId degree : degrees) {
        s.largest = std::max(s.largest, degree);
        s.squares += static_cast<double>(degree) * static_cast<double>(degree);
        const auto bin = static_cast<std::size_t>(std::bit_width(degree));
        if (bin > s.histogram.size()) s.histogram.resize(bin, 0);
        if (bin) ++s.histogram[bin - 1];
    }
    return s;
}

double column_reuse(const Graph& graph) {
    constexpr EdgeId windows = 8;
    const EdgeId length = std::min<EdgeId>(EdgeId{1} << 17, graph.edges());
    if (length == 0) return 0;
    EdgeId distinct = 0;
    for (EdgeId w = 0; w < windows; ++w) {
        const auto first =
            graph.col.begin() + static_cast<std::ptrdiff_t>((graph.edges() - length) / (windows - 1) * w);
        std::vector<VertexId> columns(first, first + static_cast<std::ptrdiff_t>(length));
        std::sort(columns.begin(), columns.end());
        distinct += static_cast<EdgeId>(std::unique(columns.begin(), columns.end()) - columns.begin());
    }
    return 1 - static_cast<double>(distinct) / static_cast<double>(windows * length);
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
