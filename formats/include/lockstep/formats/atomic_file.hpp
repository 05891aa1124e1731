// A file that appears under its name complete, or not at all.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace lockstep {

/// Writes to a temporary file in the folder of `path`; `commit` gives it its name. Without a commit
/// (an error, an exception) the temporary file is removed and what stood under `path` is untouched.
/// A symbolic link is followed: the file it points to is replaced, or made. Temporary files that killed runs
/// left in the folder are removed: a running one holds the lock of its own. Throws OutputError.
class AtomicFile {
public:
    explicit AtomicFile(const std::filesystem::path& path);
    ~AtomicFile();
    AtomicFile(const AtomicFile&) = delete;
    AtomicFile& operator=(const AtomicFile&) = delete;

    /// These three return 0 or errno.
    int write(std::uint64_t offset, const void* data, std::size_t size) noexcept;
    int read(std::uint64_t offset, void* data, std::size_t size) noexcept;  ///< zeros past the end
    int truncate(std::uint64_t size) noexcept;

    /// Lets the disk begin with what was written since the last call, once that is worth it: less is
    /// left to wait for in `commit`. Threads may call it while another one writes.
    void start_flushing() noexcept;

    /// Flushes to the disk, closes, renames, flushes the folder.
    void commit();

    /// Called in `commit` with the name of a file that is there and is about to be replaced; throws to keep
    /// it.
    static std::function<void(const std::filesystem::path&)> before_replacing;

private:
    void create();
    void rename_over();
    [[noreturn]] void fail(const char* what, int error) const;

    std::filesystem::path path_, temporary_;
    int file_ = -1, lock_ = -1;  ///< the same open file: its lock is held until it has its name
    std::atomic<std::uint64_t> written_ = 0,
                               flushing_ = 0;  ///< ends of what was written and is being flushed
};

/// The file behind a name, through symbolic links, also where it is not there yet.
std::filesystem::path link_target(std::filesystem::path path);

/// How the names begin of temporary files beside `path`, which any run removes of which nobody holds the
/// lock.
std::filesystem::path temporary_stem(const std::filesystem::path& path);

}  // namespace lockstep
