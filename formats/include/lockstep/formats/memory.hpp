// The memory of the machine, which is the default limit for the data of an input file.
#pragma once

#include <cstdint>

namespace lockstep {

/// Returns the physical memory in bytes, or the memory limit of the process's control group if it is lower.
std::uint64_t physical_memory();

}  // namespace lockstep
