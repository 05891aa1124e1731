#include "lockstep/schedules/copy.hpp"

#include <algorithm>
#include <cstring>

namespace lockstep {

void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
    constexpr std::size_t piece = std::size_t{1} << 20;
#pragma omp parallel for schedule(static)
    for (std::size_t at = 0; at < bytes; at += piece) {
        std::memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at,
                    std::min(piece, bytes - at));
    }
}

}  // namespace lockstep
