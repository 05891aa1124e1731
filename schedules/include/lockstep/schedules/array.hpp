// Arrays of one entry an edge: std::vector, but new entries are left uninitialised, so that the threads
// which fill them touch their memory first. Zeroing gigabytes on one thread costs more than a radix pass.
//
// Large ones lie in huge pages, where the system has such for them: a fault and an address translation each
// 2 MiB, not each 4 KiB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace lockstep {

inline constexpr std::size_t huge_page = std::size_t{1} << 21;
/// A hint, for memory that is untouched so far.
void advise_huge_pages(void* memory, std::size_t bytes) noexcept;

/// Arrays begin at a multiple of `least_alignment`; those of a huge page or more where such a page does.
template <class T, std::size_t least_alignment = 1>
struct UninitializedAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UninitializedAllocator<U, least_alignment>;
    };
    using std::allocator<T>::allocator;

    static bool is_large(std::size_t n) { return n >= huge_page / sizeof(T); }
    static std::align_val_t alignment(std::size_t n) {
        return std::align_val_t{is_large(n) ? huge_page : std::max(alignof(T), least_alignment)};
    }
    T* allocate(std::size_t n) {
        if (n > ~std::size_t{0} / sizeof(T)) throw std::bad_array_new_length();
        void* const memory = ::operator new(n * sizeof(T), alignment(n));
        if (is_large(n)) advise_huge_pages(memory, n * sizeof(T));
        return static_cast<T*>(memory);
    }
    void deallocate(T* p, std::size_t n) noexcept { ::operator delete(p, alignment(n)); }

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
