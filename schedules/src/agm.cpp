// The builders of AGM-E and AGM-N (Kaleem et al., III-A.1 and III-A.2): phases that are matchings of the
// whole graph, and the choice of the algorithm that finds the matchings.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "euler.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/grouping.hpp"
#include "one_set.hpp"
#include "resident_blocks.hpp"

namespace lockstep {

namespace {

constexpr std::array<std::string_view, 4> matching_names{"first-fit", "euler", "exact", "auto"};

/// Returns the maximum degree divided by the mean degree, on the side (rows or columns) that has the vertex
/// of maximum degree. Vertices without edges are not counted.
double skew(const Graph& graph) {
    const auto of_side = [&](const std::vector<EdgeId>& degree) {
        EdgeId largest = 0, used = 0;
        for (const EdgeId d : degree) largest = std::max(largest, d), used += d > 0;
        return static_cast<double>(largest) * static_cast<double>(used) / static_cast<double>(graph.edges());
    };
    const MaxDegree degree = max_degree(graph);
    return degree.row >= degree.col ? of_side(row_degrees(graph)) : of_side(col_degrees(graph));
}

/// Matchings and the algorithm that found them.
struct MatchingChoice {
    Matchings matchings;
    Matching method;
    std::string reason;  ///< reason for the choice of `method`, if the option was "auto"
};

/// Finds matchings by the algorithm that suits the graph (Matching::automatic). First-fit is the fastest. On
/// skewed graphs it finds few matchings, because the hub of maximum degree alone requires nearly as many. On
/// near-regular graphs it may find over 10 % more than the minimum, and Euler splitting is worth its time.
MatchingChoice choose_matchings(const Graph& graph) {
    constexpr double tolerated = 1.10, near_regular = 4;
    Matchings first_fit = maximal_matchings(graph);
    const EdgeId count = first_fit.count, least = max_degree(graph).both();
    const std::string found =
        fmt::format("first-fit has {} matchings, and {} is the least possible", count, least);
    if (static_cast<double>(count) <= tolerated * static_cast<double>(least))
        return {std::move(first_fit), Matching::first_fit, found};
    const double s = skew(graph);
    if (s > near_regular) {
        return {std::move(first_fit), Matching::first_fit,
                fmt::format("{}, but the graph is skewed (largest degree {:.1f} x the mean)", found, s)};
    }
    first_fit = {};
    return {euler_matchings(graph), Matching::euler,
            fmt::format("{}; the graph is near-regular (largest degree {:.1f} x the mean)", found, s)};
}

/// Finds matchings of a graph with one set of vertices. Throws ScheduleError (usage) for Euler splitting,
/// which requires two sides.
MatchingChoice matchings_of_one_set(const Graph& graph, Matching requested) {
    if (requested == Matching::exact) return {one_set::exact(graph), requested, {}};
    if (requested == Matching::euler) {
        throw ScheduleError(
            "--matching euler requires two sides; for one set of vertices use first-fit or exact (at most "
            "the largest degree + 1 matchings, if there are no parallel edges)",
            Failure::usage);
    }
    return {one_set::first_fit(graph), Matching::first_fit, {}};
}

/// Finds matchings by the requested algorithm, and records the algorithm that was used in the parameters of
/// the schedule.
Matchings find_matchings(const Graph& graph, Matching requested, Schedule& schedule) {
    if (graph.ends == Ends::vertices) {
        MatchingChoice chosen = matchings_of_one_set(graph, requested);
        schedule.parameters["matching"] = to_string(chosen.method);
        return std::move(chosen.matchings);
    }
    MatchingChoice chosen{{}, requested, {}};
    switch (requested) {
        case Matching::first_fit:
            chosen.matchings = maximal_matchings(graph);
            break;
        case Matching::euler:
            chosen.matchings = euler_matchings(graph);
            break;
        case Matching::exact:
            chosen.matchings = exact_matchings(graph);
            break;
        case Matching::automatic:
            chosen = choose_matchings(graph);
            break;
    }
    schedule.parameters["matching"] = to_string(chosen.method);
    if (!chosen.reason.empty()) schedule.parameters["matching_reason"] = chosen.reason;
    return std::move(chosen.matchings);
}

}  // namespace

std::string_view to_string(Matching matching) { return matching_names[static_cast<std::size_t>(matching)]; }

Matching matching_of(std::string_view name) {
    const auto found = std::find(matching_names.begin(), matching_names.end(), name);
    if (found == matching_names.end()) {
        throw ScheduleError(fmt::format("--matching: there is no algorithm \"{}\"; known are {}", name,
                                        fmt::join(matching_names, ", ")),
                            Failure::usage);
    }
    return static_cast<Matching>(found - matching_names.begin());
}

Schedule build_agm_e(const Graph& graph, const MatchingOptions& options) {
    Schedule schedule;
    schedule.name = "agm-e";
    schedule.disjoint = Disjoint::both;
    const Matchings matchings = find_matchings(graph, options.matching, schedule);
    schedule.maximal = schedule.parameters["matching"] == to_string(Matching::first_fit);
    schedule.level(Level::phase) = group_edges(schedule.order, graph.edges(), matchings.count,
                                               [&](EdgeId e) { return matchings.of_edge[e]; });
    return schedule;
}

Schedule build_agm_n(const Graph& graph, const MatchingOptions& options) {
    Schedule schedule;
    schedule.name = "agm-n";
    schedule.disjoint = Disjoint::both;
    const Matchings matchings = find_matchings(graph, options.matching, schedule);
    schedule.parameters["workers"] = std::to_string(options.workers);

    schedule.residents.resize(graph.cols);
    std::iota(schedule.residents.begin(), schedule.residents.end(), VertexId{0});
    const std::vector<VertexId> block = assign_blocks(schedule, graph.cols, options.workers);
    const std::vector<EdgeId> blocks = group_edges(schedule.order, graph.edges(), block_count(schedule),
                                                   [&](EdgeId e) { return block[graph.col[e]]; });
    set_block_phases(schedule, blocks, [&](EdgeId i) { return matchings.of_edge[schedule.order[i]]; });
    return schedule;
}

}  // namespace lockstep
