#include "bounded_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <new>
#include <string>
#include <thread>

#include "lockstep/formats/error.hpp"
#include "memory.hpp"

namespace lockstep {

namespace {

constexpr std::size_t large = std::size_t{1} << 18;
/// Memory for the program, its libraries and small blocks, and memory for the buffers of each thread.
constexpr EdgeId own_bytes = EdgeId{64} << 20, thread_bytes = EdgeId{16} << 20;

/// The memory blocks that are mapped from temporary files, and the total size of the large blocks on the
/// heap. The object exists until the process ends, because a destructor of any static object may free a
/// block.
class MappedBlocks {
    using Blocks = std::map<void*, std::size_t>;

public:
    MappedBlocks(EdgeId bound, const std::filesystem::path& folder)
        : bound_(bound), folder_(folder.empty() ? "." : folder) {}

    bool fits_on_heap(std::size_t bytes) const { return bytes < large || heap_ + bytes <= max_on_heap_; }
    void took(void* place) { heap_ += counted(place); }
    /// Subtracts the block at `place` from the large blocks on the heap. Returns whether it was a large
    /// block.
    bool frees(void* place) {
        const EdgeId bytes = counted(place);
        heap_ -= bytes;
        return bytes > 0;
    }

    /// Maps a block of memory from a new temporary file. Returns nullptr if the disk or the address space is
    /// full.
    void* map(std::size_t bytes) {
        bytes = (bytes + page_ - 1) / page_ * page_;
        const int file = open_unnamed();
        int error = file < 0 ? errno : EINTR;
        // The disk space is allocated now, so that a full disk causes an error here. Otherwise a later write
        // to the memory would kill the process.
        while (file >= 0 && error == EINTR) error = posix_fallocate(file, 0, static_cast<off_t>(bytes));
        void* const place =
            error ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (error) failure_ = error;
        if (file >= 0) close(file);
        if (place == MAP_FAILED) return nullptr;
        const SpinLockGuard alone(busy_);
        blocks_[place] = bytes;
        mapped_ += bytes;
        max_mapped_ = std::max(max_mapped_.load(), mapped_);
        return place;
    }
    /// Unmaps the block at `place`. Returns false if no block is mapped there.
    bool unmap(void* place) {
        if (reinterpret_cast<std::uintptr_t>(place) % page_) return false;
        // Destroyed after the lock is released, because its destructor calls this function.
        Blocks::node_type block;
        {
            const SpinLockGuard alone(busy_);
            const auto found = blocks_.find(place);
            if (found == blocks_.end()) return false;
            mapped_ -= found->second;
            block = blocks_.extract(found);
        }
        munmap(place, block.mapped());
        return true;
    }

    /// Releases the resident pages of all mapped blocks if the resident memory exceeds half of the bound. It
    /// runs in a signal handler, and therefore uses only system calls.
    void release() noexcept {
        char text[64] = {};
        if (pread(resident_, text, sizeof text - 1, 0) <= 0) return;
        const char* digit = std::strchr(text, ' ');
        EdgeId pages = 0;
        while (digit && *++digit >= '0' && *digit <= '9')
            pages = 10 * pages + static_cast<EdgeId>(*digit - '0');
        if (pages * page_ < bound_ / 2 || busy_.test_and_set(std::memory_order_acquire)) return;
        // The pages of a shared mapping are stored in the file, so releasing them loses no data.
        for (const auto& [place, bytes] : blocks_) madvise(place, bytes, MADV_DONTNEED);
        busy_.clear(std::memory_order_release);
    }

    EdgeId max_mapped() const { return max_mapped_; }
    void check() const {
        if (failure_) {
            throw OutputError(
                folder_.string(),
                fmt::format("a temporary file cannot be written: {} (set TMPDIR to another folder)",
                            std::strerror(failure_)));
        }
    }

private:
    /// A guard for a spin lock. The signal handler does not use it: if the lock is taken, the handler skips
    /// its work, since waiting for the code that it has interrupted would never end.
    class SpinLockGuard {
    public:
        explicit SpinLockGuard(std::atomic_flag& flag) : flag_(flag) {
            while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
        }
        ~SpinLockGuard() { flag_.clear(std::memory_order_release); }
        SpinLockGuard(const SpinLockGuard&) = delete;
        SpinLockGuard& operator=(const SpinLockGuard&) = delete;

    private:
        std::atomic_flag& flag_;
    };

    static EdgeId counted(void* place) {
        const std::size_t bytes = malloc_usable_size(place);
        return bytes < large ? 0 : bytes;
    }
    int open_unnamed() const {
        const int file = open(folder_.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
        // The file system does not support O_TMPFILE, so a named file is created and its name removed.
        std::string name = (folder_ / ".lockstep-tmp-XXXXXX").string();
        const int named = mkostemp(name.data(), O_CLOEXEC);
        if (named >= 0) unlink(name.c_str());
        return named;
    }

    const EdgeId bound_, max_on_heap_ = (bound_ - own_bytes) / 4;
    const EdgeId page_ = static_cast<EdgeId>(sysconf(_SC_PAGESIZE));
    const std::filesystem::path folder_;
    std::atomic<EdgeId> heap_ = 0;  ///< total size of the large blocks on the heap, in bytes
    std::atomic<int> failure_ = 0;
    std::atomic<EdgeId> max_mapped_ = 0;
    const int resident_ = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    std::atomic_flag busy_;  ///< lock of blocks_ and mapped_
    Blocks blocks_;
    EdgeId mapped_ = 0;
};

std::atomic<MappedBlocks*> mapped_blocks = nullptr;

}  // namespace

EdgeId min_memory(int threads) { return 2 * own_bytes + thread_bytes * static_cast<EdgeId>(threads); }

void bound_memory(EdgeId bytes, const std::filesystem::path& folder) {
    mapped_blocks = new MappedBlocks(bytes, folder);
    // The timer counts the CPU time of the process, so between two signals the process can touch only a
    // limited amount of memory, even if the machine is busy.
    struct sigaction action {};
    action.sa_flags = SA_RESTART;
    action.sa_handler = [](int) {
        const int error = errno;
        mapped_blocks.load()->release();
        errno = error;
    };
    sigaction(SIGRTMIN, &action, nullptr);
    sigevent event{};
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    timer_t timer{};
    const itimerspec every{{0, 1'000'000}, {0, 1'000'000}};
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 ||
        timer_settime(timer, 0, &every, nullptr) != 0)
        throw Error(std::string("--memory: there is no timer: ") + std::strerror(errno));
}

EdgeId max_mapped() {
    const MappedBlocks* const blocks = mapped_blocks;
    return blocks ? blocks->max_mapped() : 0;
}

void check_temporary_files() {
    if (const MappedBlocks* const blocks = mapped_blocks) blocks->check();
}

}  // namespace lockstep

// Replacements of the global allocation functions. If memory is bounded, large blocks may be mapped from
// files; all other blocks are on the heap. In builds with sanitizers, which replace the same functions,
// memory is not bounded.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define LOCKSTEP_OF_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define LOCKSTEP_OF_SANITIZER
#endif
#endif
#if !defined(LOCKSTEP_OF_SANITIZER)

void* operator new(std::size_t bytes) {
    lockstep::MappedBlocks* const blocks = lockstep::mapped_blocks.load(std::memory_order_acquire);
    const bool in_file = blocks && !blocks->fits_on_heap(bytes);
    void* const place = in_file ? blocks->map(bytes) : std::malloc(std::max<std::size_t>(bytes, 1));
    if (!place) {
        if (const std::new_handler handler = std::get_new_handler()) handler();
        throw std::bad_alloc();
    }
    if (blocks && !in_file) blocks->took(place);
    return place;
}

void operator delete(void* place) noexcept {
    lockstep::MappedBlocks* const blocks = lockstep::mapped_blocks.load(std::memory_order_acquire);
    if (blocks && place) {
        if (blocks->unmap(place)) return;
        if (blocks->frees(place)) {
            std::free(place);
            lockstep::cli::release_free_memory();
            return;
        }
    }
    std::free(place);
}
void operator delete(void* place, std::size_t) noexcept { operator delete(place); }

#endif
