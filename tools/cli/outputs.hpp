// Checks of the files that a run will write, made before its work begins.
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"
#include "lockstep/formats/outputs.hpp"

namespace lockstep::cli {

using lockstep::Output, lockstep::OutputKind, lockstep::partial_path, lockstep::refuse_standard_input;
using lockstep::schedule_output, lockstep::model_output, lockstep::rank_output, lockstep::record_output,
    lockstep::probe_output, lockstep::html_output, lockstep::csv_output, lockstep::text_output;

/// Lists --force.
void list_force(Fields& fields, bool& force);

/// Returns the input files that were given.
std::vector<std::string> given_inputs(const Fields& given);
/// Returns the output files that were given, with the options that name them.
std::vector<Output> given_outputs(const Fields& given);

/// Checks all outputs before any work. Throws UsageError for an output that is an input or another output of
/// the same run (the same file, whatever its name), for one that would replace a nonempty file not written by
/// Lockstep unless `force` is true, and for "-" (standard output) if the output is HDF5 or if two outputs
/// use it. Throws OutputError for an output that cannot be written, for example because its folder does not
/// exist.
void check_outputs(const std::vector<std::string>& inputs, const std::vector<Output>& outputs, bool force);

}  // namespace lockstep::cli
