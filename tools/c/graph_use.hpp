// Functions on graphs that several source files of the C interface use.
#pragma once

#include "call.hpp"
#include "insight/build_options.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep::c {

/// Returns the summary of the graph and its schedules, as a schedule file would contain it. The caller must
/// have locked the graph's mutex.
const ScheduleFileSummary& summary(const lockstep_graph& graph);
/// Throws UsageError if these are not valid options of lockstep_graph_new.
void check_graph_options(const char* const* options);
/// Adds the arrays row_ids and col_ids. IDs that are strings are one concatenated text, with their offsets in
/// the array row_ids_offsets (col_ids_offsets).
void add_both_ids(lockstep_result& result, const IdMap& rows, const IdMap& cols);
/// Throws UsageError if the file exists, unless the options contain `force`. Also throws it if they contain
/// any other option.
void refuse_existing(const char* path, const char* const* options);
/// Returns the graph's schedule `name`. Builds it if the graph does not have it, and verifies it if it has
/// not been verified. The caller must have locked the graph's mutex. Throws the errors of the builder, and
/// Error (verification).
const Schedule& ensure_schedule(lockstep_graph& graph, const std::string& name,
                                const BuildOptions& options = insight::default_build_options());

}  // namespace lockstep::c
