// The options --gpus and --hosts: predictions of the scaling model.
#pragma once

#include "cli.hpp"
#include "insight/scale.hpp"

namespace lockstep {

struct ScaleOptions {
    std::optional<EdgeId> gpus;
    EdgeId hosts = 1, groups = 0;

    void list(Fields& fields);
};

/// Returns true if --gpus is given. Throws UsageError if --hosts or --groups is given without it.
bool asks_for_scale(const ScaleOptions& options, const Fields& given);
/// Prints the prediction of the scaling model for factor vectors of length `rank`. Throws UsageError, among
/// others for a device other than auto or h200.
void print_scale(const insight::Statistics& statistics, const ScaleOptions& options,
                 const std::string& device, std::uint32_t rank, const cli::Common& common);

}  // namespace lockstep
