// The verifier of schedules. It relies only on the contract in schedule.hpp, and calls no function of the
// builders, so that an error in a builder is not repeated here.
#include "lockstep/schedules/verify.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <optional>

#include "lockstep/schedules/form.hpp"
#include "verify_adjacency.hpp"
#include "verify_rounds.hpp"
#include "verify_units.hpp"

namespace lockstep {

namespace {

class Checker {
public:
    Checker(const Graph& graph, const Schedule& schedule) : graph_(graph), schedule_(schedule) {}

    Verification run() {
        result_.nested = nested() && formed();
        result_.cover = cover();
        if (!result_.nested || !result_.cover) return result_;
        const bool rounds_of_edges = schedule_.has(Level::phase) && !schedule_.has(Level::task) &&
                                     !schedule_.has(Level::step) && !schedule_.has(Level::tile);
        RoundsVerification proof;
        if (rounds_of_edges) proof = verify_rounds(graph_, schedule_, in_edges(Level::phase));
        // If verify_rounds() does not support the schedule or finds a conflict, the general check runs. It
        // also reports the edge that conflicts.
        if (!rounds_of_edges || !proof.disjoint) proof.disjoint = disjoint();
        result_.disjoint = proof.disjoint;
        result_.resident = resident();
        result_.maximal = !schedule_.maximal || (rounds_of_edges && proof.disjoint && proof.maximal);
        if (!result_.maximal)
            problem(
                "a round is not maximal: an edge of a later round has no conflict with the edges of this "
                "round");
        return result_;
    }

    Verification run_concurrency() {
        result_.cover = result_.maximal = true;
        result_.nested = nested() && formed();
        if (!result_.nested) return result_;
        result_.disjoint = disjoint();
        result_.resident = resident();
        return result_;
    }

private:
    bool problem(const std::string& text) {
        result_.problems.push_back(text);
        return false;
    }
    EdgeId unlocked() const { return schedule_.order.size() - schedule_.locked; }
    VertexId row_of(EdgeId edge) const {
        const auto next = std::upper_bound(graph_.row_offsets.begin(), graph_.row_offsets.end(), edge);
        return static_cast<VertexId>(next - graph_.row_offsets.begin() - 1);
    }
    VertexId col_of(EdgeId edge) const { return graph_.col[edge]; }
    EdgeId edge_at(EdgeId i) const { return schedule_.order[schedule_.locked + i]; }
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
                return problem(std::string(name)
                                   .append(" offsets do not increase monotonically from 0 to the ")
                                   .append(std::to_string(inner_size) + " ")
                                   .append(inner)
                                   .append("s"));
            }
            inner_size = offsets.size() - 1;
            inner = name;
        }
        if (schedule_.disjoint != Disjoint::none && !schedule_.has(Level::phase))
            return problem("disjoint endpoints are declared, but there is no phase level");
        if (schedule_.maximal && !schedule_.has(Level::phase))
            return problem("maximal rounds are declared, but there is no phase level");
        const auto partition = [&](const std::vector<EdgeId>& offsets, std::size_t size) {
            return offsets.empty() || (offsets.front() == 0 && offsets.back() == size &&
                                       std::is_sorted(offsets.begin(), offsets.end()));
        };
        if (!schedule_.residents.empty() &&
            schedule_.resident_offsets.size() != schedule_.count(Level::block) + 1)
            return problem("the residents of some blocks are missing");
        if (!partition(schedule_.resident_offsets, schedule_.residents.size()))
            return problem("resident offsets do not cover the residents");
        if (!partition(schedule_.row_parts, schedule_.row_order.size()) ||
            !partition(schedule_.col_parts, schedule_.col_order.size()))
            return problem("parts do not cover the vertex order");
        return true;
    }

    /// Checks the properties that the name of a schedule implies: the form, and the sides on which work is
    /// disjoint. A name without a builder implies nothing.
    bool formed() {
        const Form* const form = form_of(schedule_.name, graph_.ends);
        if (!form) return true;
        const auto wrong = [&](const std::string& what) {
            return problem("it is not a valid " + schedule_.name + " schedule: it " + what);
        };
        const std::string found = departure(graph_, schedule_, *form);
        if (!found.empty()) return wrong(found);
        if (schedule_.disjoint != form->disjoint) {
            return wrong("is disjoint on " + std::string(to_string(schedule_.disjoint)) + ", not on " +
                         std::string(to_string(form->disjoint)));
        }
        if (*form == forms::item_blocks && schedule_.col_parts.size() != schedule_.count(Level::task) + 1)
            return wrong("does not have one task per block of items");
        try {
            if (*form == forms::tiles) tile_grid(schedule_);
        } catch (const ScheduleError& e) {
            return wrong(std::string("has no valid grid of tiles: ") + e.what());
        }
        const std::string region = schedule_.name == "regions" ? wrong_regions() : std::string();
        return region.empty() || wrong(region);
    }

    /// Returns a description of the first fault in the parts of a regions schedule, or an empty string.
    /// Region r consists of part r of the rows and part r of the columns, and has at most `region_vertices`
    /// vertices. In a square graph, both parts must be equal.
    std::string wrong_regions() const {
        const auto parameter = schedule_.parameters.find("region_vertices");
        EdgeId most = 0;
        if (parameter == schedule_.parameters.end() ||
            std::from_chars(parameter->second.data(), parameter->second.data() + parameter->second.size(),
                            most)
                    .ec != std::errc())
            return "lacks the parameter region_vertices, the maximum number of vertices per region";
        const auto &rows = schedule_.row_parts, &cols = schedule_.col_parts;
        const bool square = graph_.shape == GraphShape::square;
        if (rows.size() != cols.size()) return "has different numbers of regions for rows and columns";
        if (square && (rows != cols || schedule_.row_order != schedule_.col_order))
            return "has different orders for the rows and columns of a square graph";
        for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
            const EdgeId size = rows[r + 1] - rows[r] + (square ? 0 : cols[r + 1] - cols[r]);
            if (size > most) {
                return "has " + std::to_string(size) + " vertices in region " + std::to_string(r) +
                       ", which exceeds the allowed " + parameter->second + " vertices";
            }
        }
        return {};
    }

    template <class Ids>
    static bool is_permutation_of(const Ids& ids, EdgeId size) {
        if (ids.size() != size) return false;
        // An array of bytes, since concurrent threads can set different bytes, but not different bits of one
        // byte, without synchronization.
        std::vector<std::uint8_t> seen(size);
        EdgeId outside = 0, distinct = 0;
#pragma omp parallel for reduction(+ : outside)
        for (EdgeId i = 0; i < size; ++i) {
            if (ids[i] < size)
                std::atomic_ref(seen[ids[i]]).store(1, std::memory_order_relaxed);
            else
                ++outside;
        }
        if (outside > 0) return false;
#pragma omp parallel for reduction(+ : distinct)
        for (EdgeId i = 0; i < size; ++i) distinct += seen[i];
        return distinct == size;  // if so, every position is set, and no ID occurs twice
    }

    bool cover() {
        const bool vertex_order = !schedule_.row_order.empty() || !schedule_.col_order.empty();
        if (vertex_order && (!is_permutation_of(schedule_.row_order, graph_.rows) ||
                             !is_permutation_of(schedule_.col_order, graph_.cols))) {
            return problem("the vertex orders are not permutations of the vertices");
        }
        if (vertex_order && schedule_.order.empty()) return true;
        if (schedule_.order.size() != graph_.edges()) {
            return problem("the order has " + std::to_string(schedule_.order.size()) +
                           " edges, but the graph has " + std::to_string(graph_.edges()));
        }
        if (!is_permutation_of(schedule_.order, graph_.edges()))
            return problem("the order does not contain each edge exactly once");
        return true;
    }

    /// Returns the offsets of level l as positions of edges, counted from the first edge that is not locked.
    std::vector<EdgeId> in_edges(Level l) const { return offsets_in_edges(schedule_, l); }

    bool disjoint() {
        const Form* const form = form_of(schedule_.name, graph_.ends);
        const bool tiled = form && *form == forms::tiles;
        if (promises_adjacency(schedule_.name)) {
            const std::string fault = adjacency_fault(graph_, schedule_);
            return fault.empty() || problem(fault);
        }
        const Units units(graph_, schedule_);
        if (tiled &&
            !report(units.first_misplaced_edge(tile_grid(schedule_)), "is in a tile of different blocks"))
            return false;
        if (form && *form == forms::item_blocks &&
            !report(units.first_misplaced_edge(), "is in the task of a different block of items"))
            return false;
        if (schedule_.disjoint == Disjoint::none) return true;
        const bool tiles = schedule_.has(Level::tile);
        const Level set = schedule_.has(Level::step) ? Level::step : tiles ? Level::tile : Level::phase;
        const bool tasks = schedule_.has(Level::task);
        if (!disjoint_units(units, tasks ? std::optional(Level::task) : std::nullopt, set, tiled))
            return false;
        return !tiles || disjoint_units(units, Level::tile, Level::phase, false);
    }

    bool disjoint_units(const Units& units, std::optional<Level> unit, Level set, bool stars) {
        const std::vector<EdgeId> sets = in_edges(set),
                                  of_units = unit ? in_edges(*unit) : std::vector<EdgeId>{};
        const EdgeId found = units.first_conflict(unit ? &of_units : nullptr, sets, stars);
        if (found == Units::none) return true;
        const auto number = std::upper_bound(sets.begin(), sets.end(), found) - sets.begin() - 1;
        return report(found, "shares an endpoint with another " +
                                 std::string(unit ? to_string(*unit) : std::string_view("edge")) +
                                 (stars ? ", or is not of its task's star," : "") + " of " +
                                 std::string(to_string(set)) + " " + std::to_string(number));
    }
    /// Returns true if `found` is Units::none. Otherwise reports a problem with the edge at that position and
    /// returns false.
    bool report(EdgeId found, const std::string& what) {
        return found == Units::none || problem(name_of(edge_at(found)) + " " + what);
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
            bool good = true;
#pragma omp parallel for schedule(static) reduction(&& : good) if (blocks[b + 1] - blocks[b] > 1 << 16)
            for (EdgeId i = blocks[b]; i < blocks[b + 1]; ++i) good = good && home[col_of(edge_at(i))] == b;
            for (EdgeId i = blocks[b]; !good && i < blocks[b + 1]; ++i) {
                if (home[col_of(edge_at(i))] != b)
                    return problem(name_of(edge_at(i)) + " is in block " + std::to_string(b) +
                                   ", where its column is not resident");
            }
        }
        return true;
    }

    const Graph& graph_;
    const Schedule& schedule_;
    Verification result_;
};

}  // namespace

Verification verify(const Graph& graph, const Schedule& schedule) { return Checker(graph, schedule).run(); }

Verification verify_concurrency(const Graph& graph, const Schedule& schedule) {
    return Checker(graph, schedule).run_concurrency();
}

}  // namespace lockstep
