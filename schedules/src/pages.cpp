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

/// Of the whole pages in it, piece by piece.
void advise(void* memory, std::size_t bytes, int advice) noexcept {
    constexpr std::size_t piece = std::size_t{1} << 22;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t into = reinterpret_cast<std::uintptr_t>(memory) % page, begin = into ? page - into : 0;
    if (bytes < begin + piece) return;
    char* const first = static_cast<char*>(memory) + begin;
    const std::size_t whole = (bytes - begin) / page * page;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t at = 0; at < whole; at += piece)
        madvise(first + at, std::min(piece, whole - at), advice);
}

}  // namespace

void populate([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(MADV_POPULATE_WRITE)
    advise(memory, bytes, MADV_POPULATE_WRITE);
#endif
}

void drop_pages(void* memory, std::size_t bytes) noexcept { advise(memory, bytes, MADV_DONTNEED); }

#else

void populate(void*, std::size_t) noexcept {}
void drop_pages(void*, std::size_t) noexcept {}

#endif

}  // namespace lockstep
