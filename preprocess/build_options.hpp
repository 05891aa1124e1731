// The options of the builders, as programs and the C interface take them.
#pragma once

#include "cli.hpp"
#include "lockstep/schedules/builders.hpp"

namespace lockstep {

/// --workers, --matching, --item-blocks, …: those of BuildOptions but the seed, and --probe.
void add_build_options(cli::Options& options);
/// What they say, --seed among them; not --probe. Throws UsageError.
BuildOptions build_options(const cli::Values& values);

}  // namespace lockstep
