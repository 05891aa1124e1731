// The contents of a report of lockstep-inspect: the summary of a model, a rank file or a schedule file and,
// on request, a simulation of the schedules on T threads that run in lockstep. text.cpp and json.cpp only
// format it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/formats/result_summary.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/lockstep_machine.hpp"

namespace lockstep::inspect {

/// The online strategies on T threads in lockstep, which process the edges in order.
struct OnlineSteps {
    EdgeLockedRun edge_locked;
    /// The edge-locked run in the order of the file's schedule "shuffle".
    std::optional<EdgeLockedRun> shuffled;
    NodeLockedRun node_locked;
};

struct Machine {
    VertexId workers = 0;
    Dataset dataset;
    std::map<std::string, EdgeId> time_steps;  ///< number of time steps of each schedule that has rounds
    std::optional<OnlineSteps> online;  ///< absent if the graph has more than max_simulated_edges edges
};

inline constexpr EdgeId max_simulated_edges = 1'000'000;
inline constexpr EdgeId max_listed_edges = 10'000;

struct Report {
    ScheduleFileSummary file;  ///< the file; lists only the selected schedules
    /// Degrees of the vertices, if the graph has one set of vertices; each edge counts at both endpoints.
    std::optional<DegreeStatistics> degrees;
    std::optional<Machine> machine;
    bool details = false;  ///< whether to show parameters, histogram and hash of every schedule
};

void print_text(const Report& report);
void print_json(const Report& report);
void print_text(const ResultSummary& result);
void print_json(const ResultSummary& result);

}  // namespace lockstep::inspect
