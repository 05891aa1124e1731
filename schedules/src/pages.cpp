#include "lockstep/schedules/pages.hpp"

#include <algorithm>
#include <cstdint>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lockstep {

#if defined(__linux__)

namespace {

/// The complete memory pages inside a range of memory.
struct Pages {
    Pages(void* memory, std::size_t size) {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t into = reinterpret_cast<std::uintptr_t>(memory) % page,
                          begin = into ? page - into : 0;
        first = static_cast<char*>(memory) + begin;
        bytes = size < begin ? 0 : (size - begin) / page * page;
    }
    char* first;
    std::size_t bytes;
};

}  // namespace

void populate([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_POPULATE_WRITE)
    constexpr std::size_t piece = std::size_t{1} << 22;
    const Pages pages(memory, bytes);
    if (pages.bytes < piece) return;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t at = 0; at < pages.bytes; at += piece)
        madvise(pages.first + at, std::min(piece, pages.bytes - at), MADV_POPULATE_WRITE);
#endif
}

void enlarge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
    const Pages pages(memory, bytes);
    if (pages.bytes) madvise(pages.first, pages.bytes, MADV_HUGEPAGE);
#endif
}

#else

void populate(void*, std::size_t) noexcept {}
void enlarge_pages(void*, std::size_t) noexcept {}

#endif

}  // namespace lockstep
