#include "lockstep/schedules/pages.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace lockstep {

#if defined(__linux__)

namespace {

/// Of the whole pages in it, piece by piece.
void advise(void* memory, std::size_t bytes, int advice) noexcept {
    constexpr std::uintptr_t piece = std::uintptr_t{1} << 22;
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto place = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t begin = (place + page - 1) / page * page, end = (place + bytes) / page * page;
    if (end < begin + piece) return;
#pragma omp parallel for schedule(dynamic)
    for (std::uintptr_t at = begin; at < end; at += piece)
        madvise(reinterpret_cast<void*>(at), std::min(piece, end - at), advice);
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

void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
    constexpr std::size_t piece = std::size_t{1} << 20;
#pragma omp parallel for schedule(static)
    for (std::size_t at = 0; at < bytes; at += piece) {
        std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                    std::min(piece, bytes - at));
    }
}

}  // namespace lockstep
