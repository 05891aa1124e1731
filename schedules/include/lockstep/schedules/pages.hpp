// Control of the memory pages of large arrays. The system maps a page when it is first touched, on the
// touching thread; a gigabyte has 262,144 pages of 4 KiB, or 512 large ones. The functions are hints: they do
// nothing if the system does not support them.
#pragma once

#include <cstddef>

namespace lockstep {

/// Touches untouched memory on all threads, before a single thread fills it.
void populate(void* memory, std::size_t bytes) noexcept;
/// Requests large pages for untouched memory.
void enlarge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace lockstep
