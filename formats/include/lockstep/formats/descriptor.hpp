// Writing to a file descriptor that the program inherited.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace lockstep {

/// Calls write(2), but waits for the reader if the descriptor is non-blocking (O_NONBLOCK) and its buffer is
/// full. Returns -1 with errno EINTR if a signal interrupts the wait.
ssize_t write_waiting(int file, std::string_view bytes) noexcept;

}  // namespace lockstep
