#include "lockstep/formats/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace lockstep {

std::uint64_t physical_memory() {
    const auto physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                          static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::ifstream limit_file("/sys/fs/cgroup/memory.max");
    std::uint64_t limit = 0;
    return limit_file >> limit ? std::min(limit, physical) : physical;
}

}  // namespace lockstep
