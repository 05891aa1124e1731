#include "lockstep/formats/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "lockstep/formats/error.hpp"
#include "lockstep/formats/memory.hpp"

namespace lockstep {

InputFile::InputFile(const std::filesystem::path& path, void (*interruption)())
    : path_(path),
      name_(path == "-" ? "standard input" : path.string()),
      interruption_(interruption),
      // O_NONBLOCK: open() does not block on a FIFO without a writer. wait() waits for data instead.
      file_(path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                        : open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)),
      max_kept_(physical_memory()) {
    if (file_ < 0) fail("opened", errno);
    try {
        struct stat status {};
        if (fstat(file_, &status) != 0) fail("opened", errno);
        if (S_ISDIR(status.st_mode)) throw FormatError(name_, "this is a folder; give a file in it");
        const off_t start = S_ISREG(status.st_mode) ? lseek(file_, 0, SEEK_CUR) : -1;
        seekable_ = start >= 0;
        if (seekable_) {
            start_ = static_cast<std::uint64_t>(start);
            const auto end = static_cast<std::uint64_t>(std::max(start, status.st_size));
            size_ = end - start_;
            changed_ = status.st_mtim;
        }
        std::string head(head_bytes, '\0');
        head.resize(read(head.data(), head.size()));
        kept_ = std::move(head);
        position_ = 0;
    } catch (...) {
        close(file_);
        throw;
    }
}

InputFile::~InputFile() { close(file_); }

void InputFile::fail(const char* what, int error) const {
    throw FormatError(name_, fmt::format("cannot be {}: {}", what, std::strerror(error)));
}

bool InputFile::is_hdf5() const {
    if (!head().starts_with("\x89HDF\r\n\x1a\n")) return false;
    if (seekable_ && path_ != "-") return true;
    throw FormatError(
        name_,
        "this is an HDF5 file, which cannot be read from a pipe or standard input; write it to a file "
        "and give that file's name");
}

void InputFile::wait() const {
    for (pollfd watched{file_, POLLIN, 0};;) {
        const int ready = poll(&watched, 1, 100);
        if (ready > 0) return;
        if (ready < 0 && errno != EINTR) fail("read", errno);
        if (interruption_) interruption_();
    }
}

std::size_t InputFile::fetch(char* into, std::size_t size) {
    for (;;) {
        if (interruption_) interruption_();
        if (!seekable_) wait();
        const ssize_t got = seekable_ ? pread(file_, into, size, static_cast<off_t>(start_ + position_))
                                      : ::read(file_, into, size);
        if (got >= 0) return static_cast<std::size_t>(got);
        if (errno != EINTR && errno != EAGAIN) fail("read", errno);
    }
}

void InputFile::require_unchanged() const {
    struct stat now {};
    if (!seekable_ || size_ == 0) return;  // files in /proc, which have size 0, are not checked
    if (fstat(file_, &now) != 0) fail("read", errno);
    const auto size = static_cast<std::uint64_t>(now.st_size) - start_;
    if (size == size_ && position_ == size && now.st_mtim.tv_sec == changed_.tv_sec &&
        now.st_mtim.tv_nsec == changed_.tv_nsec)
        return;
    throw FormatError(
        name_, fmt::format("the file changed while it was read: {}; read it again when it is complete",
                           size == size_ ? "it was written to"
                                         : fmt::format("it had {} bytes, now it has {}", size_, size)));
}

std::size_t InputFile::read(char* into, std::size_t size) {
    std::size_t done = 0;
    if (position_ < kept_.size()) {
        done = std::min<std::size_t>(size, kept_.size() - position_);
        std::memcpy(into, kept_.data() + position_, done);
        position_ += done;
    } else if (settled_) {
        std::string().swap(kept_);
    }
    while (done < size && !ended_) {
        const std::size_t got = fetch(into + done, size - done);
        if (got == 0) {
            require_unchanged();
            ended_ = !seekable_;  // a further read would make a terminal wait for more input
            break;
        }
        position_ += got;
        if (!seekable_ && !settled_ && position_ > head_bytes) {
            if (position_ > max_kept_)
                throw FormatError(
                    name_,
                    fmt::format(
                        "this archive comes from a pipe, and finding its files would need more than the "
                        "memory limit of {:.2f} GB; write it to a file, or unpack it before the pipe",
                        static_cast<double>(max_kept_) / 1e9));
            kept_.append(into + done, got);
        }
        done += got;
    }
    return done;
}

std::string InputFile::read_rest() {
    // This check stops reading from devices without an end, such as /dev/zero.
    if (head().find('\0') != std::string_view::npos)
        throw FormatError(name_, "found a NUL byte; expected text");
    std::string text;
    for (std::size_t got = 1; got > 0;) {
        const std::size_t before = text.size();
        text.resize(before + head_bytes);
        got = read(text.data() + before, head_bytes);
        text.resize(before + got);
    }
    return text;
}

void InputFile::seek(std::uint64_t position) { position_ = position; }

void InputFile::settle() { settled_ = true; }

}  // namespace lockstep
