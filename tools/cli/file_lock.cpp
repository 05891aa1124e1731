#include "file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "lockstep/formats/error.hpp"

namespace lockstep::cli {

FileLock::FileLock(const std::string& path) : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (file_ < 0) throw OutputError(path, std::strerror(errno));
    int result = 0;
    do result = flock(file_, LOCK_EX);
    while (result != 0 && errno == EINTR);
    if (result != 0) {
        const int error = errno;
        close(file_);
        throw OutputError(path, std::strerror(error));
    }
}

FileLock::~FileLock() { close(file_); }

}  // namespace lockstep::cli
