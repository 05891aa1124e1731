// Copies of large arrays.
#pragma once

#include <cstddef>

namespace lockstep {

/// memcpy by all threads.
void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept;

}  // namespace lockstep
