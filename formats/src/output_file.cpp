#include "lockstep/formats/output_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include "lockstep/formats/atomic_file.hpp"
#include "lockstep/formats/descriptor.hpp"
#include "lockstep/formats/error.hpp"
#include "lockstep/formats/interruption.hpp"
#include "lockstep/formats/text.hpp"

namespace lockstep {
namespace fs = std::filesystem;

OutputFile::OutputFile(std::string path) : path_(std::move(path)), buffer_(buffer_size, '\0') {
    std::error_code ignored;
    if (path_ == "-") {
        file_ = STDOUT_FILENO;
        terminal_ = isatty(file_) != 0;
    } else if (const auto status = fs::status(path_, ignored);
               fs::is_character_file(status) || fs::is_fifo(status)) {
        file_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (file_ < 0) fail(errno);
    } else {
        atomic_ = std::make_unique<AtomicFile>(path_);
    }
}

OutputFile::~OutputFile() {
    if (file_ >= 0 && file_ != STDOUT_FILENO) close(file_);
}

void OutputFile::write(std::string_view text) {
    if (text.size() > buffer_size) {
        flush();
        put(text);
        return;
    }
    char* place = reserve(text.size());
    std::memcpy(place, text.data(), text.size());
    advance(place + text.size());
}

void OutputFile::flush() {
    put({buffer_.data(), used_});
    used_ = 0;
}

void OutputFile::put(std::string_view data) {
    std::string safe;
    if (terminal_) data = safe = text::printable(data);
    if (atomic_) {
        if (const int error = atomic_->write(written_, data.data(), data.size())) fail(error);
        written_ += data.size();
        return;
    }
    while (!data.empty()) {
        const ssize_t count = write_waiting(file_, data);
        if (count < 0 && errno == EINTR) {  // a signal has interrupted waiting for a reader
            check_signal();
            continue;
        }
        if (count < 0) fail(errno);
        data.remove_prefix(static_cast<std::size_t>(count));
    }
}

void OutputFile::commit() {
    flush();
    if (atomic_)
        atomic_->commit();
    else if (file_ != STDOUT_FILENO && close(std::exchange(file_, -1)) != 0)
        fail(errno);
}

void OutputFile::fail(int error) const {
    if (file_ == STDOUT_FILENO && error == EPIPE) throw Interrupted(SIGPIPE);
    throw OutputError(path_ == "-" ? "standard output" : path_,
                      std::string("cannot be written: ") + std::strerror(error));
}

}  // namespace lockstep
