// Exactly D matchings, where D is the maximum degree (König's theorem). Also euler_matchings(), which finds a
// few more.
//
// Euler splitting gives at most ceil(log2 D) matchings too many. The smallest matchings are dissolved until D
// remain, and their edges are inserted into the D remaining ones. A matching is called a colour here. To
// insert edge (u, v): fewer than D edges at u and at v have a colour, so some colour a is free at u and some
// colour b is free at v. If a is not free at v, the colours a and b are exchanged along the path that starts
// at v and whose edges have the colours a, b, a, … The path enters rows only by edges of colour a, so it
// never reaches u, where a is free. Then a is free at both endpoints, and edge (u, v) gets colour a.
//
// Time: that of Euler splitting, and O(s (rows + cols) log D) in the worst case for s inserted edges, s =
// O(edges log D / D); on random graphs the paths are short. Memory of the insertion: 20 bytes per edge, which
// is less than Euler splitting needs, and 16 bytes per vertex.
#include <algorithm>
#include <numeric>
#include <utility>

#include "euler.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"

namespace lockstep {

namespace {

// Mark of the edges of dissolved matchings until they are inserted.
constexpr VertexId surplus = max_vertices + 1;

/// A coloured edge, seen from one of its endpoints.
struct Slot {
    VertexId colour;
    VertexId neighbour;
    friend bool operator<(const Slot& s, const Slot& t) { return s.colour < t.colour; }
};

/// The coloured edges of all vertices of one side. The slots of a vertex are sorted by colour.
class Slots {
public:
    /// Reserves degree[v] slots for each vertex v.
    explicit Slots(const std::vector<EdgeId>& degree) : begin_(degree.size() + 1, 0) {
        std::partial_sum(degree.begin(), degree.end(), begin_.begin() + 1);
        end_.assign(begin_.begin(), begin_.end() - 1);
        slots_.resize(begin_.back());
    }
    void append(VertexId v, Slot slot) { slots_[end_[v]++] = slot; }
    void sort() {
        for (std::size_t v = 0; v < end_.size(); ++v) std::sort(at(begin_[v]), at(end_[v]));
    }

    Slot* first(VertexId v) { return at(begin_[v]); }
    Slot* find(VertexId v, VertexId colour) {
        Slot* const slot = std::lower_bound(first(v), at(end_[v]), Slot{colour, 0});
        return slot != at(end_[v]) && slot->colour == colour ? slot : nullptr;
    }
    /// Returns the smallest colour that is free at v, by binary search. The colours at v are distinct and
    /// sorted, so slot i has colour i for all colours below the result.
    VertexId free_colour(VertexId v) {
        EdgeId low = 0, high = end_[v] - begin_[v];
        while (low < high) {
            const EdgeId i = (low + high) / 2;
            if (first(v)[i].colour == i)
                low = i + 1;
            else
                high = i;
        }
        return static_cast<VertexId>(low);
    }
    void insert(VertexId v, Slot slot) {
        append(v, slot);
        std::rotate(std::lower_bound(first(v), at(end_[v]) - 1, slot), at(end_[v]) - 1, at(end_[v]));
    }
    void recolour(VertexId v, VertexId from, VertexId to) {
        Slot* const slot = find(v, from);
        const Slot changed{to, slot->neighbour};
        std::copy(slot + 1, at(end_[v]), slot);
        --end_[v];
        insert(v, changed);
    }

private:
    Slot* at(EdgeId i) { return slots_.data() + i; }
    std::vector<EdgeId> begin_, end_;
    std::vector<Slot> slots_;
};

/// Inserts the edges of dissolved matchings into the remaining matchings.
class Inserter {
public:
    Inserter(const Graph& graph, Array<VertexId>& matching)
        : graph_(graph), matching_(matching), rows_(row_degrees(graph)), cols_(col_degrees(graph)) {}

    void run() {
        for_each_edge([&](VertexId u, EdgeId e) {
            if (matching_[e] == surplus) return;
            rows_.append(u, {matching_[e], graph_.col[e]});
            cols_.append(graph_.col[e], {matching_[e], u});
        });
        rows_.sort();
        cols_.sort();
        for_each_edge([&](VertexId u, EdgeId e) {
            if (matching_[e] == surplus) insert(u, graph_.col[e]);
        });
        write_back();
    }

private:
    template <class Visit>
    void for_each_edge(Visit visit) {
        for (VertexId u = 0; u < graph_.rows; ++u) {
            for (const EdgeId e : graph_.edges_of(u)) visit(u, e);
        }
    }

    void insert(VertexId u, VertexId v) {
        const VertexId a = rows_.free_colour(u);
        if (cols_.find(v, a)) exchange(v, a, cols_.free_colour(v));
        rows_.insert(u, {a, v});
        cols_.insert(v, {a, u});
    }

    /// Exchanges the colours `from` and `to` along the path that starts at column v with an edge of colour
    /// `from`; `to` is free at v.
    void exchange(VertexId v, VertexId from, VertexId to) {
        VertexId x = cols_.find(v, from)->neighbour;
        cols_.recolour(v, from, to);
        for (Slots *here = &rows_, *there = &cols_;; std::swap(here, there), std::swap(from, to)) {
            // The slot at the other endpoint of this edge has changed to `to`; the slot of x has not.
            Slot* const onward = here->find(x, to);
            if (!onward) return here->recolour(x, from, to);
            Slot* const back = here->find(x, from);
            std::swap(onward->neighbour, back->neighbour);
            x = back->neighbour;
        }
    }

    /// Copies the colours from the slots of the rows to matching_. A slot stores the neighbour instead of the
    /// edge ID, so each of several repeated pairs may get any colour of this group of edges.
    void write_back() {
        for (VertexId u = 0; u < graph_.rows; ++u) {
            const EdgeId begin = graph_.row_offsets[u], degree = graph_.row_offsets[u + 1] - begin;
            Slot* const slots = rows_.first(u);
            std::sort(slots, slots + degree, [](const Slot& s, const Slot& t) {
                return s.neighbour != t.neighbour ? s.neighbour < t.neighbour : s.colour < t.colour;
            });
            for (EdgeId i = 0; i < degree; ++i) matching_[begin + i] = slots[i].colour;
        }
    }

    const Graph& graph_;
    Array<VertexId>& matching_;
    Slots rows_, cols_;
};

/// Dissolves the smallest of `count` matchings such that `keep` matchings remain. Their edges get the mark
/// `surplus`.
void dissolve_smallest_matchings(Array<VertexId>& matching, VertexId count, VertexId keep) {
    std::vector<EdgeId> size(count);
    Array<EdgeId> by_size = identity_order(count);
    for (const VertexId m : matching) ++size[m];
    std::stable_sort(by_size.begin(), by_size.end(), [&](EdgeId a, EdgeId b) { return size[a] > size[b]; });
    std::vector<VertexId> renamed(count, surplus);
    for (VertexId i = 0; i < keep; ++i) renamed[by_size[i]] = i;
    for (VertexId& m : matching) m = renamed[m];
}

}  // namespace

Matchings euler_matchings(const Graph& graph) {
    Matchings found = euler_colouring(graph);
    balance_matchings(graph, found);
    return found;
}

Matchings exact_matchings(const Graph& graph) {
    Matchings found = euler_colouring(graph);
    const auto least = static_cast<VertexId>(max_degree(graph).both());
    if (found.count > least) {
        dissolve_smallest_matchings(found.of_edge, found.count, least);
        Inserter(graph, found.of_edge).run();
        found.count = least;
    }
    balance_matchings(graph, found);
    return found;
}

}  // namespace lockstep
