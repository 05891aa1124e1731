// The stars schedule: phases of stars that share no vertex. A star is a vertex, its centre, with up to S of
// its neighbours (leaves). One worker runs the edges of a star in order, with the vector of the centre in
// registers. A vertex of D edges thus needs D / S phases, whereas matchings of edges (agm-e) need D. The
// first `hub_stars` stars of a phase are long: they have up to H edges, and several workers run them together
// (executor/edge/stars.hpp), so that an additional edge costs little.
//
// The centre of an edge is its endpoint of larger degree, so hubs of both sides are centres. If hubs are
// adjacent to many hubs, the edges between them are distributed over both endpoints (star_ends.hpp). For this
// choice of centres and sizes, every schedule has at least `min_phases` phases, and the builder needs about
// as many.
//
// The builder makes one phase after another. In each phase it visits the centres, in the order of decreasing
// numbers of phases that they still require, and each centre takes neighbours that are free. Many centres do
// this in parallel. They first claim neighbours, and a neighbour with several claims goes to the centre that
// comes first in the order, as in Blelloch, Fineman, Gibbons and Shun, "Internally deterministic parallel
// algorithms can be fast" (PPoPP 2012). Therefore the schedule is the same for any number of threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <optional>

#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "shuffle.hpp"
#include "star_claims.hpp"
#include "star_ends.hpp"
#include "team.hpp"

namespace lockstep {

namespace {

/// The unscheduled edges of every centre, in random order. Each edge is stored with its leaf, so that the
/// data of a star is contiguous. All edges of a star have the centre as row, or all have it as column. With
/// one set of vertices, a vertex therefore appears as two centres, once as row and once as column.
struct Centres {
    struct Edge {
        EdgeId id;
        VertexId leaf;  ///< ID of the leaf on its own side
    };
    /// centre -> range of its unscheduled edges; centre: row, or `rows` + column.
    std::vector<EdgeId> begin, end;
    Array<Edge> edges;

    Centres(const StarEnds& ends, std::uint64_t seed) {
        const Graph& graph = ends.graph();
        Array<EdgeId> order;
        const EdgeId rows = graph.rows;
        begin = group_edges(order, graph.edges(), rows + graph.cols, [&](EdgeId e) {
            return ends.around_col(e) ? rows + graph.col[e] : EdgeId{ends.row_of(e)};
        });
        shuffle_groups(order, begin, seed);
        end.assign(begin.begin() + 1, begin.end());
        edges.resize(order.size());
#pragma omp parallel for schedule(static)
        for (EdgeId i = 0; i < order.size(); ++i) {
            const EdgeId e = order[i];
            edges[i] = {e, ends.around_col(e) ? ends.row_of(e) : graph.col[e]};
        }
    }
    /// Returns the number of unscheduled edges of a centre.
    EdgeId left(EdgeId centre) const { return end[centre] - begin[centre]; }
};

/// Builds the phases, one after another.
class StarPhases {
public:
    StarPhases(StarEnds& ends, const StarSizes& sizes, std::uint64_t seed, Schedule& schedule)
        : sizes_(sizes),
          leaves_(ends.leaves()),
          rows_(ends.graph().rows),
          first_col_(ends.first_col()),
          one_set_(ends.one_set()),
          centres_(ends, seed),
          claims_(ends.vertices()),
          schedule_(schedule) {
        active_ = identity_order(centres_.end.size());
        keep_active();
        static_cast<void>(checked_cast<std::uint32_t>(active_.size(), "centres of stars"));
    }

    void run() {
        while (!active_.empty()) {
            ++number_;
            claims_.next_phase();
            sort_active();
            fill_stars();
            append();
            keep_active();
        }
    }

private:
    /// The star of a centre in the current phase, while it collects edges from the end of the centre's range.
    struct Star {
        std::uint32_t size;    ///< number of taken edges; they are stored after the end of the centre's range
        std::uint32_t claims;  ///< number of claimed edges; they are stored at the end of the centre's range
        std::uint32_t seen;    ///< number of inspected edges, including taken and claimed ones
        bool open;             ///< whether the star may still take more edges
    };
    /// Number of rounds of claims per phase. Few stars lose a claim in every round.
    static constexpr int rounds = 3;
    /// Amount of work from which on all threads share it: twice this number of edges, or, for work that is
    /// proportional to the number of stars, this number of stars.
    static constexpr EdgeId worth_sharing = 16384;

    std::size_t vertex_of(EdgeId centre) const {
        if (centre < rows_) return centre;
        return one_set_ ? centre - rows_ : first_col_ + (centre - rows_);
    }
    std::size_t leaf_of(EdgeId centre, VertexId leaf) const {
        return centre < rows_ ? first_col_ + leaf : leaf;
    }
    /// Returns the maximum number of edges of the i-th star of a phase.
    EdgeId most(EdgeId i) const { return i < hub_stars ? sizes_.hub_edges : sizes_.star_edges; }

    EdgeId stars_of(EdgeId edges) const { return (edges + sizes_.star_edges - 1) / sizes_.star_edges; }
    /// Returns the number of phases that a vertex still requires: one for each unscheduled edge of which it
    /// is a leaf, and one for each star that its own edges need.
    EdgeId wanted(EdgeId centre) const {
        // With one set of vertices, the centre that is the same vertex in the other position (row or column).
        const EdgeId other = centre < rows_ ? centre + rows_ : centre - rows_;
        return leaves_[vertex_of(centre)] + stars_of(centres_.left(centre)) +
               (one_set_ ? stars_of(centres_.left(other)) : 0);
    }
    /// Sorts the centres by decreasing number of phases that they still require. Most phases sort only the
    /// first centres, because the order of the others changes slowly.
    void sort_active() {
        const EdgeId size = active_.size();
        if (std::has_single_bit(number_) || number_ % 32 == 0) {
            Array<EdgeId> wants(size);
            EdgeId largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
            for (EdgeId i = 0; i < size; ++i) largest = std::max(largest, wants[i] = wanted(active_[i]));
            Array<EdgeId> sorted(size);
            group_ids(
                size, largest + 1, [&](EdgeId i) { return largest - wants[i]; },
                [&](EdgeId i) { return active_[i]; }, centres_.end.size(), sorted.data());
            active_.swap(sorted);
            return;
        }
        std::vector<std::pair<EdgeId, EdgeId>> first(std::min<EdgeId>(size, 8 * hub_stars));
        for (std::size_t i = 0; i < first.size(); ++i) first[i] = {wanted(active_[i]), active_[i]};
        std::ranges::stable_sort(first, std::ranges::greater{}, &std::pair<EdgeId, EdgeId>::first);
        for (std::size_t i = 0; i < first.size(); ++i) active_[i] = first[i].second;
    }
    /// Removes the centres that have no unscheduled edges.
    void keep_active() {
        Array<EdgeId> kept(active_.size());
        const EdgeId count = radix_partition(
            active_.size(), 2, [&](EdgeId i) { return EdgeId{centres_.left(active_[i]) == 0}; },
            [&](EdgeId i) { return active_[i]; }, kept.data())[1];
        kept.resize(count);
        active_.swap(kept);
    }

    /// Fills the stars of a phase. The centres are divided into blocks, each as large as all preceding blocks
    /// together, because later centres find few free vertices. All threads share a large block; one thread
    /// processes a small block, and the last few stars of a large block that may still take edges.
    void fill_stars() {
        const EdgeId size = active_.size();
        stars_.resize(size);
        EdgeId threads = 1;
        const auto is_shared = [&](EdgeId stars, EdgeId first) {
            return stars * most(first) * threads > 2 * worth_sharing;
        };
        std::optional<Team> team;
        std::atomic<EdgeId> open = 0;  // number of stars that may still take more edges
#pragma omp parallel num_threads(team_of(size* sizes_.star_edges / worth_sharing))
        {
#pragma omp single
            threads = static_cast<EdgeId>(omp_get_num_threads()), team.emplace(omp_get_num_threads());
            for (EdgeId first = 0, last; first < size; first = last) {
                last = std::min(size, std::max(hub_stars, 2 * first));
                EdgeId stars = last - first;
                int round = 0;
                for (; round < rounds && is_shared(stars, first); ++round) {
                    team->sync([&] { claims_.next_round(), team->reset_queue(first), open = 0; });
                    team->process_queue(last, [&](EdgeId i) { claim(i, round); });
                    team->sync([&] { team->reset_queue(first); });
                    EdgeId mine = 0;
                    team->process_queue(last, [&](EdgeId i) { mine += take(i); });
                    open += mine;
                    team->sync([] {});
                    stars = open;
                }
                if (omp_get_thread_num() == 0) fill_alone(first, last, round, stars);
            }
        }
    }
    void fill_alone(EdgeId first, EdgeId last, int round, EdgeId stars) {
        for (; round < rounds && stars > 0; ++round) {
            claims_.next_round();
            for (EdgeId i = first; i < last; ++i) claim(i, round);
            stars = 0;
            for (EdgeId i = first; i < last; ++i) stars += take(i);
        }
    }

    /// Returns the number of edges that a star may inspect in a phase: at most four times the number that it
    /// can take.
    EdgeId in_sight(EdgeId i) const {
        return std::min(centres_.left(active_[i]) + stars_[i].size, 4 * most(i));
    }
    /// Inspects further edges of star i and claims their leaves if they are free, at most as many as the star
    /// can still take. Also claims the centre, if the star has no edge yet.
    void claim(EdgeId i, int round) {
        constexpr EdgeId ahead = 8;
        Star& star = stars_[i];
        if (round == 0) star = {0, 0, 0, true};
        star.claims = 0;
        if (!star.open) return;
        const EdgeId centre = active_[i];
        const std::size_t middle = vertex_of(centre);
        // The centre is a leaf of another star in this phase.
        if (star.size == 0 && !claims_.is_free(middle)) return;
        const EdgeId sight = in_sight(i), capacity = most(i) - star.size;
        const auto number = static_cast<std::uint32_t>(i);
        Centres::Edge* const end = centres_.edges.data() + centres_.end[centre];
        while (star.seen < sight && star.claims < capacity) {
            Centres::Edge* const edge = end + star.size - ++star.seen;
            if (star.seen + ahead <= sight) claims_.prefetch(leaf_of(centre, (edge - ahead)->leaf));
            const std::size_t v = leaf_of(centre, edge->leaf);
            // A self-loop (possible only with one set of vertices) forms a star of its own.
            const bool loop = v == middle;
            if (loop ? star.size + star.claims > 0 : !claims_.is_free(v)) continue;
            claims_.claim(v, number);
            std::swap(*edge, *(end - ++star.claims));
            if (loop) break;
        }
        if (star.claims && star.size == 0) claims_.claim(middle, number);
    }
    /// Takes those claimed leaves of star i whose claims have won. Returns whether some claims have lost and
    /// the star may try other edges.
    bool take(EdgeId i) { return stars_[i].open = gets(i); }
    bool gets(EdgeId i) {
        Star& star = stars_[i];
        if (star.claims == 0) return false;
        const EdgeId centre = active_[i], end = centres_.end[centre];
        const std::size_t middle = vertex_of(centre);
        const auto number = static_cast<std::uint32_t>(i);
        // The claim of the centre has lost: it becomes a leaf of another star, or tries again in the next
        // round.
        if (star.size == 0 && !claims_.has(middle, number)) {
            star.seen = 0;
            return true;
        }
        for (EdgeId back = 1; back <= star.claims; ++back) {
            Centres::Edge& edge = centres_.edges[end - back];
            const std::size_t v = leaf_of(centre, edge.leaf);
            // Another star has won it, or a parallel edge has taken it.
            if (!claims_.has(v, number)) continue;
            claims_.take(v), --leaves_[v];
            std::swap(edge, centres_.edges[--centres_.end[centre]]);
            ++star.size;
        }
        if (star.size) claims_.take(middle);
        return centres_.end[centre] > end - star.claims && star.seen < in_sight(i);
    }

    /// Appends the phase to the schedule. Large stars come first, so that the workers of a warp have stars of
    /// similar sizes.
    void append() {
        const EdgeId largest = std::max(sizes_.hub_edges, sizes_.star_edges);
        const auto key = [&](EdgeId i) { return largest - stars_[i].size; };
        Array<EdgeId> sorted(stars_.size());
        const std::vector<EdgeId> of_size = radix_partition(
            stars_.size(), largest + 1, key, [](EdgeId i) { return i; }, sorted.data());
        const EdgeId count = of_size[largest];  // the remaining stars have no edges
        std::vector<EdgeId>& tasks = schedule_.level(Level::task);
        // Group of stars of equal size -> position of the group's first edge in schedule_.order.
        std::vector<EdgeId> begin(largest + 1, tasks.back());
        for (EdgeId k = 0; k < largest; ++k)
            begin[k + 1] = begin[k] + (of_size[k + 1] - of_size[k]) * (largest - k);
        const EdgeId first = tasks.size();
        tasks.resize(first + count);
#pragma omp parallel for schedule(static) if (count > worth_sharing)
        for (EdgeId s = 0; s < count; ++s) {
            const EdgeId k = key(sorted[s]), size = stars_[sorted[s]].size,
                         at = begin[k] + (s - of_size[k]) * size;
            const Centres::Edge* const edges = centres_.edges.data() + centres_.end[active_[sorted[s]]];
            for (EdgeId e = 0; e < size; ++e) schedule_.order[at + e] = edges[e].id;
            tasks[first + s] = at + size;
        }
        schedule_.level(Level::phase).push_back(schedule_.count(Level::task));
    }

    const StarSizes sizes_;
    std::vector<EdgeId>& leaves_;  // vertex -> number of unscheduled edges of which it is a leaf
    const EdgeId rows_, first_col_;
    const bool one_set_;
    Centres centres_;
    StarClaims claims_;
    Schedule& schedule_;
    Array<EdgeId> active_;
    Array<Star> stars_;  // [i]: star of centre active_[i] in the current phase
    EdgeId number_ = 0;  // number of the current phase; the first is 1
};

}  // namespace

Schedule build_stars(const Graph& graph, const DeviceCosts& costs, EdgeId star_edges, std::uint64_t seed) {
    StarEnds ends(graph, costs);
    const StarSizes sizes = ends.choose(star_edges);

    Schedule schedule;
    schedule.name = "stars";
    schedule.disjoint = Disjoint::both;
    schedule.parameters["star_edges"] = std::to_string(sizes.star_edges);
    schedule.parameters["hub_edges"] = std::to_string(sizes.hub_edges);
    schedule.parameters["seed"] = std::to_string(seed);
    schedule.order.resize(graph.edges());
    schedule.level(Level::task).assign(1, 0);
    schedule.level(Level::phase).assign(1, 0);
    StarPhases(ends, sizes, seed, schedule).run();
    return schedule;
}

}  // namespace lockstep
