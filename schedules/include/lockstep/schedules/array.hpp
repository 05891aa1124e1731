// Arrays of one entry an edge: std::vector, but new entries are left uninitialised, so that the threads
// which fill them touch their memory first. Zeroing gigabytes on one thread costs more than a radix pass.
//
// Large ones lie in huge pages, where the system has such for them: a fault and an address translation each
// 2 MiB, not each 4 KiB.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace lockstep {

/// A hint, for memory that is untouched so far; of less than such a page, nothing.
void advise_huge_pages(void* memory, std::size_t bytes) noexcept;

template <class T>
struct UninitializedAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UninitializedAllocator<U>;
    };
    using std::allocator<T>::allocator;

    /// By the plain operator new, which a program may replace; the huge pages within need no alignment.
    T* allocate(std::size_t n) {
        T* const memory = std::allocator<T>::allocate(n);
        advise_huge_pages(memory, n * sizeof(T));
        return memory;
    }

    template <class U>
    void construct(U* place) noexcept {
        ::new (static_cast<void*>(place)) U;
    }
    template <class U, class... Arguments>
    void construct(U* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
    }
};

/// `Array<T>(n)` and `resize(n)` leave arithmetic entries uninitialised; give a value to have it set.
template <class T>
using Array = std::vector<T, UninitializedAllocator<T>>;

}  // namespace lockstep
