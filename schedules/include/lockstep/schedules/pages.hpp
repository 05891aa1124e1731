// Pages of large arrays. The system gives them where they are touched first, and takes them back where they
// are freed, on the thread that does it: a gigabyte is a quarter of a million pages. Here all threads do it.
// Hints: where the system knows them not, nothing happens.
#pragma once

#include <cstddef>

#include "lockstep/schedules/array.hpp"

namespace lockstep {

/// Before one thread fills memory that is untouched so far.
void populate(void* memory, std::size_t bytes) noexcept;
/// Before memory is freed: what it holds is lost.
void drop_pages(void* memory, std::size_t bytes) noexcept;

/// Frees an array.
template <class T>
void release(Array<T>& array) noexcept {
    drop_pages(array.data(), array.capacity() * sizeof(T));
    Array<T>().swap(array);
}

}  // namespace lockstep
