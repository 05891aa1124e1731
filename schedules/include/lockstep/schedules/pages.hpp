// Control of the memory pages of large arrays. The operating system maps a page when a thread first touches
// it, and does this work on that thread. One gigabyte has 262,144 pages of 4 KiB, or 512 large pages of 2
// MiB. The functions are hints, which do nothing if the operating system does not support them.
#pragma once

#include <cstddef>

namespace lockstep {

/// Maps the pages of untouched memory on all threads in parallel. It is called before a single thread fills
/// the memory.
void populate(void* memory, std::size_t bytes) noexcept;
/// Requests large pages for memory that no thread has touched.
void enlarge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace lockstep
