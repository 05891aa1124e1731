// The files that a run is going to write, checked before its work.
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"
#include "lockstep/formats/outputs.hpp"

namespace lockstep::cli {

using lockstep::Output, lockstep::OutputKind, lockstep::partial_path, lockstep::refuse_standard_input;
using lockstep::schedule_output, lockstep::model_output, lockstep::rank_output, lockstep::record_output,
    lockstep::probe_output, lockstep::html_output, lockstep::svg_output, lockstep::csv_output,
    lockstep::text_output;

/// --force.
void add_force_option(Options& options);

/// Refuses, before any work, an output that is an input or another output of the same run (the same file,
/// whatever its name), one that would replace a file which Lockstep did not write, unless --force was given,
/// and "-" (standard output) for HDF5 or for two of them: UsageError. One that cannot be written, as its
/// folder is not there or cannot be written: OutputError. An empty file may be replaced.
void check_outputs(const Values& values, const std::vector<std::string>& inputs,
                   const std::vector<Output>& outputs);

}  // namespace lockstep::cli
