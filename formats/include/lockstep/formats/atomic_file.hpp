// AtomicFile: writes an output file such that it appears under its name only when it is complete. After an
// error, the folder looks as before.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lockstep {

/// Writes to a temporary file in the folder of `path`; commit() renames this file to `path`. If commit() is
/// not called (after an error or an exception), the temporary file is removed, and an existing file `path`
/// stays as it was. If `path` is a symbolic link, its target is created or replaced. The constructor also
/// removes temporary files of killed runs from the folder; it recognises them because no process holds their
/// lock. Throws OutputError.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// Writes at the given offset. write(), read() and truncate() return 0 or an errno value.
    int write(std::uint64_t offset, const void* data, std::size_t size) noexcept;
    /// Reads at the given offset. Bytes past the end of the file are zeros.
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept;
    int truncate(std::uint64_t size) noexcept;

    /// Passes the bytes that were written since the last call to the operating system's background write to
    /// the disk, if there are at least 16 MiB of them. Then commit() has less to wait for. May be called
    /// while another thread writes.
    void start_flushing() noexcept;

    /// Flushes the file to the disk, closes it, renames it to `path`, and flushes the folder.
    void commit();

    /// Function that commit() calls with the name of an existing file before it replaces this file. The
    /// function may throw; the existing file then stays.
    static std::function<void(const std::filesystem::path&)> before_replacing;

private:
    void create();
    void rename_over();
    [[noreturn]] void fail(const char* what, int error) const;

    std::filesystem::path path_, temporary_;
    /// Two descriptors of the temporary file. `lock_` stays open until the file is renamed, so that the file
    /// stays locked after `file_` is closed.
    int file_ = -1, lock_ = -1;
    /// `written_`: end of the bytes that were written; `flushing_`: end of the bytes that start_flushing()
    /// has passed to the disk.
    std::atomic<std::uint64_t> written_ = 0, flushing_ = 0;
};

/// Returns the path to which a chain of symbolic links leads, or `path` itself. The file need not exist.
std::filesystem::path link_target(std::filesystem::path path);

/// Returns the beginning of the names of temporary files for `path`. The names end with a process ID and a
/// number. Any run may remove files with such names if no process holds their lock.
std::filesystem::path temporary_stem(const std::filesystem::path& path);

}  // namespace lockstep
