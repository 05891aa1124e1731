// The options --gpus and --hosts: predictions of the scaling model.
#pragma once

#include "cli.hpp"
#include "insight/scale.hpp"

namespace lockstep {

void declare_scale(cli::Options& options);
/// Returns true if --gpus is given. Throws UsageError if --hosts or --groups is given without it.
bool asks_for_scale(const cli::Values& values);
/// Prints the prediction of the scaling model. Throws UsageError.
void print_scale(const insight::Statistics& statistics, const cli::Values& values, const cli::Common& common);

}  // namespace lockstep
