// A std::vector for large arrays with one entry per edge. New entries are left uninitialised, because zeroing
// gigabytes on one thread takes longer than a radix pass over them. The memory is requested in large pages,
// and the threads that fill the array are the first to touch it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "lockstep/schedules/pages.hpp"

namespace lockstep {

template <class T>
/// An allocator that leaves arithmetic entries uninitialised and requests large pages for large allocations.
struct UninitializedAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UninitializedAllocator<U>;
    };
    using std::allocator<T>::allocator;

    T* allocate(std::size_t size) {
        T* const place = std::allocator<T>::allocate(size);
        if (size * sizeof(T) >= large) enlarge_pages(place, size * sizeof(T));
        return place;
    }

    template <class U>
    void construct(U* place) noexcept {
        ::new (static_cast<void*>(place)) U;
    }
    template <class U, class... Arguments>
    void construct(U* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
    }

    /// Minimum size in bytes of an allocation for which large pages are requested (32 MiB). malloc serves an
    /// allocation of this size with its own mmap, so that the pages are untouched.
    static constexpr std::size_t large = std::size_t{1} << 25;
};

/// A vector with uninitialised entries: `Array<T>(n)` and `resize(n)` do not set arithmetic entries.
/// `Array<T>(n, value)` and `resize(n, value)` do.
template <class T>
using Array = std::vector<T, UninitializedAllocator<T>>;

}  // namespace lockstep
