// Writing to a file descriptor that the program has inherited, such as standard output, and that may be
// non-blocking.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace lockstep {

/// Calls write(2). If the descriptor is non-blocking (O_NONBLOCK) and its buffer is full, waits until bytes
/// can be written. Returns -1 with errno EINTR if a signal interrupts the wait.
ssize_t write_waiting(int file, std::string_view bytes) noexcept;

}  // namespace lockstep
