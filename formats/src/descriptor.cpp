#include "lockstep/formats/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace lockstep {

ssize_t write_waiting(int file, std::string_view bytes) noexcept {
    for (pollfd watched{file, POLLOUT, 0};;) {
        const ssize_t count = write(file, bytes.data(), bytes.size());
        if (count >= 0 || errno != EAGAIN) return count;
        if (poll(&watched, 1, -1) < 0) return -1;
    }
}

}  // namespace lockstep
