#include "euler.hpp"

#include <omp.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

/// Splits ranges of an array of edge IDs into two halves each; inside a range, the IDs must be grouped by
/// row. Different threads may split disjoint ranges concurrently.
template <class Position>
class Splitter {
public:
    explicit Splitter(const Graph& graph)
        : graph_(graph),
          row_(edge_rows(graph)),
          partner_(graph.edges()),
          state_(graph.edges()),
          open_(static_cast<std::size_t>(omp_get_max_threads())) {}

    /// Assigns every position in [begin, end) of `order` to the lower or the upper half. Afterwards upper()
    /// returns whether a position is in the upper half.
    void split(std::span<const EdgeId> order, EdgeId begin, EdgeId end) {
        pair_up(order, begin, end);
        std::uint8_t side = 0;  // half that gets one edge more from the next path with an odd number of edges
        for (EdgeId p = begin; p < end; ++p) {
            if (state_[p] & visited) continue;
            const bool row_end = row_partner(p) == p;
            if (!row_end && partner_[p] != p) continue;
            if (walk(p, side, !row_end) % 2) side ^= upper_half;
        }
        for (EdgeId p = begin; p < end; ++p) {
            if (!(state_[p] & visited)) walk(p, 0, true);
        }
    }
    bool upper(EdgeId p) const { return state_[p] & upper_half; }

    VertexId row(EdgeId edge) const { return row_[edge]; }

private:
    static constexpr std::uint8_t pair_with_next = 1, pair_with_previous = 2, visited = 4, upper_half = 8;
    static constexpr Position none = std::numeric_limits<Position>::max();

    /// Returns the position of the edge that is paired with the edge at p by their row, or p if there is
    /// none.
    EdgeId row_partner(EdgeId p) const {
        return p + (state_[p] & pair_with_next) - (state_[p] & pair_with_previous) / 2;
    }

    /// Pairs the edges of every row, and the edges of every column. At most one edge per row and per column
    /// remains without a partner.
    void pair_up(std::span<const EdgeId> order, EdgeId begin, EdgeId end) {
        // Column -> position of its latest edge that has no partner yet.
        std::vector<Position>& open = open_[static_cast<std::size_t>(omp_get_thread_num())];
        if (open.empty()) open.resize(graph_.cols, none);
        // The loop has no branches, because half of them would be mispredicted.
        VertexId row = 0;
        bool row_open = false;
        for (EdgeId p = begin; p < end; ++p) {
            const EdgeId e = order[p];
            const bool pair = row_open & (row_[e] == row);
            row = row_[e];
            row_open = !pair;
            state_[p] = pair ? pair_with_previous : 0;
            state_[p - pair] = static_cast<std::uint8_t>(state_[p - pair] | (pair ? pair_with_next : 0));

            Position& waiting = open[graph_.col[e]];
            const Position here = static_cast<Position>(p), other = waiting == none ? here : waiting;
            waiting = waiting == none ? here : none;
            partner_[here] = other;
            partner_[other] = here;
        }
        for (EdgeId p = begin; p < end; ++p) {
            if (partner_[p] == p) open[graph_.col[order[p]]] = none;
        }
    }

    /// Follows the pairs from the edge at p to the end of its path or around its cycle, and assigns the edges
    /// to the two halves alternately. Returns the number of visited edges.
    EdgeId walk(EdgeId p, std::uint8_t side, bool by_row) {
        for (EdgeId edges = 1;; ++edges) {
            state_[p] |= visited | side;
            const EdgeId next = by_row ? row_partner(p) : partner_[p];
            // True around a cycle, and at the end of a path, where an edge is its own partner.
            if (state_[next] & visited) return edges;
            p = next;
            side ^= upper_half;
            by_row = !by_row;
        }
    }

    const Graph& graph_;
    Array<VertexId> row_;
    // Position of the edge that is paired by the column, or the own position if there is none.
    std::vector<Position> partner_;
    std::vector<std::uint8_t> state_;
    // column -> position of its edge without a partner; one array per thread.
    std::vector<std::vector<Position>> open_;
};

/// Finds matchings by the recursion that is described in euler.hpp under "Rounds".
template <class Position>
class EulerColouring {
public:
    explicit EulerColouring(const Graph& graph)
        : graph_(graph),
          splitter_(graph),
          order_(identity_order(graph.edges())),
          moved_(graph.edges() / 2 + 1),
          bitmap_(graph.edges() / 64 + 1),
          degree_(graph.cols, 0) {}

    Matchings run() {
        colour(graph_.edges());
        Matchings found{Array<VertexId>(graph_.edges()), static_cast<VertexId>(ends_.size())};
        EdgeId begin = 0;
        for (VertexId m = 0; m < found.count; begin = ends_[m++]) {
            for (EdgeId p = begin; p < ends_[m]; ++p) found.of_edge[order_[p]] = m;
        }
        return found;
    }

private:
    /// Finds matchings of the first `end` edges of order_, whose IDs ascend. On return, the edges are grouped
    /// by matching, and ends_ contains the end of each matching in order_.
    void colour(EdgeId end) {
        const EdgeId degree = largest_degree(0, end);
        if (degree == 0 || std::has_single_bit(degree)) return split_into(0, end, degree);
        EdgeId begin = halve(0, end);
        const EdgeId upper_degree = largest_degree(begin, end), parts = std::bit_ceil(upper_degree);
        colour(begin);
        if (parts > upper_degree) {  // the last matchings of the lower half join the upper half
            ends_.resize(ends_.size() - (parts - upper_degree));
            begin = ends_.empty() ? 0 : ends_.back();
            sort_ids(begin, end);
        }
        split_into(begin, end, parts);
    }

    /// Splits the edges [begin, end) of order_ into `parts` matchings of equal size. `parts` must be a power
    /// of two, at least the maximum degree of these edges. Empty matchings are left out.
    void split_into(EdgeId begin, EdgeId end, EdgeId parts) {
        ParallelErrors errors;
#pragma omp parallel
#pragma omp single
        split_all(begin, end, parts, errors);
        errors.rethrow();
        append_ends(begin, end, parts);
    }

    void split_all(EdgeId begin, EdgeId end, EdgeId parts, ParallelErrors& errors) {
        constexpr EdgeId worth_a_task = 1 << 14;
        if (parts <= 1 || end - begin <= 1) return;
        EdgeId middle = begin;
        errors.run([&] { middle = halve(begin, end); });
        if (errors.failed()) return;
#pragma omp task shared(errors) if (end - begin > worth_a_task)
        split_all(begin, middle, parts / 2, errors);
        split_all(middle, end, parts / 2, errors);
    }

    void append_ends(EdgeId begin, EdgeId end, EdgeId parts) {
        if (begin == end) return;
        if (parts <= 1 || end - begin == 1) return ends_.push_back(end);
        append_ends(begin, middle_of(begin, end), parts / 2);
        append_ends(middle_of(begin, end), end, parts / 2);
    }

    static EdgeId middle_of(EdgeId begin, EdgeId end) { return end - (end - begin) / 2; }

    /// Splits the edges [begin, end) of order_, and moves the lower half to the front. The edges of each half
    /// keep their order. Returns the end of the lower half.
    EdgeId halve(EdgeId begin, EdgeId end) {
        splitter_.split(order_, begin, end);
        // Threads halve disjoint ranges concurrently, and their buffers in moved_ are disjoint, too: an upper
        // half has at most half of the edges of its range.
        EdgeId* const moved = moved_.data() + begin / 2;
        EdgeId* upper = moved;
        EdgeId unused = 0;
        EdgeId kept = begin;
        for (EdgeId p = begin; p < end; ++p) {
            const EdgeId edge = order_[p];
            // Used without a branch, which would be mispredicted in half of the cases.
            const bool up = splitter_.upper(p);
            order_[kept] = edge;
            kept += !up;
            *(up ? upper : &unused) = edge;
            upper += up;
        }
        std::copy(moved, upper, order_.begin() + static_cast<std::ptrdiff_t>(kept));
        return kept;
    }

    /// Returns the maximum degree of a vertex if only the edges [begin, end) of order_ count.
    EdgeId largest_degree(EdgeId begin, EdgeId end) {
        EdgeId largest = 0, in_row = 0;
        for (EdgeId p = begin; p < end; ++p) {
            const EdgeId e = order_[p];
            in_row = p > begin && splitter_.row(e) == splitter_.row(order_[p - 1]) ? in_row + 1 : 1;
            largest = std::max({largest, in_row, ++degree_[graph_.col[e]]});
        }
        for (EdgeId p = begin; p < end; ++p) degree_[graph_.col[order_[p]]] = 0;
        return largest;
    }

    /// Sorts the edge IDs [begin, end) of order_ with the help of a bitmap. O(end - begin + edges / 64).
    void sort_ids(EdgeId begin, EdgeId end) {
        for (EdgeId p = begin; p < end; ++p) bitmap_[order_[p] / 64] |= std::uint64_t{1} << (order_[p] % 64);
        for (EdgeId w = 0, p = begin; p < end; ++w) {
            for (; bitmap_[w]; bitmap_[w] &= bitmap_[w] - 1) {
                order_[p++] = w * 64 + static_cast<EdgeId>(std::countr_zero(bitmap_[w]));
            }
        }
    }

    const Graph& graph_;
    Splitter<Position> splitter_;
    Array<EdgeId> order_;        // edge IDs; a part of the graph is a range of this array
    std::vector<EdgeId> moved_;  // buffer for the upper half of a split
    std::vector<EdgeId> ends_;   // end of each matching found so far, in order_
    std::vector<std::uint64_t> bitmap_;
    std::vector<EdgeId> degree_;  // column -> degree in largest_degree(); all zero between calls
};

}  // namespace

template <class Position>
Matchings euler_colouring(const Graph& graph) {
    return EulerColouring<Position>(graph).run();
}

template <class Position>
void balance_matchings(const Graph& graph, Matchings& matchings) {
    Array<VertexId>& matching = matchings.of_edge;
    const VertexId count = matchings.count;
    if (count < 2) return;
    Splitter<Position> splitter(graph);
    std::vector<EdgeId> size(count);
    Array<EdgeId> by_size = identity_order(count);
    std::vector<VertexId> pair(count);
    for (;;) {
        std::fill(size.begin(), size.end(), 0);
        for (const VertexId m : matching) ++size[m];
        std::sort(by_size.begin(), by_size.end(),
                  [&](EdgeId a, EdgeId b) { return size[a] != size[b] ? size[a] > size[b] : a < b; });
        const EdgeId largest = size[by_size.front()], smallest = size[by_size.back()];
        if (largest - smallest <= std::max<EdgeId>(1, smallest / 64)) return;

        // If the number of matchings is odd, the median one has no partner and stays as it is.
        const VertexId pairs = count / 2;
        for (VertexId i = 0; i < count; ++i) pair[by_size[i]] = std::min(i, count - 1 - i);
        Array<EdgeId> order = identity_order(graph.edges());
        const std::vector<EdgeId> offsets =
            group_stable(order, pairs + count % 2, [&](EdgeId e) { return pair[matching[e]]; });
        ParallelErrors errors;
#pragma omp parallel for schedule(dynamic, 16)
        for (VertexId i = 0; i < pairs; ++i) {
            const auto lower = static_cast<VertexId>(by_size[i]),
                       upper = static_cast<VertexId>(by_size[count - 1 - i]);
            if (size[lower] - size[upper] <= 1) continue;
            errors.run([&] { splitter.split(order, offsets[i], offsets[i + 1]); });
            if (errors.failed()) continue;
            for (EdgeId p = offsets[i]; p < offsets[i + 1]; ++p)
                matching[order[p]] = splitter.upper(p) ? upper : lower;
        }
        errors.rethrow();
    }
}

template Matchings euler_colouring<std::uint32_t>(const Graph&);
template Matchings euler_colouring<std::uint64_t>(const Graph&);
template void balance_matchings<std::uint32_t>(const Graph&, Matchings&);
template void balance_matchings<std::uint64_t>(const Graph&, Matchings&);

namespace {
bool fits_32_bits(const Graph& graph) { return graph.edges() < std::numeric_limits<std::uint32_t>::max(); }
}  // namespace

Matchings euler_colouring(const Graph& graph) {
    return fits_32_bits(graph) ? euler_colouring<std::uint32_t>(graph)
                               : euler_colouring<std::uint64_t>(graph);
}

void balance_matchings(const Graph& graph, Matchings& matchings) {
    return fits_32_bits(graph) ? balance_matchings<std::uint32_t>(graph, matchings)
                               : balance_matchings<std::uint64_t>(graph, matchings);
}

}  // namespace lockstep
