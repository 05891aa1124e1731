// An input as a stream of bytes, opened once: a regular file, a pipe, a device or standard input.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep {

/// An input that is opened once and read from its start. Its head can be inspected without being consumed, so
/// that a program can detect the format before it chooses a reader. Data read from a pipe stay in memory
/// until `settle`. System errors are thrown as FormatError with the name of the input.
class InputFile {
public:
    /// Opens a path ("-" = standard input) and, for a pipe, waits for its head. `interruption` is called
    /// between reads, and every 0.1 s while waiting for a pipe; its exceptions propagate to the caller.
    explicit InputFile(const std::filesystem::path& path, void (*interruption)() = nullptr);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// Returns the name for messages: the path as given, or "standard input".
    const std::string& name() const { return name_; }
    const std::filesystem::path& path() const { return path_; }
    /// Returns up to the first 64 KiB; valid until `settle`.
    std::string_view head() const { return std::string_view(kept_).substr(0, head_bytes); }
    /// Returns true if the input starts with the HDF5 signature. Throws FormatError if such an input is a
    /// pipe or standard input, since HDF5 needs random access.
    bool is_hdf5() const;
    /// Returns true if the input is an HDF5 file that Lockstep has written, not a matrix of another program.
    /// Throws like is_hdf5.
    bool is_lockstep_hdf5() const;
    /// Returns true if the input allows random access.
    bool seekable() const { return seekable_; }
    /// Returns the size in bytes of a seekable input, and 0 for other inputs.
    std::uint64_t size() const { return size_; }
    std::uint64_t position() const { return position_; }

    /// Reads up to `size` bytes and returns their number, which is less than `size` only at the end. At the
    /// end, throws FormatError if the file has changed since it was opened.
    std::size_t read(char* into, std::size_t size);
    /// Returns the unread rest of a text. Must be called before `settle`. Throws FormatError if the head
    /// contains a NUL byte.
    std::string read_rest();
    /// Moves to a position that was read before; in a seekable input, to any position.
    void seek(std::uint64_t position);
    /// Stops keeping the data read from a pipe. Earlier positions cannot be reached any more.
    void settle();
    /// Limits the bytes of a pipe that are kept in memory (default: the physical memory). Reading more
    /// throws.
    void keep_at_most(std::uint64_t bytes) { most_kept_ = bytes; }

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
    std::uint64_t start_ = 0;  // initial offset of standard input
    std::uint64_t size_ = 0, position_ = 0, most_kept_;
    std::timespec changed_{};
    std::string kept_;  // the head; for a pipe, everything that was read before `settle`
};

}  // namespace lockstep
