#include "lockstep/formats/atomic_file.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "lockstep/formats/error.hpp"

namespace lockstep {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view mark = ".lockstep-tmp-";

/// Returns whether `path` still is the file that the descriptor `file` refers to.
bool is_at(int file, const fs::path& path) {
    struct stat open_file {
    }, named{};
    return fstat(file, &open_file) == 0 && lstat(path.c_str(), &named) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

/// Removes the temporary files of runs that have ended, which are those whose lock no process holds. Does not
/// use std::filesystem, since its directory iterator terminates the program if an allocation fails.
void remove_abandoned(const fs::path& folder) noexcept try {
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(opendir(folder.c_str()), closedir);
    while (const dirent* entry = entries ? readdir(entries.get()) : nullptr) {
        if (entry->d_name[0] != '.' || std::string_view(entry->d_name).find(mark) == mark.npos) continue;
        const fs::path path = folder / entry->d_name;
        const int file = open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
        if (file < 0) continue;
        // While this process holds the lock, no other process removes or renames the file.
        if (flock(file, LOCK_EX | LOCK_NB) == 0 && is_at(file, path)) unlink(path.c_str());
        close(file);
    }
} catch (const std::exception&) {  // cleaning up is optional
}

/// The temporary files of this process. If a library calls exit(), the destructors of local AtomicFile
/// objects do not run; libgomp does so when it cannot create a thread. Then the destructor of this static
/// object removes the files.
class Temporaries {
public:
    ~Temporaries() {
        for (const fs::path& path : paths_) unlink(path.c_str());
    }
    void add(const fs::path& path) {
        const std::lock_guard lock(mutex_);
        paths_.insert(path);
    }
    void remove(const fs::path& path) noexcept {
        const std::lock_guard lock(mutex_);
        paths_.erase(path);
    }

private:
    std::mutex mutex_;
    std::set<fs::path> paths_;
} temporaries;

}  // namespace

std::function<void(const fs::path&)> AtomicFile::before_replacing;

fs::path link_target(fs::path path) {
    constexpr int most = 40;  // the system's own limit for symbolic links
    std::error_code error;
    for (int i = 0; i < most && fs::is_symlink(path, error); ++i)
        path = path.parent_path() / fs::read_symlink(path, error);
    return path;
}

fs::path temporary_stem(const fs::path& path) {
    // Maximum length of a file name (255 bytes), minus the characters that are added here.
    constexpr std::size_t most = 255 - 40;
    return path.parent_path() / ("." + path.filename().string().substr(0, most) + std::string(mark));
}

AtomicFile::AtomicFile(const fs::path& path) : path_(link_target(path)) {
    std::error_code error;
    const fs::file_status status = fs::status(path_, error);
    // A rename would replace a device or a pipe, instead of writing to it.
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        throw OutputError(path.string(), "is not a regular file; name a file to be written");
    }
    remove_abandoned(path_.has_parent_path() ? path_.parent_path() : fs::path("."));
    create();
}

void AtomicFile::create() {
    const std::string stem = temporary_stem(path_).string() + std::to_string(getpid());
    for (int attempt = 0; file_ < 0; ++attempt) {
        temporary_ = stem + "-" + std::to_string(attempt);
        temporaries.add(temporary_);
        file_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        const int error = errno;
        if (file_ < 0) temporaries.remove(temporary_);
        if (file_ < 0 && (error != EEXIST || attempt == 100)) {
            temporary_.clear();
            fail("cannot be created", error);
        }
        // Another run may have removed the file as abandoned between open() and flock(); then the next
        // attempt follows. On file systems without locks, no run removes files.
        if (file_ >= 0 && flock(file_, LOCK_EX) == 0 && !is_at(file_, temporary_))
            close(std::exchange(file_, -1));
    }
    lock_ = fcntl(file_, F_DUPFD_CLOEXEC, 0);
}

AtomicFile::~AtomicFile() {
    if (!temporary_.empty()) {
        unlink(temporary_.c_str());
        temporaries.remove(temporary_);
    }
    if (file_ >= 0) close(file_);
    if (lock_ >= 0) close(lock_);
}

int AtomicFile::write(std::uint64_t offset, const void* data, std::size_t size) noexcept {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t n =
            pwrite(file_, bytes, std::min<std::size_t>(size, 1U << 30), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) return EIO;
        bytes += n, offset += static_cast<std::uint64_t>(n), size -= static_cast<std::size_t>(n);
    }
    written_ = std::max(written_.load(), offset);
    return 0;
}

int AtomicFile::read(std::uint64_t offset, void* data, std::size_t size) noexcept {
    char* bytes = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t n =
            pread(file_, bytes, std::min<std::size_t>(size, 1U << 30), static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        if (n == 0) {
            std::memset(bytes, 0, size);
            return 0;
        }
        bytes += n, offset += static_cast<std::uint64_t>(n), size -= static_cast<std::size_t>(n);
    }
    return 0;
}

int AtomicFile::truncate(std::uint64_t size) noexcept {
    return ftruncate(file_, static_cast<off_t>(size)) == 0 ? 0 : errno;
}

void AtomicFile::start_flushing() noexcept {
    constexpr std::uint64_t worth_it = 16 << 20;
    std::uint64_t begin = flushing_;
    const std::uint64_t end = written_;
    if (end < begin + worth_it || !flushing_.compare_exchange_strong(begin, end)) return;
    // This call is only a hint. fsync() reports errors later.
    sync_file_range(file_, static_cast<off_t>(begin), static_cast<off_t>(end - begin), SYNC_FILE_RANGE_WRITE);
}

void AtomicFile::commit() {
    if (fsync(file_) != 0) fail("cannot be written", errno);
    if (close(std::exchange(file_, -1)) != 0) fail("cannot be written", errno);
    rename_over();
    temporaries.remove(temporary_);
    temporary_.clear();
    if (lock_ >= 0) close(std::exchange(lock_, -1));
    // The folder is flushed, too; otherwise a power failure could undo the rename.
    const fs::path folder = path_.has_parent_path() ? path_.parent_path() : fs::path(".");
    const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;  // the folder can be written but not read, so it cannot be flushed
    const int error = fsync(handle) == 0 ? 0 : errno;
    close(handle);
    if (error != 0 && error != EINVAL)
        fail("was written, but its folder cannot be flushed to the disk", error);
}

void AtomicFile::rename_over() {
    const auto renamed = [&](unsigned how) {
        return renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), how) == 0;
    };
    if (before_replacing) {
        if (renamed(RENAME_NOREPLACE)) return;
        // Some file systems do not support RENAME_NOREPLACE, so existence is tested separately.
        if (std::error_code error; errno == EEXIST || fs::exists(path_, error)) before_replacing(path_);
    }
    if (!renamed(0)) fail("cannot be replaced", errno);
}

void AtomicFile::fail(const char* what, int error) const {
    throw OutputError(path_.string(), std::string(what) + ": " + std::strerror(error));
}

}  // namespace lockstep
