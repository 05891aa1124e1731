#include "file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep::cli {

FileLock::FileLock(const std::string& path) : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw OutputError(path, std::strerror(errno));
    while (flock(file_, LOCK_EX) != 0) {
        const int error = errno;
        if (error == EINTR && pending_signal() == 0) continue;
        close(file_);
        check_signal();
        throw OutputError(path, std::strerror(error));
    }
}

FileLock::~FileLock() { close(file_); }

}  // namespace lockstep::cli
