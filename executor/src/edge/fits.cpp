#include "lockstep/executor/edge/fits.hpp"

namespace lockstep {

std::optional<std::string> too_many_columns(EdgeId largest, EdgeId most, const char* advice) {
    if (largest <= most) return {};
    return "the schedule keeps blocks of " + std::to_string(largest) +
           " items in shared memory, but this device has space for " + std::to_string(most) +
           " at this rank; preprocess with a " + advice;
}

std::optional<std::string> not_on_chip(const char* walk, const OperatorSize& size,
                                       const gpu::Properties& device) {
    if (size.vector_bytes == 0)
        return std::string(
                   "the operator does not support shared memory (edge/on_chip.hpp), which strategy ") +
               walk + " requires";
    if (device.copies_in_bulk()) return {};
    return std::string("strategy ") + walk +
           " needs a GPU of compute capability 9.0 or later, but this GPU has " +
           std::to_string(device.major) + "." + std::to_string(device.minor) + "; run it with --device cpu";
}

}  // namespace lockstep
