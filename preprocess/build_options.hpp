// The options of the builders, for the programs and the C interface.
#pragma once

#include "cli.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// Adds --workers, --matching, --item-blocks, …: the options for the members of BuildOptions except the seed,
/// and --probe.
void add_build_options(cli::Options& options);
/// Returns the builder options that `values` contains, including --seed, but not --probe. Throws UsageError.
BuildOptions build_options(const cli::Values& values);

}  // namespace lockstep
