#include "lockstep/schedules/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>

#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

template <class Id>
bool is_permutation(std::span<const Id> ids) {
    // Every share of the IDs sets bits in its own bitmap. If the number of set bits in the union of the
    // bitmaps equals the number of IDs, no ID occurs twice.
    const EdgeId size = ids.size(), words = size / 64 + 1;
    const int shares = radix_threads(size, words);
    Array<std::uint64_t> maps(words * static_cast<EdgeId>(shares));
    bool in_range = true;
#pragma omp parallel for schedule(static, 1) num_threads(team_of(static_cast<EdgeId>(shares))) reduction(&& : in_range)
    for (int s = 0; s < shares; ++s) {
        std::uint64_t* const map = maps.data() + words * static_cast<EdgeId>(s);
        std::fill(map, map + words, 0);
        const EdgeId end = share_begin(size, s + 1, shares);
        for (EdgeId i = share_begin(size, s, shares); i < end && in_range; ++i) {
            const EdgeId id = ids[i];
            in_range = id < size;
            if (in_range) map[id / 64] |= std::uint64_t{1} << id % 64;
        }
    }
    EdgeId found = 0;
#pragma omp parallel for schedule(static) reduction(+ : found)
    for (EdgeId w = 0; w < words; ++w) {
        std::uint64_t bits = 0;
        for (int s = 0; s < shares; ++s) bits |= maps[words * static_cast<EdgeId>(s) + w];
        found += static_cast<EdgeId>(std::popcount(bits));
    }
    return in_range && found == size;
}
template bool is_permutation(std::span<const EdgeId>);
template bool is_permutation(std::span<const VertexId>);

std::string_view to_string(Ends ends) { return ends == Ends::sides ? "sides" : "vertices"; }

void validate(const Graph& graph) {
    const auto expect = [](bool good, const char* what) {
        if (!good) throw Error(Failure::bad_input, std::string("invalid graph: ") + what);
    };
    const EdgeId edges = graph.edges();
    expect(graph.rows <= max_vertices && graph.cols <= max_vertices, "too many vertices");
    expect(graph.shape != GraphShape::square || graph.rows == graph.cols,
           "square, but rows and columns differ");
    expect(graph.ends == Ends::sides || graph.shape == GraphShape::square,
           "one set of vertices, but not square");
    expect(graph.row_offsets.size() == static_cast<std::size_t>(graph.rows) + 1,
           "the number of row offsets does not match the rows");
    expect(graph.row_offsets.front() == 0 && graph.row_offsets.back() == edges,
           "row offsets do not cover the edges");
    expect(std::is_sorted(graph.row_offsets.begin(), graph.row_offsets.end()),
           "row offsets are not monotone");
    expect(graph.value.empty() || graph.value.size() == edges, "expected one value per edge");

    bool in_range = true, ascending = true;
#pragma omp parallel for schedule(dynamic, 256) reduction(&& : in_range, ascending)
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId first = graph.row_offsets[u], last = graph.row_offsets[u + 1];
        if (first == last) continue;
        const VertexId* const col = graph.col.data();
        VertexId falls = 0;  // this loop has no early exit, so that it is vectorised
        for (EdgeId e = first + 1; e < last; ++e) falls |= VertexId{col[e - 1] > col[e]};
        ascending = ascending && falls == 0;
        in_range = in_range && (falls != 0 || col[last - 1] < graph.cols);
    }
    expect(in_range, "column out of range");
    expect(ascending, "columns not ascending in a row");
    const float* const value = graph.value.data();
    const EdgeId values = graph.value.size();
    std::uint32_t odd = 0;
#pragma omp parallel for schedule(static) reduction(| : odd)
    for (EdgeId e = 0; e < values; ++e) odd |= std::uint32_t{!std::isfinite(value[e])};
    expect(odd == 0, "a weight is not finite");
    const std::span<const EdgeId> order(graph.input_order);
    expect(order.empty() || (order.size() == edges && is_permutation(order)),
           "the input order is not a permutation");
}

void require_ends(const Graph& graph, Ends wanted) {
    if (graph.ends == wanted) return;
    const bool sides = wanted == Ends::sides;
    throw ScheduleError(
        std::string("the graph has ") +
        (sides ? "one set of vertices (each with one state), but expected two sides (rows and columns)"
               : "two sides (a vertex has one state as row and one as column), but expected one set of "
                 "vertices (each with one state)") +
        ": build the file again with lockstep-preprocess --ends " + std::string(to_string(wanted)));
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

std::vector<EdgeId> vertex_degrees(const Graph& graph) {
    std::vector<EdgeId> degree = col_degrees(graph);
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u) {
        const EdgeId first = graph.row_offsets[u], last = graph.row_offsets[u + std::size_t{1}];
        const auto loops = std::count(graph.col.begin() + static_cast<std::ptrdiff_t>(first),
                                      graph.col.begin() + static_cast<std::ptrdiff_t>(last), u);
        degree[u] += last - first - static_cast<EdgeId>(loops);
    }
    return degree;
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
    std::vector<std::vector<bool>> seen(windows, std::vector<bool>(graph.cols));
#pragma omp parallel for schedule(static) reduction(+ : distinct)
    for (EdgeId w = 0; w < windows; ++w) {
        const EdgeId first = (graph.edges() - length) / (windows - 1) * w;
        for (EdgeId e = first; e < first + length; ++e) {
            distinct += !seen[w][graph.col[e]];
            seen[w][graph.col[e]] = true;
        }
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
