// Matchings of stars. A star is a vertex, its centre, with up to S of its neighbours. One worker runs the
// edges of a star, with the centre's vector in registers. The stars of a phase share no vertex. A vertex of D
// edges thus needs D / S phases, whereas a matching of edges (agm-e) needs D. The first `hub_stars` stars of
// a phase have up to H neighbours: several workers run their edges together (executor/edge/stars.hpp), so
// that an additional edge costs little.
//
// The centre of an edge is its endpoint of larger degree: hubs are centres, on either side. If hubs are
// adjacent to many hubs, the edges between them are distributed over both endpoints (star_ends.hpp). With
// these centres, no schedule of such stars has fewer phases than `least_phases`, and the builder needs about
// that many. In each phase it visits the centres, those that require the most phases first, and each takes
// the neighbours that are free. Many centres do so concurrently: they claim the neighbours, and a neighbour
// with several claims goes to the first of the centres, as in Blelloch, Fineman, Gibbons and Shun,
// "Internally deterministic parallel algorithms can be fast" (PPoPP 2012). Therefore the schedule is the same
// for any number of threads.
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

/// The edges of every centre, in random order, each with its leaf, so that a star's data is contiguous. The
/// centre of a star is the row of all its edges or the column of all its edges; in one set, a vertex is
/// therefore two centres.
struct Centres {
    struct Edge {
        EdgeId id;
        VertexId leaf;  ///< ID on its own side
    };
    std::vector<EdgeId> begin, end;  ///< centre (row, or `rows` + column) -> range of unscheduled edges
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
    EdgeId left(EdgeId centre) const { return end[centre] - begin[centre]; }
};

/// Builder of the phases.
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
    /// A star while its centre collects edges.
    struct Star {
        std::uint32_t size;    ///< number of edges so far, stored behind the end of the centre's list
        std::uint32_t claims;  ///< number of claimed edges, stored before that end
        std::uint32_t seen;    ///< number of inspected edges, including the two above
        bool open;             ///< whether the star looks for more edges
    };
    /// Number of rounds of claims; hardly any star loses a claim in each of them.
    static constexpr int rounds = 3;
    /// Scale of the work that is worth sharing among threads: all threads are used if the stars may have at
    /// least twice as many edges or, for work per star, if there are more stars than this.
    static constexpr EdgeId worth_sharing = 16384;

    std::size_t vertex_of(EdgeId centre) const {
        if (centre < rows_) return centre;
        return one_set_ ? centre - rows_ : first_col_ + (centre - rows_);
    }
    std::size_t leaf_of(EdgeId centre, VertexId leaf) const {
        return centre < rows_ ? first_col_ + leaf : leaf;
    }
    /// Returns the maximum number of edges of the i-th star.
    EdgeId most(EdgeId i) const { return i < hub_stars ? sizes_.hub_edges : sizes_.star_edges; }

    EdgeId stars_of(EdgeId edges) const { return (edges + sizes_.star_edges - 1) / sizes_.star_edges; }
    /// Returns the number of phases that a vertex still requires: one for each edge of which it is a leaf,
    /// and those of its own stars.
    EdgeId wanted(EdgeId centre) const {
        // With one set of vertices: the same vertex as a centre of the other kind.
        const EdgeId other = centre < rows_ ? centre + rows_ : centre - rows_;
        return leaves_[vertex_of(centre)] + stars_of(centres_.left(centre)) +
               (one_set_ ? stars_of(centres_.left(other)) : 0);
    }
    /// Sorts the centres by decreasing number of required phases; in most phases only the first ones.
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

    /// Fills the stars in blocks, each as large as all blocks before it; the later stars find few free
    /// vertices. One thread processes a small block, and the few stars of a large block that look for more
    /// edges.
    void fill_stars() {
        const EdgeId size = active_.size();
        stars_.resize(size);
        EdgeId threads = 1;
        const auto is_shared = [&](EdgeId stars, EdgeId first) {
            return stars * most(first) * threads > 2 * worth_sharing;
        };
        std::optional<Team> team;
        std::atomic<EdgeId> open = 0;  // number of stars that look for more edges
#pragma omp parallel num_threads(team_of(size* sizes_.star_edges / worth_sharing))
        {
#pragma omp single
            threads = static_cast<EdgeId>(omp_get_num_threads()), team.emplace(omp_get_num_threads());
            for (EdgeId first = 0, last; first < size; first = last) {
                last = std::min(size, std::max(hub_stars, 2 * first));
                EdgeId stars = last - first;
                int round = 0;
                for (; round < rounds && is_shared(stars, first); ++round) {
                    team->meet([&] { claims_.next_round(), team->draw_from(first), open = 0; });
                    team->draw(last, [&](EdgeId i) { claim(i, round); });
                    team->meet([&] { team->draw_from(first); });
                    EdgeId mine = 0;
                    team->draw(last, [&](EdgeId i) { mine += take(i); });
                    open += mine;
                    team->meet([] {});
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

    /// Returns the number of edges that the star may inspect: four times the number that it can take.
    EdgeId in_sight(EdgeId i) const {
        return std::min(centres_.left(active_[i]) + stars_[i].size, 4 * most(i));
    }
    /// Claims the free leaves among the next edges in sight, at most as many as the star can still take.
    void claim(EdgeId i, int round) {
        constexpr EdgeId ahead = 8;
        Star& star = stars_[i];
        if (round == 0) star = {0, 0, 0, true};
        star.claims = 0;
        if (!star.open) return;
        const EdgeId centre = active_[i];
        const std::size_t middle = vertex_of(centre);
        if (star.size == 0 && !claims_.is_free(middle)) return;  // now a leaf of another star
        const EdgeId sight = in_sight(i), room = most(i) - star.size;
        const auto number = static_cast<std::uint32_t>(i);
        Centres::Edge* const end = centres_.edges.data() + centres_.end[centre];
        while (star.seen < sight && star.claims < room) {
            Centres::Edge* const edge = end + star.size - ++star.seen;
            if (star.seen + ahead <= sight) claims_.prefetch(leaf_of(centre, (edge - ahead)->leaf));
            const std::size_t v = leaf_of(centre, edge->leaf);
            const bool loop = v == middle;  // a self-loop (one set only) forms its own star
            if (loop ? star.size + star.claims > 0 : !claims_.is_free(v)) continue;
            claims_.claim(v, number);
            std::swap(*edge, *(end - ++star.claims));
            if (loop) break;
        }
        if (star.claims && star.size == 0) claims_.claim(middle, number);
    }
    /// Takes the claimed leaves that the star has won. Returns whether it lost some and may look for others.
    bool take(EdgeId i) { return stars_[i].open = gets(i); }
    bool gets(EdgeId i) {
        Star& star = stars_[i];
        if (star.claims == 0) return false;
        const EdgeId centre = active_[i], end = centres_.end[centre];
        const std::size_t middle = vertex_of(centre);
        const auto number = static_cast<std::uint32_t>(i);
        // The centre is a leaf of another star, or starts again.
        if (star.size == 0 && !claims_.has(middle, number)) {
            star.seen = 0;
            return true;
        }
        for (EdgeId back = 1; back <= star.claims; ++back) {
            Centres::Edge& edge = centres_.edges[end - back];
            const std::size_t v = leaf_of(centre, edge.leaf);
            if (!claims_.has(v, number)) continue;  // won by another star, or taken through a parallel edge
            claims_.take(v), --leaves_[v];
            std::swap(edge, centres_.edges[--centres_.end[centre]]);
            ++star.size;
        }
        if (star.size) claims_.take(middle);
        return centres_.end[centre] > end - star.claims && star.seen < in_sight(i);
    }

    /// Appends the phase to the schedule, large stars first, so that the stars of a warp have similar sizes.
    void append() {
        const EdgeId largest = std::max(sizes_.hub_edges, sizes_.star_edges);
        const auto key = [&](EdgeId i) { return largest - stars_[i].size; };
        Array<EdgeId> sorted(stars_.size());
        const std::vector<EdgeId> of_size = radix_partition(
            stars_.size(), largest + 1, key, [](EdgeId i) { return i; }, sorted.data());
        const EdgeId count = of_size[largest];  // the other stars are empty
        std::vector<EdgeId>& tasks = schedule_.level(Level::task);
        // Class of equal size -> position of its first edge.
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
    std::vector<EdgeId>& leaves_;  // vertex -> number of unscheduled edges whose leaf it is
    const EdgeId rows_, first_col_;
    const bool one_set_;
    Centres centres_;
    Claims claims_;
    Schedule& schedule_;
    Array<EdgeId> active_;
    Array<Star> stars_;  // [i]: star of centre active_[i]
    EdgeId number_ = 0;  // number of the phase, from 1
};

}  // namespace

Schedule build_stars(const Graph& graph, EdgeId star_edges, std::uint64_t seed, const DeviceCosts& costs) {
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
