// Arrays of one entry an edge: std::vector, but new entries are left uninitialised, so that the threads
// which fill them touch their memory first, in large pages. Zeroing gigabytes on one thread costs more than a radix
// pass.
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

    /// Bytes, which malloc has in pages of their own.
    static constexpr std::size_t large = std::size_t{1} << 25;
};

/// `Array<T>(n)` and `resize(n)` leave arithmetic entries uninitialised; give a value to have it set.
template <class T>
using Array = std::vector<T, UninitializedAllocator<T>>;

}  // namespace lockstep
