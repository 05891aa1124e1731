// Functions on graphs and files that several parts of the C interface use.
#pragma once

#include "call.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep::c {

/// Returns the summary that a schedule file of the graph would have. The caller holds the graph's mutex.
const ScheduleFileSummary& summary(const lockstep_graph& graph);
/// Throws UsageError if these are not valid options of lockstep_graph_new.
void check_graph_options(const char* const* options);
/// Adds the arrays row_ids and col_ids. IDs that are strings are one concatenated text, with their offsets in
/// the array row_ids_offsets (col_ids_offsets).
void add_both_ids(lockstep_result& result, const IdMap& rows, const IdMap& cols);
/// Throws UsageError if the file exists and the options do not contain `force`, which is the only option
/// allowed.
void refuse_existing(const char* path, const char* const* options);
/// Returns the schedule of that name; builds it if the graph does not have it, and verifies it if that has
/// not been done. The caller holds the graph's mutex. Throws the errors of the builder, and Error
/// (verification).
const Schedule& ensure_schedule(lockstep_graph& graph, const std::string& name,
                                const BuildOptions& options = {});

}  // namespace lockstep::c
