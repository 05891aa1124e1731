// Large arrays with one entry per edge: a std::vector whose new entries are left uninitialised. The threads
// that fill an array also touch its memory first, in large pages. Zeroing gigabytes on one thread takes
// longer than a radix pass.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "lockstep/schedules/pages.hpp"

namespace lockstep {

template <class T>
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

    /// Minimum size in bytes of an allocation that gets large pages; malloc serves such an allocation with
    /// its own mmap.
    static constexpr std::size_t large = std::size_t{1} << 25;
};

/// A vector whose constructor `Array<T>(n)` and `resize(n)` leave arithmetic entries uninitialised. Pass a
/// value to initialise them.
template <class T>
using Array = std::vector<T, UninitializedAllocator<T>>;

}  // namespace lockstep
