// Checks whether the data that a walk keeps in shared memory fits on a multiprocessor. Each function returns
// an error message if it does not fit, and nothing if it does.
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/operator_size.hpp"

namespace lockstep {

/// Returns an error message if `largest`, the number of columns of the largest block, exceeds `most`, the
/// number of columns for which the device has memory. `advice` completes the message "preprocess with a …".
std::optional<std::string> too_many_columns(EdgeId largest, EdgeId most, const char* advice);
/// Returns an error message if walk `walk`, which copies vertices to shared memory, cannot run: it requires
/// an operator with the interface of on_chip.hpp, and compute capability ≥ 9.0.
std::optional<std::string> not_on_chip(const char* walk, const OperatorSize& size,
                                       const gpu::Properties& device);

}  // namespace lockstep
