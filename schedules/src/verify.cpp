// The checker of schedules. It reads only the contract (schedule.hpp): no helper of the builders is
// used here, so that an error there cannot hide itself.
#include "lockstep/schedules/verify.hpp"

#include <algorithm>
#include <atomic>
#include <optional>

namespace lockstep {

namespace {

class Checker {
public:
    Checker(const Graph& graph, const Schedule& schedule) : graph_(graph), schedule_(schedule) {}

    Verification run() {
        result_.nested = nested();
        result_.cover = cover();
        if (!result_.nested || !result_.cover) return result_;
        expand_rows();
        result_.disjoint = disjoint();
        result_.resident = resident();
        // First-fit ranks count distinct phases, so the proof of maximality needs the disjoint one.
        result_.maximal = !schedule_.maximal || (result_.disjoint && maximal());
        return result_;
    }

private:
    bool problem(const std::string& text) {
        result_.problems.push_back(text);
        return false;
    }
    EdgeId unlocked() const { return schedule_.order.size() - schedule_.locked; }
    VertexId row_of(EdgeId edge) const { return row_[edge]; }
    VertexId col_of(EdgeId edge) const { return graph_.col[edge]; }
    std::string name_of(EdgeId edge) const {
        return "edge " + std::to_string(edge) + " (" + std::to_string(row_of(edge)) + ", " +
               std::to_string(col_of(edge)) + ")";
    }

    bool nested() {
        if (schedule_.locked > schedule_.order.size()) return problem("more locked edges than edges");
        EdgeId inner_size = unlocked();
        std::string inner = "edge";
        for (std::size_t i = all_levels.size(); i-- > 0;) {
            const auto& offsets = schedule_.offsets[i];
            if (offsets.empty()) continue;
            const std::string name(to_string(all_levels[i]));
            if (offsets.front() != 0 || offsets.back() != inner_size ||
                !std::is_sorted(offsets.begin(), offsets.end())) {
                return problem(name + " offsets do not run monotonely from 0 to the " +
                               std::to_string(inner_size) + " " + inner + "s");
            }
            inner_size = offsets.size() - 1;
            inner = name;
        }
        if (schedule_.disjoint != Disjoint::none && !schedule_.has(Level::phase))
            return problem("disjoint endpoints are promised, but there is no phase level");
        if (schedule_.maximal && !schedule_.has(Level::phase))
            return problem("maximal rounds are promised, but there is no phase level");
        const auto partition = [&](const std::vector<EdgeId>& offsets, std::size_t size) {
            return offsets.empty() || (offsets.front() == 0 && offsets.back() == size &&
                                       std::is_sorted(offsets.begin(), offsets.end()));
        };
        if (!schedule_.residents.empty() &&
            schedule_.resident_offsets.size() != schedule_.count(Level::block) + 1)
            return problem("residents are not given for every block");
        if (!partition(schedule_.resident_offsets, schedule_.residents.size()))
            return problem("resident offsets do not cover the residents");
        if (!partition(schedule_.row_parts, schedule_.row_order.size()) ||
            !partition(schedule_.col_parts, schedule_.col_order.size()))
            return problem("parts do not cover the vertex order");
        return true;
    }

    template <class Ids>
    static bool is_permutation_of(const Ids& order, EdgeId size) {
        if (order.size() != size) return false;
        std::vector<bool> seen(size);
        for (const auto i : order) {
            if (i >= size || seen[i]) return false;
            seen[i] = true;
        }
        return true;
    }

    bool cover() {
        const bool vertex_order = !schedule_.row_order.empty() || !schedule_.col_order.empty();
        if (vertex_order && (!is_permutation_of(schedule_.row_order, graph_.rows) ||
                             !is_permutation_of(schedule_.col_order, graph_.cols))) {
            return problem("the vertex orders are not permutations of the vertices");
        }
        if (vertex_order && schedule_.order.empty()) return true;
        if (schedule_.order.size() != graph_.edges()) {
            return problem("the order has " + std::to_string(schedule_.order.size()) + " edges, the graph " +
                           std::to_string(graph_.edges()));
        }
        if (!is_permutation_of(schedule_.order, graph_.edges()))
            return problem("the order does not hold each edge exactly once");
        return true;
    }

    void expand_rows() {
        row_.resize(graph_.edges());
        for (VertexId u = 0; u < graph_.rows; ++u) {
            for (EdgeId e = graph_.row_offsets[u]; e < graph_.row_offsets[u + 1]; ++e) row_[e] = u;
        }
    }

    /// Offsets of level l in edges (behind the locked ones).
    std::vector<EdgeId> in_edges(Level l) const {
        std::vector<EdgeId> offsets = schedule_.level(l);
        for (std::size_t i = static_cast<std::size_t>(l) + 1; i < all_levels.size(); ++i) {
            if (schedule_.offsets[i].empty()) continue;
            for (EdgeId& o : offsets) o = schedule_.offsets[i][o];
        }
        return offsets;
    }

    /// Each vertex is claimed by one unit of one concurrent set; a claim by a second unit is a conflict.
    struct Claims {
        explicit Claims(VertexId vertices) : set(vertices, 0), unit(vertices, 0) {}
        bool conflicts(VertexId v, EdgeId s, EdgeId u) {
            if (set[v] == s && unit[v] != u) return true;
            set[v] = s, unit[v] = u;
            return false;
        }
        std::vector<EdgeId> set, unit;
    };

    /// Units `units` (edge offsets; nullptr: single edges) inside the concurrent sets `sets`.
    bool disjoint_units(const std::vector<EdgeId>* units, const std::vector<EdgeId>& sets,
                        const std::string& unit_name, Level set_level) {
        const bool rows = schedule_.disjoint == Disjoint::row || schedule_.disjoint == Disjoint::both;
        const bool cols = schedule_.disjoint == Disjoint::col || schedule_.disjoint == Disjoint::both;
        Claims row_claims(rows ? graph_.rows : 0), col_claims(cols ? graph_.cols : 0);
        EdgeId unit = 0;
        for (std::size_t s = 0; s + 1 < sets.size(); ++s) {
            for (EdgeId i = sets[s]; i < sets[s + 1]; ++i) {
                if (units) {
                    while ((*units)[unit + 1] <= i) ++unit;
                } else {
                    unit = i;
                }
                const EdgeId edge = schedule_.order[schedule_.locked + i];
                const bool row_conflict = rows && row_claims.conflicts(row_of(edge), s + 1, unit);
                const bool col_conflict = cols && col_claims.conflicts(col_of(edge), s + 1, unit);
                if (row_conflict || col_conflict) {
                    return problem(name_of(edge) + " shares its " + (row_conflict ? "row" : "column") +
                                   " with another " + unit_name + " of " + std::string(to_string(set_level)) +
                                   " " + std::to_string(s));
                }
            }
        }
        return true;
    }

    bool disjoint() {
        if (schedule_.disjoint == Disjoint::none) return true;
        const bool tiles = schedule_.has(Level::tile);
        const Level set = schedule_.has(Level::step) ? Level::step : tiles ? Level::tile : Level::phase;
        const bool tasks = schedule_.has(Level::task);
        const std::vector<EdgeId> task_offsets = tasks ? in_edges(Level::task) : std::vector<EdgeId>{};
        if (!disjoint_units(tasks ? &task_offsets : nullptr, in_edges(set), tasks ? "task" : "edge", set))
            return false;
        if (!tiles) return true;
        const std::vector<EdgeId> tile_offsets = in_edges(Level::tile);
        return disjoint_units(&tile_offsets, in_edges(Level::phase), "tile", Level::phase);
    }

    bool resident() {
        if (schedule_.residents.empty()) return true;
        constexpr EdgeId nowhere = ~EdgeId{0};
        std::vector<EdgeId> home(graph_.cols, nowhere);
        for (std::size_t b = 0; b + 1 < schedule_.resident_offsets.size(); ++b) {
            for (EdgeId i = schedule_.resident_offsets[b]; i < schedule_.resident_offsets[b + 1]; ++i) {
                const VertexId v = schedule_.residents[i];
                if (v >= graph_.cols)
                    return problem("resident column " + std::to_string(v) + " is not in the graph");
                if (home[v] != nowhere) return problem("column " + std::to_string(v) + " is resident twice");
                home[v] = b;
            }
        }
        const std::vector<EdgeId> blocks = in_edges(Level::block);
        for (std::size_t b = 0; b + 1 < blocks.size(); ++b) {
            for (EdgeId i = blocks[b]; i < blocks[b + 1]; ++i) {
                const EdgeId edge = schedule_.order[schedule_.locked + i];
                if (home[col_of(edge)] != b)
                    return problem(name_of(edge) + " is in block " + std::to_string(b) +
                                   ", where its column is not resident");
            }
        }
        return true;
    }

    /// The phases in which each vertex of one side has an edge, ascending, and the edge's other end.
    struct Phases {
        std::vector<EdgeId> first;
        std::vector<VertexId> phase, other;
    };
    template <class Vertex, class Other>
    Phases phases_of(VertexId vertices, const std::vector<EdgeId>& phase_edges, Vertex vertex,
                     Other other) const {
        Phases p;
        p.first.assign(std::size_t{vertices} + 1, 0);
        for (EdgeId i = 0; i < unlocked(); ++i) ++p.first[vertex(schedule_.order[schedule_.locked + i]) + 1];
        for (std::size_t v = 1; v < p.first.size(); ++v) p.first[v] += p.first[v - 1];
        p.phase.resize(unlocked()), p.other.resize(unlocked());
        std::vector<EdgeId> next(p.first.begin(), p.first.end() - 1);
        for (std::size_t ph = 0; ph + 1 < phase_edges.size(); ++ph) {
            for (EdgeId i = phase_edges[ph]; i < phase_edges[ph + 1]; ++i) {
                const EdgeId edge = schedule_.order[schedule_.locked + i];
                const EdgeId at = next[vertex(edge)]++;
                p.phase[at] = static_cast<VertexId>(ph);
                p.other[at] = other(edge);
            }
        }
        return p;
    }

    /// An edge in phase p of its block is maximal when every earlier phase of the block holds one of
    /// its endpoints: the gaps of one endpoint must lie in the phases of the other. Checks the edges
    /// whose endpoint on side `a` has fewer gaps (`ties` included or not), a vertex of `a` at a time.
    bool gaps_filled(const Phases& a, const Phases& b, const std::vector<EdgeId>& block_first,
                     bool ties) const {
        std::atomic<bool> good{true};
        const auto vertices = static_cast<std::int64_t>(a.first.size()) - 1;
#pragma omp parallel for schedule(dynamic, 256)
        for (std::int64_t v = 0; v < vertices; ++v) {
            if (!good.load(std::memory_order_relaxed)) continue;
            std::vector<VertexId> gaps;
            EdgeId block_end = 0;   // first phase behind the current block
            VertexId expected = 0;  // next phase that is not yet a gap
            VertexId block_begin = 0;
            for (EdgeId i = a.first[v]; i < a.first[v + 1]; ++i) {
                const VertexId p = a.phase[i];
                if (p >= block_end) {
                    const auto next = std::upper_bound(block_first.begin(), block_first.end(), EdgeId{p});
                    block_end = next == block_first.end() ? ~EdgeId{0} : *next;
                    block_begin = expected = static_cast<VertexId>(*(next - 1));
                    gaps.clear();
                }
                for (; expected < p; ++expected) gaps.push_back(expected);
                expected = p + 1;
                if (gaps.empty()) continue;
                const auto begin = b.phase.begin() + static_cast<std::ptrdiff_t>(b.first[a.other[i]]);
                const auto end = b.phase.begin() + static_cast<std::ptrdiff_t>(b.first[a.other[i] + 1]);
                auto from = std::lower_bound(begin, end, block_begin);
                const auto to = std::lower_bound(from, end, p);
                const auto present = static_cast<std::size_t>(to - from);
                const std::size_t other_gaps = p - block_begin - present;
                if (gaps.size() > other_gaps || (gaps.size() == other_gaps && !ties)) continue;
                if (gaps.size() > present) {
                    good = false;
                    break;
                }
                for (const VertexId gap : gaps) {
                    from = std::lower_bound(from, to, gap);
                    if (from == to || *from != gap) {
                        good = false;
                        break;
                    }
                }
            }
        }
        return good;
    }

    bool maximal() {
        const std::vector<EdgeId> phase_edges = in_edges(Level::phase);
        std::vector<EdgeId> block_first =
            schedule_.has(Level::block) ? schedule_.level(Level::block) : std::vector<EdgeId>{0};
        if (schedule_.has(Level::block) && block_first.size() > 1) block_first.pop_back();
        const auto row = [&](EdgeId e) { return row_of(e); };
        const auto col = [&](EdgeId e) { return col_of(e); };
        const Phases rows = phases_of(graph_.rows, phase_edges, row, col);
        const Phases cols = phases_of(graph_.cols, phase_edges, col, row);
        if (gaps_filled(cols, rows, block_first, true) && gaps_filled(rows, cols, block_first, false))
            return true;
        return problem(
            "a round is not maximal: one of its successors holds an edge that it could have taken");
    }

    const Graph& graph_;
    const Schedule& schedule_;
    std::vector<VertexId> row_;
    Verification result_;
};

}  // namespace

Verification verify(const Graph& graph, const Schedule& schedule) { return Checker(graph, schedule).run(); }

}  // namespace lockstep
