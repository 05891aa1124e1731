// A file that appears under its name when it is complete, or not at all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lockstep {

/// Writes to a temporary file in the folder of `path`; `commit` renames it to `path`. Without a commit (after
/// an error or an exception) the temporary file is removed and an existing file `path` is left untouched. A
/// symbolic link is followed: its target is replaced or created. The constructor also removes temporary files
/// that killed runs left in the folder; a live run holds a lock on its own. Throws OutputError.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// The next three functions return 0 or an errno value.
    int write(std::uint64_t offset, const void* data, std::size_t size) noexcept;
    /// Reads zeros past the end of the file.
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept;
    int truncate(std::uint64_t size) noexcept;

    /// Starts writing back the bytes written since the last call if there are at least 16 MiB of them, so
    /// that `commit` has less to wait for. May be called while another thread writes.
    void start_flushing() noexcept;

    /// Flushes the file to disk, closes it, renames it and flushes its folder.
    void commit();

    /// Callback that `commit` calls with the name of an existing file that it is about to replace. The
    /// callback may throw to keep that file.
    static std::function<void(const std::filesystem::path&)> before_replacing;

private:
    void create();
    void rename_over();
    [[noreturn]] void fail(const char* what, int error) const;

    std::filesystem::path path_, temporary_;
    /// Two descriptors of one open file; `lock_` holds its lock until the file is renamed.
    int file_ = -1, lock_ = -1;
    /// `written_`: end of the bytes written so far; `flushing_`: end of the bytes whose write-back was
    /// started.
    std::atomic<std::uint64_t> written_ = 0, flushing_ = 0;
};

/// Returns the path that symbolic links lead to; the file itself need not exist yet.
std::filesystem::path link_target(std::filesystem::path path);

/// Returns the prefix of the names of temporary files for `path`. Any run removes files with such names if no
/// process holds their lock.
std::filesystem::path temporary_stem(const std::filesystem::path& path);

}  // namespace lockstep
