// What of a graph and its schedules the cost model looks at.
#pragma once

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/builders.hpp"
#include "lockstep/schedules/graph.hpp"

namespace lockstep::insight {

/// One side of a graph.
struct Side {
    VertexId vertices = 0;
    DegreeStatistics degrees;
    bool operator==(const Side&) const = default;
};

/// A schedule, as far as its rounds are known.
struct Rounds {
    double rounds = 0;                             ///< device-wide barriers
    std::vector<std::pair<double, double>> sizes;  ///< edges of a round, number of such rounds
    double chain = 0, steps = 0, fullest = 0;      ///< as ScheduleStatistics
    double locked = 0;                             ///< EL+SGM: edges under locks
    double blocks = 0;     ///< AGM-N, SGM, EL+SGM: blocks of items; tiled, blocked: item blocks
    double vectors = 0;    ///< local: vectors that all tiles fetch
    double hub_edges = 0;  ///< stars: edges of a long star at most; 0: there are none
    double seconds = -1;   ///< it took to build; negative: not built, to be predicted
    std::string refused;   ///< why it is not possible on this graph; empty: it is
    bool exact = false;    ///< from the schedule itself, rather than estimated from the graph
    bool operator==(const Rounds&) const = default;
};

struct Statistics {
    std::string name;  ///< of the file
    EdgeId edges = 0;
    Side rows, cols;
    double col_reuse = 0;                     ///< column_reuse()
    double write_seconds = 0;                 ///< of the schedule file, where there is one
    std::map<std::string, Rounds> schedules;  ///< by name: those in the file, and estimates of the others

    double vertices() const { return static_cast<double>(rows.vertices) + cols.vertices; }
    double largest() const {
        return static_cast<double>(std::max(rows.degrees.largest, cols.degrees.largest));
    }
    /// Chance that two random edges share a vertex of this side: the sum of (degree / edges)^2.
    double meeting(const Side& side) const {
        return edges ? side.degrees.squares / (static_cast<double>(edges) * static_cast<double>(edges)) : 0;
    }
    bool operator==(const Statistics&) const = default;
};

/// From a schedule file's attributes alone: microseconds. In files of format 1.0 degrees are bounded by the
/// largest. Schedules of SGD that are not in the file are estimated from the degrees.
Statistics statistics_of(const ScheduleFileSummary& file, const BuildOptions& options);

/// Which schedules a graph refuses.
enum class Refusals {
    tried,      ///< as the builders find
    estimated,  ///< the same, but where hubs refuse by estimate no builder tries: that takes the longest
};
/// From a graph: O(edges), without building a schedule: diagonals and blocks are counted, matchings estimated
/// from the degrees, stars counted (below); `refusals` says how those that are not possible are found.
Statistics statistics_of(const Graph& graph, const std::string& name, const BuildOptions& options,
                         Refusals refusals = Refusals::tried);
/// The same without stars, which are told as refused: to count them takes the longest.
Statistics statistics_without_stars(const Graph& graph, const std::string& name, const BuildOptions& options,
                                    Refusals refusals);
/// Stars, whose phases are about as few as they can be. O(edges), a good part of what building them takes.
void count_stars(Statistics& statistics, const Graph& graph, const BuildOptions& options);

nlohmann::ordered_json to_json(const Statistics& s);

}  // namespace lockstep::insight
