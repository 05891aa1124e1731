// Parallel copy of large arrays.
#pragma once

#include <cstddef>

namespace lockstep {

/// Copies `bytes` bytes like memcpy, on all threads.
void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept;

}  // namespace lockstep
