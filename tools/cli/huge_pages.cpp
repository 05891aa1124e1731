// Large allocations of the programs on huge pages: arrays of gigabytes are touched once or scattered
// into, and with 4 kB pages both are bound by page faults and TLB misses, not by memory.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace {
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t worth_it = 4 * huge_page;
}  // namespace

void* operator new(std::size_t size) {
    for (;;) {
        void* memory = nullptr;
        if (size < worth_it) {
            memory = std::malloc(size ? size : 1);
        } else if (size <= ~huge_page) {
            const std::size_t rounded = (size + huge_page - 1) / huge_page * huge_page;
            memory = std::aligned_alloc(huge_page, rounded);
            if (memory) madvise(memory, rounded, MADV_HUGEPAGE);  // advice: failing costs only speed
        }
        if (memory) return memory;
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
