// Pages of large arrays. The system gives them where they are touched first, on the thread that does it: a
// gigabyte is a quarter of a million pages, or five hundred large ones. Hints: where the system knows them not,
// nothing happens.
#pragma once

#include <cstddef>

namespace lockstep {

/// Before one thread fills memory that is untouched so far: all threads touch it.
void populate(void* memory, std::size_t bytes) noexcept;
/// Of memory that is untouched so far: large pages, where there are such.
void enlarge_pages(void* memory, std::size_t bytes) noexcept;

}  // namespace lockstep
