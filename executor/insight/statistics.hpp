// The statistics of a graph and of its schedules from which the cost model predicts times.
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

/// The statistics of one side (rows or columns) of a graph.
struct Side {
    VertexId vertices = 0;
    DegreeStatistics degrees;
    bool operator==(const Side&) const = default;
};

/// The properties of one schedule. Those that are unknown, or do not exist in this schedule, are 0 or empty.
struct Rounds {
    double rounds = 0;  ///< number of rounds, each of which ends with a device-wide barrier
    /// Pairs of a round size in edges and the number of rounds with this size.
    std::vector<std::pair<double, double>> sizes;
    /// Serial chain, steps, and fullest tile or block, as defined in ScheduleStatistics.
    double chain = 0, steps = 0, fullest = 0;
    double locked = 0;  ///< EL+SGM: number of edges that are updated under locks
    /// AGM-N, SGM and EL+SGM: number of blocks of items. Tiled and blocked: number of item blocks.
    double blocks = 0;
    double vectors = 0;    ///< local: number of vectors that all tiles together load
    double hub_edges = 0;  ///< stars: maximum number of edges in a long star; 0 if there are no long stars
    /// Time in seconds of building the schedule; negative if it is not built, so that the time is predicted.
    double seconds = -1;
    std::string refused;  ///< reason why the schedule cannot be built for this graph; empty if it can
    bool exact = false;   ///< whether the numbers were counted in the schedule, instead of estimated
    bool operator==(const Rounds&) const = default;
};

struct Statistics {
    std::string name;  ///< name of the graph's file
    EdgeId edges = 0;
    Side rows, cols;
    /// Share of the edges whose column occurred shortly before in row-major order, as column_reuse() returns
    /// it.
    double col_reuse = 0;
    double write_seconds = 0;  ///< time in seconds of writing the schedule file; 0 if there is none
    /// Properties of the schedules by name. Schedules that are not in the file are estimated.
    std::map<std::string, Rounds> schedules;

    double vertices() const { return static_cast<double>(rows.vertices) + cols.vertices; }
    double largest() const {
        return static_cast<double>(std::max(rows.degrees.largest, cols.degrees.largest));
    }
    /// Returns the probability that two random edges share a vertex of this side: the sum of (degree /
    /// edges)^2.
    double conflict_probability(const Side& side) const {
        return edges ? side.degrees.squares / (static_cast<double>(edges) * static_cast<double>(edges)) : 0;
    }
    bool operator==(const Statistics&) const = default;
};

/// Reads the statistics of a graph from the attributes of its schedule file, which takes microseconds.
/// Schedules for SGD that are not in the file are estimated from the degrees. Files of format 1.0 have no
/// histogram of degrees, so it is approximated by the mean and the largest degree.
Statistics statistics_of(const ScheduleFileSummary& file, const BuildOptions& options);

/// The method of finding out which schedules cannot be built for a graph.
enum class Refusals {
    tried,  ///< each builder decides itself, which may take as long as building the schedule
    /// Like `tried`, except that an estimate from the hubs decides first, in cases in which the builder would
    /// take the longest.
    estimated,
};
/// Computes the statistics of a graph in O(edges), without building schedules: diagonals and blocks are
/// counted, matchings are estimated from the degrees, and stars are counted by count_stars(). `refusals`
/// selects how schedules that cannot be built are found.
Statistics statistics_of(const Graph& graph, const std::string& name, const BuildOptions& options,
                         Refusals refusals = Refusals::tried);
/// Computes the same statistics without the schedule `stars`, which is marked as impossible, because counting
/// stars takes most of the time.
Statistics statistics_without_stars(const Graph& graph, const std::string& name, const BuildOptions& options,
                                    Refusals refusals);
/// Adds the statistics of the schedule `stars`; the number of its phases is assumed to be near the minimum.
/// O(edges), a large part of the time of building the schedule.
void count_stars(Statistics& statistics, const Graph& graph, const BuildOptions& options);

nlohmann::ordered_json to_json(const Statistics& s);

}  // namespace lockstep::insight
