// Memory of the machine: the bound of everything that a file may ask for.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep {

/// Physical memory in bytes (the limit of the process's control group, where that is lower).
std::uint64_t physical_memory();

/// Asks for huge pages under memory that is about to be filled; filling is then several times as fast.
void use_huge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace lockstep
