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

/// Splits ranges of an edge list whose IDs are grouped by row. Different threads may split disjoint ranges
/// concurrently.
template <class Position>
class Splitter {
public:
    explicit Splitter(const Graph& graph)
        : graph_(graph),
          row_(edge_rows(graph)),
          partner_(graph.edges()),
          state_(graph.edges()),
          open_(static_cast<std::size_t>(omp_get_max_threads())) {}

    /// Assigns every position in [begin, end) of `order` to a half; upper() returns it.
    void split(std::span<const EdgeId> order, EdgeId begin, EdgeId end) {
        pair_up(order, begin, end);
        std::uint8_t side = 0;  // half that gets the extra edge of the next odd path
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

    EdgeId row_partner(EdgeId p) const {
        return p + (state_[p] & pair_with_next) - (state_[p] & pair_with_previous) / 2;
    }

    void pair_up(std::span<const EdgeId> order, EdgeId begin, EdgeId end) {
        // Column -> position of its edge without a partner.
        std::vector<Position>& open = open_[static_cast<std::size_t>(omp_get_thread_num())];
        if (open.empty()) open.resize(graph_.cols, none);
        // The loop avoids branches, because half of them could not be predicted.
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

    /// Follows the partners from p to the end of the path or around the cycle, and assigns the edges to the
    /// halves in turn. Returns the number of edges.
    EdgeId walk(EdgeId p, std::uint8_t side, bool by_row) {
        for (EdgeId edges = 1;; ++edges) {
            state_[p] |= visited | side;
            const EdgeId next = by_row ? row_partner(p) : partner_[p];
            if (state_[next] & visited) return edges;  // also at the end of a path, which is its own partner
            p = next;
            side ^= upper_half;
            by_row = !by_row;
        }
    }

    const Graph& graph_;
    Array<VertexId> row_;
    // Partner at the column endpoint, or the position itself if there is none.
    std::vector<Position> partner_;
    std::vector<std::uint8_t> state_;
    std::vector<std::vector<Position>> open_;  // one per thread
};

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
    /// Finds matchings of the first `end` edges of order_, whose IDs ascend. On return, ends_ holds the ends
    /// of these matchings.
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

    /// Splits [begin, end) into `parts` matchings of equal size; `parts` is a power of two, at least the
    /// maximum degree. Empty matchings are left out.
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

    /// Splits [begin, end) and moves the lower half to the front. Both halves keep their order.
    EdgeId halve(EdgeId begin, EdgeId end) {
        splitter_.split(order_, begin, end);
        // Since floor(a / 2) + floor(b / 2) <= floor((a + b) / 2), disjoint ranges use disjoint parts of
        // moved_.
        EdgeId* const moved = moved_.data() + begin / 2;
        EdgeId* upper = moved;
        EdgeId unused = 0;
        EdgeId kept = begin;
        for (EdgeId p = begin; p < end; ++p) {
            const EdgeId edge = order_[p];
            const bool up = splitter_.upper(p);  // used without a branch, which would be unpredictable
            order_[kept] = edge;
            kept += !up;
            *(up ? upper : &unused) = edge;
            upper += up;
        }
        std::copy(moved, upper, order_.begin() + static_cast<std::ptrdiff_t>(kept));
        return kept;
    }

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

    /// Sorts [begin, end) of order_ with a bitmap of the IDs. O(end - begin + edges / 64).
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
    Array<EdgeId> order_;        // each part is a range of it
    std::vector<EdgeId> moved_;  // buffer for upper halves
    std::vector<EdgeId> ends_;   // ends of the matchings found so far, in order_
    std::vector<std::uint64_t> bitmap_;
    std::vector<EdgeId> degree_;  // column -> degree; zero between uses
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

        // If `count` is odd, the median matching stays as it is, in a group of its own.
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
