// Memory of the machine: the upper bound of what an input file may make the program allocate.
#pragma once

#include <cstdint>

namespace lockstep {

/// Returns the physical memory in bytes, or the memory limit of the process's control group if that is lower.
std::uint64_t physical_memory();

}  // namespace lockstep
