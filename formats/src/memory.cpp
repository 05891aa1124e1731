#include "lockstep/formats/memory.hpp"

#include <sys/mman.h>
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

void use_huge_pages(void* memory, std::size_t bytes) noexcept {
    constexpr std::uintptr_t huge_page = 2 << 20;
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t begin = (address + huge_page - 1) / huge_page * huge_page, end = (address + bytes) / huge_page * huge_page;
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace lockstep
