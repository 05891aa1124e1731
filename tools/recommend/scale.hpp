// --gpus and --hosts: what the scaling model says.
#pragma once

#include "cli.hpp"
#include "insight/scale.hpp"

namespace lockstep {

void declare_scale(cli::Options& options);
/// Whether it is asked for.
bool asks_for_scale(const cli::Values& values);
/// Prints the prediction. Throws UsageError.
void print_scale(const insight::Statistics& statistics, const cli::Values& values, const cli::Common& common);

}  // namespace lockstep
