#include "lockstep/executor/structure/triangles.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <numeric>

namespace lockstep::structure {

namespace {

using Words = std::vector<std::uint64_t>;

constexpr VertexId hubs = hub_step, hub_words = hubs / 64;
constexpr VertexId max_rows = 1 << 17;

void add(Words& counts, VertexId v, std::uint64_t more) {
    if (more) std::atomic_ref(counts[v]).fetch_add(more, std::memory_order_relaxed);
}

/// Counts triangles by merging the full lists of neighbours, in which only smaller vertices are considered.
/// If all lists are short, no preparation pays off. `counts` is indexed by vertex, and only used if
/// `ByVertex`.
template <bool ByVertex>
std::uint64_t by_merging(const Undirected& plan, Words& counts, int threads) {
    std::uint64_t all = 0;
    const CsrView graph = plan.view();
#pragma omp parallel for num_threads(threads) schedule(dynamic, 4096) reduction(+ : all)
    for (VertexId u = 0; u < plan.vertices; ++u) {
        const VertexRange list = graph.neighbours(u);
        if (list.size() < 2 || list[1] >= u) continue;
        for (const VertexId* v = list.begin() + 1; v != list.end() && *v < u; ++v) {
            const VertexId* other = graph.neighbours(*v).begin();
            std::uint64_t met = 0;
            for (const VertexId* w = list.begin(); w != v;
                 ++w) {  // because w < *v, and the list of *v contains u, the search for w ends
                while (*other < *w) ++other;
                if (*other != *w) continue;
                ++met;
                if (ByVertex) add(counts, *w, 1);
            }
            all += met;
            if (ByVertex) add(counts, *v, met), add(counts, u, met);
        }
    }
    return all;
}

/// The lists of kept neighbours: every edge is kept at the endpoint that comes later in the order by degree.
/// Vertices are renumbered by this order. In each list, the hubs come first.
struct KeptNeighbours {
    std::vector<VertexId> order;
    /// start of each list; start of the neighbours in the list that are not hubs
    std::vector<EdgeId> begin, tail;
    Array<VertexId> ends;
    /// for each of the first row_count vertices, which hubs are in its list: a bit set of hub_words words
    Array<std::uint64_t> rows;
    VertexId row_count;

    KeptNeighbours(const Undirected& plan, int threads)
        : order(plan.vertices),
          begin(plan.vertices + std::size_t{1}),
          tail(plan.vertices),
          ends(plan.arcs() / 2) {
        const VertexId n = plan.vertices;
        const auto degree = [&](VertexId v) { return plan.degree(v); };
        std::vector<VertexId> rank(n);
        std::vector<EdgeId> places(plan.largest + 2);
        for (VertexId v = 0; v < n; ++v) ++places[plan.largest - degree(v) + 1];
        std::partial_sum(places.begin(), places.end(), places.begin());
        for (VertexId v = 0; v < n; ++v) {
            rank[v] = static_cast<VertexId>(places[plan.largest - degree(v)]++);
            order[rank[v]] = v;
        }
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
        for (VertexId u = 0; u < n; ++u) {
            EdgeId kept = 0;
            for (const VertexId v : plan.neighbours(order[u])) kept += rank[v] < u;
            begin[u + EdgeId{1}] = kept;
        }
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        row_count = std::min(n, max_rows);
        rows = Array<std::uint64_t>(EdgeId{row_count} * hub_words);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1024)
        for (VertexId u = 0; u < n; ++u) {
            EdgeId to = begin[u], last = begin[u + EdgeId{1}];
            for (const VertexId v : plan.neighbours(order[u])) {
                if (rank[v] >= u) continue;
                ends[rank[v] < hubs ? to++ : --last] = rank[v];
            }
            tail[u] = to;
            if (u < row_count) set_bits(u, rows.data() + EdgeId{u} * hub_words);
        }
    }
    void set_bits(VertexId u, std::uint64_t* row) const {
        std::fill_n(row, hub_words, 0);
        for (EdgeId e = begin[u]; e < tail[u]; ++e) row[ends[e] / 64] |= std::uint64_t{1} << ends[e] % 64;
    }
};

/// The bit sets and counters of one thread.
struct Marks {
    Words bits;  ///< one bit per vertex: whether it is a kept neighbour of u, but not a hub
    Words row = Words(hub_words), hub_counts;
    bool has(VertexId w) const { return bits[w / 64] >> w % 64 & 1; }
};

/// Counts the triangles in which u is the last vertex of the order.
template <bool ByVertex>
std::uint64_t count_at(const KeptNeighbours& kept, VertexId u, Marks& marks, Words& counts) {
    const EdgeId begin = kept.begin[u], tail = kept.tail[u], end = kept.begin[u + EdgeId{1}];
    if (end - begin < 2) return 0;
    kept.set_bits(u, marks.row.data());
    for (EdgeId e = tail; e < end; ++e)
        marks.bits[kept.ends[e] / 64] |= std::uint64_t{1} << kept.ends[e] % 64;
    std::uint64_t own = 0;
    for (EdgeId e = begin; e < end; ++e) {
        const VertexId v = kept.ends[e];
        std::uint64_t met = 0;
        if (v < kept.row_count) {
            const std::uint64_t* const row = kept.rows.data() + EdgeId{v} * hub_words;
            const VertexId words = std::min(hub_words, (v + 63) / 64);
            for (VertexId i = 0; i < words; ++i) {
                const std::uint64_t both = row[i] & marks.row[i];
                met += static_cast<unsigned>(std::popcount(both));
                for (std::uint64_t left = ByVertex ? both : 0; left; left &= left - 1)
                    ++marks.hub_counts[i * 64 + static_cast<unsigned>(std::countr_zero(left))];
            }
        } else {
            for (EdgeId i = kept.begin[v]; i < kept.tail[v]; ++i) {
                const VertexId w = kept.ends[i];
                const bool both = marks.row[w / 64] >> w % 64 & 1;
                met += both;
                if (ByVertex) marks.hub_counts[w] += both;
            }
        }
        if (e >= tail) {
            for (EdgeId i = kept.tail[v]; i < kept.begin[v + EdgeId{1}]; ++i) {
                const bool both = marks.has(kept.ends[i]);
                met += both;
                if (ByVertex) add(counts, kept.order[kept.ends[i]], both);
            }
        }
        own += met;
        if (ByVertex) add(counts, kept.order[v], met);
    }
    for (EdgeId e = tail; e < end; ++e) marks.bits[kept.ends[e] / 64] = 0;
    if (ByVertex) add(counts, kept.order[u], own);
    return own;
}

template <bool ByVertex>
std::uint64_t by_bits(const Undirected& plan, Words& counts, int threads, double* prepared) {
    const KeptNeighbours kept(plan, threads);
    *prepared = omp_get_wtime();
    std::vector<Marks> marks(static_cast<std::size_t>(threads));
    for (Marks& m : marks) m.bits.resize(plan.vertices / 64 + 1), m.hub_counts.resize(ByVertex ? hubs : 0);
    std::uint64_t all = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 64) reduction(+ : all)
    for (VertexId u = 0; u < plan.vertices; ++u)
        all += count_at<ByVertex>(kept, u, marks[static_cast<std::size_t>(omp_get_thread_num())], counts);
    for (const Marks& m : marks) {
        for (VertexId hub = 0; hub < m.hub_counts.size() && hub < plan.vertices; ++hub)
            counts[kept.order[hub]] += m.hub_counts[hub];
    }
    return all;
}

}  // namespace

Runner triangles_on_cpu(const Undirected& plan, bool by_vertex, int threads) {
    const EdgeId n = plan.vertices, marks = n / 8 * static_cast<EdgeId>(threads);
    return {plan.bytes() + 2 * plan.arcs() + 24 * n + std::min<EdgeId>(n, max_rows) * hubs / 8 + marks, 0,
            [&plan, by_vertex, threads] {
                const bool merges = plan.largest <= few_neighbours;
                Words counts(by_vertex ? plan.vertices : 1);
                const double start = omp_get_wtime();
                double prepared = start;
                const std::uint64_t all =
                    merges ? (by_vertex ? by_merging<true> : by_merging<false>)(plan, counts, threads)
                           : (by_vertex ? by_bits<true> : by_bits<false>)(plan, counts, threads, &prepared);
                Solution solution;
                solution.seconds = omp_get_wtime() - start;
                solution.preparation = prepared - start;
                solution.rounds = 1;
                if (!by_vertex) counts[0] = all;
                solution.values = by_vertex ? words_by_vertex(plan, counts) : as_words(counts);
                return solution;
            }};
}

}  // namespace lockstep::structure
