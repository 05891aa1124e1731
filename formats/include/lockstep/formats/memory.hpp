// Memory of the machine: the bound of everything that a file may ask for.
#pragma once

#include <cstdint>

namespace lockstep {

/// Physical memory in bytes (the limit of the process's control group, where that is lower).
std::uint64_t physical_memory();

}  // namespace lockstep
