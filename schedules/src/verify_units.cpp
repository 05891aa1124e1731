#include "verify_units.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

#include "lockstep/schedules/parallel_errors.hpp"

namespace lockstep {

namespace {

void keep_least(std::atomic<EdgeId>& least, EdgeId value) {
    EdgeId known = least.load();
    while (value < known && !least.compare_exchange_weak(known, value)) {
    }
}

/// Returns the part of every vertex.
std::vector<VertexId> part_of(const std::vector<VertexId>& order, const std::vector<EdgeId>& parts) {
    std::vector<VertexId> part(order.size());
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) {
        for (EdgeId i = parts[p]; i < parts[p + 1]; ++i) part[order[i]] = static_cast<VertexId>(p);
    }
    return part;
}

}  // namespace

std::vector<EdgeId> offsets_in_edges(const Schedule& schedule, Level l) {
    std::vector<EdgeId> offsets = schedule.level(l);
    for (std::size_t i = static_cast<std::size_t>(l) + 1; i < all_levels.size(); ++i) {
        if (schedule.offsets[i].empty()) continue;
        for (EdgeId& o : offsets) o = schedule.offsets[i][o];
    }
    return offsets;
}

Units::Units(const Graph& graph, const Schedule& schedule)
    : graph_(graph), schedule_(schedule), ends_(schedule.order.size() - schedule.locked) {
    constexpr EdgeId ahead = 24;
    Array<VertexId> row(graph.edges());
#pragma omp parallel for schedule(dynamic, 4096)
    for (VertexId u = 0; u < graph.rows; ++u)
        std::fill(row.data() + graph.row_offsets[u], row.data() + graph.row_offsets[u + 1], u);
    const EdgeId* const order = schedule.order.data() + schedule.locked;
#pragma omp parallel for schedule(static)
    for (EdgeId i = 0; i < size(); ++i) {
        if (i + ahead < size()) {
            __builtin_prefetch(&row[order[i + ahead]]);
            __builtin_prefetch(&graph.col[order[i + ahead]]);
        }
        ends_[i] = {row[order[i]], graph.col[order[i]]};
    }
}

EdgeId Units::first_conflict(const std::vector<EdgeId>* units, const std::vector<EdgeId>& sets,
                             bool stars) const {
    const EdgeId count = units ? units->size() : size();
    return count < std::numeric_limits<std::uint32_t>::max() ? claim<std::uint32_t>(units, sets, stars)
                                                             : claim<std::uint64_t>(units, sets, stars);
}

template <class Stamp>
EdgeId Units::claim(const std::vector<EdgeId>* units, const std::vector<EdgeId>& sets, bool stars) const {
    const bool rows = schedule_.disjoint == Disjoint::row || schedule_.disjoint == Disjoint::both;
    const bool cols = schedule_.disjoint == Disjoint::col || schedule_.disjoint == Disjoint::both;
    const bool one_set = graph_.ends == lockstep::Ends::vertices;  // rows and columns are the same vertices
    const EdgeId vertices = (rows ? EdgeId{graph_.rows} : 0) + (cols && !one_set ? EdgeId{graph_.cols} : 0);
    const EdgeId threads = std::clamp<EdgeId>(8 * size() / (sizeof(Stamp) * vertices + 1), 1,
                                              static_cast<EdgeId>(omp_get_max_threads()));
    const EdgeId shares = std::clamp<EdgeId>(size() >> 14, 1, 16 * threads);
    // Returns the first set that begins in the given share of the edges.
    const auto first_set = [&](EdgeId share) {
        return static_cast<EdgeId>(std::lower_bound(sets.begin(), sets.end() - 1, size() / shares * share) -
                                   sets.begin());
    };
    std::atomic<EdgeId> found{none};
    ParallelErrors errors;
#pragma omp parallel num_threads(static_cast <int>(threads))
    {
        // Vertex -> last unit that has claimed it, numbered from 1. The units of a set have consecutive
        // numbers, so a claim of the current set is recognised by its number.
        std::vector<Stamp> of_row, of_own_col;
        errors.run([&] {
            of_row.resize(rows ? graph_.rows : 0), of_own_col.resize(cols && !one_set ? graph_.cols : 0);
        });
        std::vector<Stamp>& of_col = one_set ? of_row : of_own_col;
#pragma omp for schedule(dynamic, 1)
        for (EdgeId share = 0; share < shares; ++share) {
            if (errors.failed()) continue;
            const EdgeId last = share + 1 == shares ? sets.size() - 1 : first_set(share + 1);
            for (EdgeId s = first_set(share); s < last && sets[s] < found; ++s) {
                EdgeId begin = sets[s], unit = begin;
                if (units)
                    unit = static_cast<EdgeId>(std::upper_bound(units->begin(), units->end(), begin) -
                                               units->begin() - 1);
                const EdgeId least = unit + 1;
                for (EdgeId i = sets[s]; i < sets[s + 1]; ++i) {
                    if (!units) {
                        unit = i;
                    } else if ((*units)[unit + 1] <= i) {
                        while ((*units)[unit + 1] <= i) ++unit;
                        begin = i;
                    }
                    const auto stamp = static_cast<Stamp>(unit + 1);
                    const Ends e = ends_[i];
                    // Again: both endpoints were already claimed by this unit.
                    bool good = true, again = stars;
                    const auto take = [&](Stamp& claimed) {
                        good = good && (claimed < least || claimed >= stamp);
                        again = again && claimed == stamp;
                        claimed = stamp;
                    };
                    if (rows) take(of_row[e.row]);
                    if (cols) take(of_col[e.col]);
                    if (stars && i > begin) {
                        const Ends one = ends_[begin], two = ends_[begin + 1];
                        good = good && !again && (one.row == two.row ? e.row == one.row : e.col == one.col);
                    }
                    if (good) continue;
                    keep_least(found, i);
                    break;
                }
            }
        }
    }
    errors.rethrow();
    return found;
}

template <class IsStranger>
EdgeId Units::first_where(const std::vector<EdgeId>& units, IsStranger is_stranger) const {
    std::atomic<EdgeId> found{none};
#pragma omp parallel for schedule(dynamic, 64)
    for (EdgeId unit = 0; unit < units.size() - 1; ++unit) {
        for (EdgeId i = units[unit]; i < units[unit + 1]; ++i) {
            if (is_stranger(unit, ends_[i])) {
                keep_least(found, i);
                break;
            }
        }
    }
    return found;
}

EdgeId Units::first_misplaced_edge(const TileGrid& grid) const {
    std::vector<VertexId> user_block = part_of(schedule_.row_order, schedule_.row_parts),
                          item_block = part_of(schedule_.col_order, schedule_.col_parts);
    const bool turned = rows_reside(schedule_);
    if (turned) std::swap(user_block, item_block);
    const EdgeId blocks = grid.side_by_side();
    return first_where(offsets_in_edges(schedule_, Level::tile), [&](EdgeId tile, Ends e) {
        if (turned) std::swap(e.row, e.col);
        return item_block[e.col] != grid.item_block_of(tile / blocks, tile % blocks) ||
               user_block[e.row] != grid.user_block_of(tile / blocks, tile % blocks);
    });
}

EdgeId Units::first_misplaced_edge() const {
    const std::vector<VertexId> item_block = part_of(schedule_.col_order, schedule_.col_parts);
    return first_where(offsets_in_edges(schedule_, Level::task),
                       [&](EdgeId task, Ends e) { return item_block[e.col] != task; });
}

}  // namespace lockstep
