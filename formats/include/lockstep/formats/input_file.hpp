// InputFile: an input as a stream of bytes. It may be a regular file, a pipe, a device or standard input.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep {

/// An input that is opened once and read from its beginning. The first bytes (the head) can be inspected
/// without being consumed, so that a program can detect the format before it chooses a reader. All data read
/// from a pipe stay in memory until settle() is called, so that a reader can go back. System errors are
/// thrown as FormatError with the name of the input.
class InputFile {
public:
    /// Opens a path ("-" = standard input) and reads the head; for a pipe, this waits for data.
    /// `interruption` is called before each read, and every 0.1 s while waiting for a pipe. Its exceptions
    /// propagate to the caller.
    explicit InputFile(const std::filesystem::path& path, void (*interruption)() = nullptr);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// Returns the name for messages: the path as given, or "standard input".
    const std::string& name() const { return name_; }
    const std::filesystem::path& path() const { return path_; }
    /// Returns the head, up to 64 KiB. It is valid until settle() is called.
    std::string_view head() const { return std::string_view(kept_).substr(0, head_bytes); }
    /// Returns whether the input starts with the HDF5 signature. If it does and the input is a pipe or
    /// standard input, throws FormatError, since HDF5 needs random access.
    bool is_hdf5() const;
    /// Returns whether the input is an HDF5 file that Lockstep has written, as opposed to a matrix of another
    /// program. Throws like is_hdf5().
    bool is_lockstep_hdf5() const;
    /// Returns true if the input allows random access.
    bool seekable() const { return seekable_; }
    /// Returns the size in bytes of a seekable input, and 0 for other inputs.
    std::uint64_t size() const { return size_; }
    std::uint64_t position() const { return position_; }

    /// Reads up to `size` bytes and returns their number. The number is less than `size` only at the end of
    /// the input. Throws FormatError at the end of a file that has changed since it was opened.
    std::size_t read(char* into, std::size_t size);
    /// Returns the rest of a text input as a string. Must be called before settle(). Throws FormatError if
    /// the head contains a NUL byte.
    std::string read_rest();
    /// Moves to a position. If the input is not seekable, the position must have been read before.
    void seek(std::uint64_t position);
    /// Discards the kept data of a pipe, and keeps no more. Earlier positions cannot be reached any more.
    void settle();
    /// Limits the number of bytes of a pipe that are kept in memory (default: the physical memory). read()
    /// throws if the limit is exceeded.
    void keep_at_most(std::uint64_t bytes) { max_kept_ = bytes; }

private:
    static constexpr std::size_t head_bytes = std::size_t{1} << 16;
    std::size_t fetch(char* into, std::size_t size);
    void wait() const;
    void require_unchanged() const;
    [[noreturn]] void fail(const char* what, int error) const;

    std::filesystem::path path_;
    std::string name_;
    void (*interruption_)();
    int file_;
    bool seekable_ = false, settled_ = false, ended_ = false;
    std::uint64_t start_ = 0;  // offset at which standard input begins in its file
    std::uint64_t size_ = 0, position_ = 0, max_kept_;
    std::timespec changed_{};
    std::string kept_;  // the head; for a pipe, all bytes that were read before settle()
};

}  // namespace lockstep
