// Checks whether a plan fits on a multiprocessor, with the reason if it does not.
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/operator_size.hpp"

namespace lockstep {

/// Returns an error message if the `largest` block has more columns than the maximum `most` that the device
/// holds. `advice` completes the message "preprocess with a …".
std::optional<std::string> too_many_columns(EdgeId largest, EdgeId most, const char* advice);
/// Returns an error message if the operator or the device does not meet the requirements of a walk that
/// copies vertices to shared memory: an operator as in on_chip.hpp, and compute capability ≥ 9.0.
std::optional<std::string> not_on_chip(const char* walk, const OperatorSize& size,
                                       const gpu::Properties& device);

}  // namespace lockstep
