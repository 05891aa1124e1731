#include "file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/error.hpp"

namespace lockstep::cli {

namespace {

/// Returns true if `path` still names the locked file: the previous owner may have deleted the file, or
/// another file may have been renamed to `path`.
bool is_at(int file, const std::string& path) {
    struct stat locked {
    }, named{};
    return fstat(file, &locked) == 0 && stat(path.c_str(), &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(const std::string& path, const Common& common) {
    for (bool notified = false;;) {
        file_ = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
        if (file_ < 0) throw OutputError(path, std::strerror(errno));
        if (!locks(path, LOCK_EX | LOCK_NB)) {
            if (!notified) note(common, "waiting for another program, which has locked " + path);
            notified = true;
            while (!locks(path, LOCK_EX)) {
            }
        }
        if (is_at(file_, path)) return;
        close(file_);
    }
}

/// Returns false if another program has the lock, or if a signal arrived that does not end the program.
bool FileLock::locks(const std::string& path, int how) const {
    if (flock(file_, how) == 0 || errno == ENOSYS || errno == EOPNOTSUPP) return true;
    const int error = errno;
    if (error == EWOULDBLOCK || (error == EINTR && pending_signal() == 0)) return false;
    close(file_);
    check_signal();
    throw OutputError(path, std::strerror(error));
}

FileLock::~FileLock() { close(file_); }

ReplacementLock::ReplacementLock(const std::string& path, const Common& common)
    : beside_(temporary_stem(std::filesystem::canonical(path)).string() + "lock"), lock_(beside_, common) {}

ReplacementLock::~ReplacementLock() { unlink(beside_.c_str()); }

}  // namespace lockstep::cli
