// What fits on a multiprocessor, and why not.
#pragma once

#include <optional>
#include <string>

#include "lockstep/executor/device/properties.hpp"
#include "lockstep/executor/edge/operator_size.hpp"

namespace lockstep {

/// Where `largest` columns of a block are more than the device holds.
std::optional<std::string> too_many_columns(EdgeId largest, EdgeId most, const char* advice);
/// What walks that copy vertices there need alike.
std::optional<std::string> not_on_chip(const char* walk, const OperatorSize& size,
                                       const gpu::Properties& device);

}  // namespace lockstep
