// The command-line options that say how an input file is to be read.
#pragma once

#include "cli.hpp"
#include "lockstep/formats/dataset.hpp"

namespace lockstep::cli {

/// --format, --member, --shape, --undirected, --repeats, --rows-column, --cols-column, --value-column,
/// --time-column,
/// --delimiter, --header, --nonnegative, --memory.
void add_input_options(Options& options);

/// --feedback, --positive-from, --negatives, which go with --seed.
void add_feedback_options(Options& options);

/// What the user chose; the memory limit defaults to the physical memory. Throws UsageError.
ReadOptions input_options(const Values& values);

}  // namespace lockstep::cli
