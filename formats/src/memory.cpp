#include "lockstep/formats/memory.hpp"

#include <unistd.h>

#include <algorithm>

#include "lockstep/formats/control_group.hpp"

namespace lockstep {

std::uint64_t physical_memory() {
    const auto physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return std::min(physical, ControlGroups().memory().value_or(physical));
}

}  // namespace lockstep
