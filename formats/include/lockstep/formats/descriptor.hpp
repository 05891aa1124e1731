// What a program does with a file descriptor that it was given.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace lockstep {

/// write(2), which here waits where whoever made the descriptor has set O_NONBLOCK and nobody has read yet:
/// -1 with EINTR where a signal ends the waiting.
ssize_t write_waiting(int file, std::string_view bytes) noexcept;

}  // namespace lockstep
