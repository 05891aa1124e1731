// What the groups of the C interface share of graphs and files.
#pragma once

#include "call.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep::c {

/// What a schedule file of the graph would say beside the arrays; the mutex is held.
const ScheduleFileSummary& summary(const lockstep_graph& graph);
/// The options of lockstep_graph_new. Throws UsageError.
cli::Values graph_options(const char* const* options);
/// Arrays row_ids and col_ids; names as texts end to end, with row_ids_offsets.
void add_both_ids(lockstep_result& result, const IdMap& rows, const IdMap& cols);
/// Refuses a file that is there, without the option force, the only one there is.
void refuse_existing(const char* path, const char* const* options);
/// The schedule of that name, made and proved where the graph does not have it; the mutex is held. Throws as its
/// builder, and Error (verification).
const Schedule& ensure_schedule(lockstep_graph& graph, const std::string& name,
                                const BuildOptions& options = {});

}  // namespace lockstep::c
