// The statistics of a graph and its schedules that the cost model uses.
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

/// The rounds of a schedule, as far as they are known.
struct Rounds {
    double rounds = 0;                             ///< number of device-wide barriers
    std::vector<std::pair<double, double>> sizes;  ///< pairs: edges of a round, number of such rounds
    double chain = 0, steps = 0, fullest = 0;      ///< the same as in ScheduleStatistics
    double locked = 0;                             ///< EL+SGM: number of edges under locks
    /// AGM-N, SGM, EL+SGM: number of blocks of items; tiled, blocked: number of item blocks.
    double blocks = 0;
    double vectors = 0;    ///< local: number of vectors that all tiles fetch
    double hub_edges = 0;  ///< stars: maximum number of edges of a long star; 0: there are none
    double seconds = -1;   ///< seconds that building took; negative: not built, so the time is predicted
    std::string refused;   ///< reason why the schedule is not possible on this graph; empty: it is possible
    bool exact = false;  ///< whether the numbers come from the schedule itself, rather than from an estimate
    bool operator==(const Rounds&) const = default;
};

struct Statistics {
    std::string name;  ///< name of the graph's file
    EdgeId edges = 0;
    Side rows, cols;
    double col_reuse = 0;      ///< result of column_reuse()
    double write_seconds = 0;  ///< seconds to write the schedule file, if there is one
    /// Schedules by name: those in the file, and estimates of the others.
    std::map<std::string, Rounds> schedules;

    double vertices() const { return static_cast<double>(rows.vertices) + cols.vertices; }
    double largest() const {
        return static_cast<double>(std::max(rows.degrees.largest, cols.degrees.largest));
    }
    /// Returns the probability that two random edges share a vertex of this side: the sum of (degree /
    /// edges)^2.
    double meeting(const Side& side) const {
        return edges ? side.degrees.squares / (static_cast<double>(edges) * static_cast<double>(edges)) : 0;
    }
    bool operator==(const Statistics&) const = default;
};

/// Returns the statistics of a schedule file from its attributes alone, within microseconds. Files of format
/// 1.0 have no histograms of degrees, which are approximated by the mean and the largest degree. Schedules of
/// SGD that are not in the file are estimated from the degrees.
Statistics statistics_of(const ScheduleFileSummary& file, const BuildOptions& options);

/// How to find the schedules that are not possible on a graph.
enum class Refusals {
    tried,  ///< all builders are tried
    /// Builders are tried unless hubs alone make an estimate refuse, since then a builder takes the longest.
    estimated,
};
/// Returns the statistics of a graph without building a schedule, in O(edges): diagonals and blocks are
/// counted, matchings are estimated from the degrees, stars are counted by count_stars(). `refusals`: how
/// schedules that are not possible are found.
Statistics statistics_of(const Graph& graph, const std::string& name, const BuildOptions& options,
                         Refusals refusals = Refusals::tried);
/// Returns the same statistics without `stars`, which is marked as refused: counting stars takes the longest.
Statistics statistics_without_stars(const Graph& graph, const std::string& name, const BuildOptions& options,
                                    Refusals refusals);
/// Adds the statistics of the schedule of stars, whose number of phases is about the minimum. O(edges); it
/// takes a large part of the time of building the stars.
void count_stars(Statistics& statistics, const Graph& graph, const BuildOptions& options);

nlohmann::ordered_json to_json(const Statistics& s);

}  // namespace lockstep::insight
