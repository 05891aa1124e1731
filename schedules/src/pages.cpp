#include "lockstep/schedules/pages.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lockstep {

#if defined(__linux__)

namespace {

constexpr std::size_t piece = std::size_t{1} << 22, huge_page = std::size_t{1} << 21;

/// The whole pages in some memory.
std::span<char> pages_of(void* memory, std::size_t bytes) noexcept {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t into = reinterpret_cast<std::uintptr_t>(memory) % page, begin = into ? page - into : 0;
    if (bytes < begin) return {};
    return {static_cast<char*>(memory) + begin, (bytes - begin) / page * page};
}

/// Piece by piece, none of which ends within a huge page; of little memory nothing.
void advise(std::span<char> pages, int advice) noexcept {
    if (pages.size() < piece) return;
    const std::size_t first = reinterpret_cast<std::uintptr_t>(pages.data()) % piece,
                      last = first + pages.size();
#pragma omp parallel for schedule(dynamic)
    for (std::size_t at = 0; at < last; at += piece) {
        const std::size_t begin = std::max(at, first), end = std::min(at + piece, last);
        madvise(pages.data() + (begin - first), end - begin, advice);
    }
}

}  // namespace

void advise_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
    const std::span<char> pages = pages_of(memory, bytes);
    if (pages.size() >= huge_page) madvise(pages.data(), pages.size(), MADV_HUGEPAGE);
#endif
}

void populate([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
    advise_huge_pages(memory, bytes);
#if defined(MADV_POPULATE_WRITE)
    advise(pages_of(memory, bytes), MADV_POPULATE_WRITE);
#endif
}

void drop_pages(void* memory, std::size_t bytes) noexcept { advise(pages_of(memory, bytes), MADV_DONTNEED); }

#else

void advise_huge_pages(void*, std::size_t) noexcept {}
void populate(void*, std::size_t) noexcept {}
void drop_pages(void*, std::size_t) noexcept {}

#endif

}  // namespace lockstep
