// An input as bytes, opened once: a regular file, a pipe, a device or standard input.
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string>
#include <string_view>

namespace lockstep {

/// An input is opened once and read from its start; its head can be looked at without being lost, so
/// that a program may find out what it was given before it chooses a reader. What a pipe gives is kept
/// in memory until `settle`. Errors of the system are FormatErrors with their names.
class InputFile {
public:
    /// Opens a path ("-" = standard input) and waits for the head of a pipe. `interruption` is called
    /// between reads, and every tenth of a second while a pipe gives nothing; what it throws comes out.
    explicit InputFile(const std::filesystem::path& path, void (*interruption)() = nullptr);
    ~InputFile();
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    /// What messages call it: the path as given, or "standard input".
    const std::string& name() const { return name_; }
    const std::filesystem::path& path() const { return path_; }
    /// Up to the first 64 KiB; valid until `settle`.
    std::string_view head() const { return std::string_view(kept_).substr(0, head_bytes); }
    /// Whether it starts as HDF5 does, which is read at any place of a file: throws FormatError where
    /// it would have to come from a pipe.
    bool is_hdf5() const;
    /// Whether it is HDF5 that Lockstep has written, not a matrix of another program. Throws as is_hdf5.
    bool is_lockstep_hdf5() const;
    /// Whether it can be read at any place.
    bool seekable() const { return seekable_; }
    /// Bytes of a seekable input, 0 of others.
    std::uint64_t size() const { return size_; }
    std::uint64_t position() const { return position_; }

    /// Fills up to `size` bytes and returns how many; less than `size` only at the end. Throws FormatError
    /// at the end of a file that has changed since it was opened.
    std::size_t read(char* into, std::size_t size);
    /// All that has not been read of a text; before `settle`. Throws FormatError on a head with a NUL byte.
    std::string read_rest();
    /// Goes to a place that was read before; in a seekable input to any place.
    void seek(std::uint64_t position);
    /// What a pipe gives from now on is not kept; there is no way back.
    void settle();
    /// Refuses to keep more of a pipe than this (default: the memory of the machine).
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
    std::uint64_t start_ = 0;  // where standard input stood
    std::uint64_t size_ = 0, position_ = 0, most_kept_;
    std::timespec changed_{};
    std::string kept_;  // the head, and of a pipe all that was read before `settle`
};

}  // namespace lockstep
