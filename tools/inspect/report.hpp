// What lockstep-inspect shows: the summary of a model, a rank file or a schedule file and, on request, what
// the hypothetical device of T threads in lockstep would do with it. text.cpp and json.cpp only format.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/formats/result_summary.hpp"
#include "lockstep/formats/schedule_file.hpp"
#include "lockstep/schedules/lockstep_machine.hpp"

namespace lockstep::inspect {

/// The online strategies on T threads in lockstep; edges in the order they are processed.
struct OnlineSteps {
    EdgeLockedRun edge_locked;
    std::optional<EdgeLockedRun> shuffled;  ///< the same in the order of the file's schedule "shuffle"
    NodeLockedRun node_locked;
};

struct Machine {
    VertexId workers = 0;
    Dataset dataset;
    std::map<std::string, EdgeId> time_steps;  ///< by schedule, those that have rounds
    std::optional<OnlineSteps> online;         ///< absent above max_simulated_edges
};

inline constexpr EdgeId max_simulated_edges = 1'000'000;
inline constexpr EdgeId max_listed_edges = 10'000;

struct Report {
    ScheduleFileSummary file;  ///< its schedules are those asked for
    /// Of a graph of one set of vertices: the degrees of the vertices, whichever endpoint of an edge they are.
    std::optional<DegreeStatistics> degrees;
    std::optional<Machine> machine;
    bool details = false;  ///< parameters, histogram and hash of every schedule
};

void print_text(const Report& report);
void print_json(const Report& report);
void print_text(const ResultSummary& result);
void print_json(const ResultSummary& result);

}  // namespace lockstep::inspect
